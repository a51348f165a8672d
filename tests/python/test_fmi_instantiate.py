"""What a host can do wrong or unusual when it creates an instance, and the messages it gets."""

import ctypes
import shutil
import urllib.parse
from ctypes import byref, c_char_p, c_double, c_int, c_size_t

import pytest

import fmi2
import models
import tools
from fmi2 import ERROR, OK, Fmu, Instance, Refused, array


@pytest.fixture(scope="module")
def fmu(pack):
    return pack(models.SLED)


def test_versions(fmu):
    assert fmu.library.fmi2GetTypesPlatform() == b"default"
    assert fmu.library.fmi2GetVersion() == b"2.0"


@pytest.mark.parametrize("wrong, word", [
    ({"guid": "{00000000-0000-0000-0000-000000000000}"}, "GUID"),
    ({"guid": ""}, "GUID"),
    ({"name": ""}, "name"),
    ({"name": None}, "name"),
    ({"kind": fmi2.MODEL_EXCHANGE}, "co-simulation"),
    ({"kind": 7}, "co-simulation"),
    ({"uri": ""}, "resource location"),
    ({"uri": "file:///no/such/directory"}, "/no/such/directory"),
    ({"uri": "http://example.org/resources"}, "http://example.org"),
    ({"uri": "file://elsewhere/resources"}, "host"),
    ({"uri": "file:relative"}, "absolute"),
    ({"uri": "file:///a%0"}, "%"),
    ({"uri": "file:///a%zz"}, "%"),
    ({"uri": "file:///a%00b"}, "%00"),
    ({"uri": "file:///" + 100_000 * "x"}, "xxx"),
])
def test_refused_with_a_reason(fmu, wrong, word):
    with pytest.raises(Refused) as refused:
        Instance(fmu, **wrong)
    messages = refused.value.messages
    assert messages and word in str(refused.value)
    for message in messages:
        assert message.category == b"logError" and message.status == ERROR
        assert message.environment == 0x5EED and message.instance is not None


def test_null_arguments(fmu):
    create = fmu.library.fmi2Instantiate
    callbacks = fmi2.Callbacks()  # not even a logger
    uri, guid = fmu.uri.encode(), fmu.guid.encode()
    assert not create(b"a", 1, guid, uri, None, 0, 0)
    assert not create(b"a", 1, None, uri, byref(callbacks), 0, 1)
    assert not create(b"a", 1, guid, None, byref(callbacks), 0, 1)
    component = create(b"a", 1, guid, uri, byref(callbacks), 0, 1)
    assert component
    assert fmu.library.fmi2Terminate(component) == ERROR  # nobody is told, nothing breaks
    fmu.library.fmi2FreeInstance(component)


# --- resource locations ---

@pytest.mark.parametrize("directory", ["plain", "with space", "größe 日本", "100%", "a+b&c#d?e"])
def test_location_forms(fmu, tmp_path, directory):
    place = tmp_path / directory
    shutil.copytree(fmu.resources, place)
    quoted = urllib.parse.quote(str(place))
    assert quoted.startswith("/")
    for uri in ("file:" + quoted, "file://" + quoted, "file:////" + quoted[1:],
                "file://localhost" + quoted, "FILE://" + quoted, "file://" + quoted + "/",
                "file://" + quoted + "//", str(place), str(place) + "/"):
        with Instance(fmu, uri=uri) as instance:
            instance.start()
            assert instance.step(0.0, 0.01) == OK


def test_unescaped_non_ascii_and_spaces_are_taken(fmu, tmp_path):
    place = tmp_path / "größe x"
    shutil.copytree(fmu.resources, place)
    Instance(fmu, uri=f"file://{place}").free()


def test_whole_fmu_in_an_odd_place(fmu, tmp_path):
    place = tmp_path / "Ä %20 ü"
    shutil.copytree(fmu.directory, place)
    with Instance(Fmu(place)) as instance:
        instance.start()
        assert instance.step(0.0, 0.01) == OK


def test_model_must_belong_to_the_guid(fmu, tmp_path):
    """A model that was edited inside the FMU is another one: its variables may differ."""
    shutil.copytree(fmu.resources, tmp_path / "r")
    model = tmp_path / "r" / "model.xml"
    model.write_text(model.read_text().replace('mass="2"', 'mass="3"'))
    with pytest.raises(Refused, match="GUID"):
        Instance(fmu, uri=str(tmp_path / "r"))


