"""The time that `clatter check` takes grows in proportion to the model, whatever is right or wrong in
it: user times of one process at a size and at four times that size, compared with each other."""

import resource

import pytest

from tools import NAMESPACE, try_clatter

BODY = '<point_mass name="a" mass="1"/>'


def repeat(line, n, first=0):
    return "\n".join(line.format(i=i, before=i - 1, earlier=i - 2) for i in range(first, n))


# Each: what repeats, and how often in the smaller model.
FAMILIES = {
    "parameters in a chain": (lambda n: '<parameter name="p0" value="1"/>'
                              + repeat('<parameter name="p{i}" value="p{before}"/>', n, 1) + BODY,
                              20000),
    "parameters of two before them": (
        lambda n: '<parameter name="p0" value="0"/><parameter name="p1" value="1"/>'
        + repeat('<parameter name="p{i}" value="(p{before} + p{earlier})/2"/>', n, 2) + BODY,
        20000),
    "parameters that depend on all before": (
        lambda n: '<parameter name="s0" value="0"/>'
        + repeat('<parameter name="b{i}" value="1"/>'
                 '<parameter name="s{i}" value="s{before} + b{i}"/>', n, 1) + BODY, 10000),
    "parameters of bodies": (
        lambda n: repeat('<parameter name="p{i}" value="1"/>'
                         '<point_mass name="m{i}" mass="p{i}"/>', n), 10000),
    "wrong attributes": (
        lambda n: f'<point_mass name="a" mass="1" {repeat("""w{i}="1" """, n)}/>', 50000),
    "wrong names": (lambda n: repeat('<point_mass name="a{i}" mass="q{i}"/>', n), 15000),
    "wrong references": (lambda n: BODY + repeat('<force name="f{i}" on="b{i}" x="1"/>', n), 15000),
    "wrong outputs": (
        lambda n: BODY + f'<outputs>{repeat("""<output variable="b{i}.x"/>""", n)}</outputs>',
        20000),
    "redundant joints": (
        lambda n: repeat('<planar_body name="a{i}" mass="1" inertia="1"/>'
                         '<revolute name="r{i}" first="a{i}"/><revolute name="s{i}" first="a{i}"/>',
                         n), 3000),
}


def user_time(path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try_clatter("check", path)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


@pytest.mark.parametrize("family", FAMILIES)
def test_time_is_proportional_to_size(tmp_path, family):
    content, n = FAMILIES[family]
    paths = [tmp_path / "small.xml", tmp_path / "large.xml"]
    for path, size in zip(paths, (n, 4 * n)):
        path.write_text(f'<mechanism {NAMESPACE} name="m">\n{content(size)}\n</mechanism>')
    # proportion gives 4, the square 16; the least time that can be told is 10 ms. Single runs may
    # be slow on a busy machine: the best of three, or of more if these do not look right.
    best = [float("inf")] * 2
    for attempt in range(12):
        best = [min(time, user_time(path)) for time, path in zip(best, paths)]
        if attempt >= 2 and best[1] < 8 * max(best[0], 0.01):
            break
    assert best[1] < 8 * max(best[0], 0.01), best
    assert best[1] < 60


def test_limits_of_expressions(tmp_path):
    """4096 characters and 64 parentheses are taken, one more is told with its limit."""
    path = tmp_path / "m.xml"
    for text, reason in (
            ("1" + "+1" * 2047, None), ("1" + "+1" * 2048, "at most 4096 characters"),
            ("(" * 64 + "1" + ")" * 64, None),
            ("(" * 65 + "1" + ")" * 65, "nested more than 64 deep"),
            ("1" + "+(1" * 63 + ")" * 63, None)):
        path.write_text(f'<mechanism {NAMESPACE} name="m"><point_mass name="a" mass="{text}"/>'
                        '</mechanism>')
        done = try_clatter("check", path)
        assert done.returncode == (0 if reason is None else 1), done.stdout
        assert reason is None or reason in done.stdout