# --- messages ---

NASTY = "%s%s%n%n%999999d\\n<&>"


def test_messages_are_no_format(fmu):
    with Instance(fmu, name=NASTY, logging=True) as instance:
        assert instance.Terminate() == ERROR
        assert instance.SetDebugLogging(1, 1, array(c_char_p, [NASTY.encode()])) == ERROR
        assert NASTY in instance.last_message()
        instance.start()
        assert instance.step(0.0, 0.1) == OK
        assert instance.formats == {b"%s"}
        assert {m.instance for m in instance.messages} == {NASTY.encode()}
    with pytest.raises(Refused, match="%s"):
        Instance(fmu, guid=NASTY)


def test_names_in_a_model_are_no_format(pack, tmp_path):
    fmu = pack(models.SLED)
    shutil.copytree(fmu.resources, tmp_path / "r")
    (tmp_path / "r" / "model.xml").write_text(
        tools.mechanism('<point_mass name="%s%n" mass="%n%s"/>'))
    with pytest.raises(Refused) as refused:
        Instance(fmu, uri=str(tmp_path / "r"))
    assert "%s%n" in str(refused.value) and "%n%s" in str(refused.value)


def test_name_is_copied(fmu):
    name = ctypes.create_string_buffer(b"first")
    messages = []
    logger = fmi2.Logger(lambda e, n, *rest: messages.append(n))
    callbacks = fmi2.Callbacks(logger, None, None, None, None)
    component = fmu.library.fmi2Instantiate(
        ctypes.cast(name, c_char_p), 1, fmu.guid.encode(), fmu.uri.encode(), byref(callbacks), 0, 0)
    name.value = b"other"
    assert fmu.library.fmi2Terminate(component) == ERROR
    assert messages == [b"first"]
    fmu.library.fmi2FreeInstance(component)


CATEGORIES = ["logError", "logStatusWarning", "logStatusDiscard", "logSolver", "logFmi2Call"]


def provoke(instance):
    """Something for each category, and nothing that is told whether its category is on or not but
    errors: a start in penetration, and a derivative that does not exist."""
    instance.Terminate()
    instance.SetupExperiment(1, 0.5, 0.0, 0, 0.0)
    instance.EnterInitializationMode()
    instance.set(sled__initial_y=-0.125)
    instance.ExitInitializationMode()
    instance.step(0.0, 0.1)
    assert instance.derivative("floor.normal_percussion")[0] == fmi2.DISCARD


def test_description_lists_the_categories(fmu):
    text = (fmu.directory / "modelDescription.xml").read_text()
    for name in CATEGORIES + ["logAll"]:
        assert f'<Category name="{name}"' in text


@pytest.mark.parametrize("chosen", CATEGORIES + ["logAll"])
def test_category(fmu, chosen):
    with Instance(fmu) as instance:
        assert instance.SetDebugLogging(1, 1, array(c_char_p, [chosen.encode()])) == OK
        instance.messages.clear()
        provoke(instance)
        seen = {m.category.decode() for m in instance.messages}
    expected = set(CATEGORIES) if chosen == "logAll" else {chosen, "logError"}
    assert seen == expected
    status = {"logError": fmi2.ERROR, "logStatusWarning": fmi2.WARNING,
              "logStatusDiscard": fmi2.DISCARD, "logSolver": OK, "logFmi2Call": OK}
    for message in instance.messages:
        assert message.status == status[message.category.decode()]
        assert message.environment == 0x5EED


def test_logging_off_and_on(fmu):
    with Instance(fmu) as instance:
        provoke(instance)
        assert {m.category for m in instance.messages} == {b"logError"}
    with Instance(fmu, logging=True) as instance:
        provoke(instance)
        assert {m.category.decode() for m in instance.messages} == set(CATEGORIES)
        assert instance.SetDebugLogging(0, 0, None) == OK
        n = len(instance.messages)
        instance.GetReal(None, 0, None)
        assert len(instance.messages) == n
        assert instance.SetDebugLogging(1, 1, None) == ERROR
        assert instance.SetDebugLogging(1, 1, array(c_char_p, [None])) == ERROR


def test_unknown_category_changes_nothing(fmu):
    with Instance(fmu) as instance:
        names = array(c_char_p, [b"logFmi2Call", b"logNothing"])
        assert instance.SetDebugLogging(1, 2, names) == ERROR
        assert "logNothing" in instance.last_message()
        instance.messages.clear()
        instance.start()
        assert instance.messages == []


# --- locale ---

def test_decimal_comma_in_the_host(fmu, comma_locale):
    """The host's locale is neither used nor changed: same numbers, messages with a point."""
    code = """
import locale, sys, fmi2
if sys.argv[2] == "comma":
    locale.setlocale(locale.LC_ALL, "")
    assert locale.localeconv()["decimal_point"] == ","
fmu = fmi2.Fmu(sys.argv[1])
with fmi2.Instance(fmu, logging=True) as instance:
    instance.start(push=14.5, explode=500.0, sled__initial_y=-0.125)
    instance.steps(0.0, 0.01, 10)
    instance.step(0.5, 0.25)
    instance.step(0.1, 0.9)
    print([instance.get(name).hex() for name in ("time", "sled.x", "sled.velocity_x")])
    for message in instance.messages:
        print(message.text)
    text = fmi2.c_char_p()
    instance.GetStringStatus(fmi2.PENDING_STATUS, fmi2.byref(text))
    print(text.value.decode())
    instance.Reset()
    instance.set(drag=0.5)
    instance.EnterInitializationMode()
    instance.ExitInitializationMode()
    print(instance.last_message())
if sys.argv[2] == "comma":
    assert locale.localeconv()["decimal_point"] == ","
"""
    comma = tools.python(code, fmu.directory, "comma", env=comma_locale)
    point = tools.python(code, fmu.directory, "point")
    assert "0.125 m" in point and "0.5 is not where" in point and "-0.5" in point
    assert comma == point


def test_null_arrays(fmu):
    with Instance(fmu) as instance:
        instance.start()
        before = instance.serialize()
        one = array(ctypes.c_uint, [fmu.reference("push")])
        value, order = byref(c_double()), byref(c_int(1))
        for call in [lambda: instance.GetReal(None, 1, value), lambda: instance.GetReal(one, 1, None),
                     lambda: instance.SetReal(None, 1, value), lambda: instance.SetReal(one, 1, None),
                     lambda: instance.GetInteger(one, 1, None),
                     lambda: instance.SetInteger(None, 1, None),
                     lambda: instance.GetBoolean(one, 1, None),
                     lambda: instance.SetBoolean(None, 1, None),
                     lambda: instance.GetString(one, 1, None),
                     lambda: instance.SetString(None, 1, None),
                     lambda: instance.SetRealInputDerivatives(one, 1, None, value),
                     lambda: instance.SetRealInputDerivatives(one, 1, order, None),
                     lambda: instance.GetRealOutputDerivatives(None, 1, order, value),
                     lambda: instance.GetDirectionalDerivative(one, 1, None, 1, value, value),
                     lambda: instance.GetDirectionalDerivative(one, 1, one, 1, None, value),
                     lambda: instance.GetDirectionalDerivative(one, 1, one, 1, value, None),
                     lambda: instance.GetFMUstate(None), lambda: instance.SetFMUstate(None),
                     lambda: instance.SerializedFMUstateSize(None, byref(c_size_t())),
                     lambda: instance.SerializeFMUstate(None, None, 0),
                     lambda: instance.DeSerializeFMUstate(None, 10, None),
                     lambda: instance.GetStatus(fmi2.DO_STEP_STATUS, None),
                     lambda: instance.GetRealStatus(fmi2.LAST_SUCCESSFUL_TIME, None),
                     lambda: instance.GetIntegerStatus(0, None),
                     lambda: instance.GetBooleanStatus(fmi2.TERMINATED, None),
                     lambda: instance.GetStringStatus(fmi2.PENDING_STATUS, None)]:
            n = len(instance.messages)
            assert call() == ERROR
            assert len(instance.messages) == n + 1
        assert instance.FreeFMUstate(None) == OK
        assert instance.serialize() == before
