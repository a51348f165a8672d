"""The include graph of the sources against the table of docs/architecture.md.

A row of the table allows a folder to include from the folders and the single headers
(`schemes/settings.h`) that it lists. Every folder may include from itself and from `base`. What
stands in parentheses is commentary.
"""

import re
from collections import defaultdict, namedtuple

import pytest

import tools

TABLE = tools.ROOT / "docs" / "architecture.md"
ROOTS = ("src", "fmi", "api", "modelDescription", "view")
FOUNDATION = "base"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)

Edge = namedtuple("Edge", "source target_folder target")  # files as paths from the root


def folder_name(text):
    """As the table calls it: src/ is left out."""
    return text.removeprefix("src/").strip("/ ")


def folder_of(path):
    parts = path.relative_to(tools.ROOT).parts
    return parts[1] if parts[0] == "src" else parts[0]


def table_rows():
    """(folders, text of "may include") of each row of the table with the head "folder"."""
    rows, inside = [], False
    for line in TABLE.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("| folder | knows | may include"):
            inside = True
        elif inside and not line.startswith("|"):
            break
        elif inside and not set(line) <= set("|-: "):
            names = [folder_name(name) for name in re.findall(r"`([^`]+)`", cells[0])]
            rows.append((names, cells[-1]))
    assert rows, "the table is gone"
    return rows


def allowed():
    """For each folder the folders and the single headers that it may include."""
    rules = {}
    for names, text in table_rows():
        plain = re.sub(r"\([^)]*\)", "", text).replace("`", "")
        folders, headers = {FOUNDATION}, set()
        for item in re.split(r"[,;]", plain):
            header = re.search(r"[\w/]+\.(?:h|inc)\b", item)
            if header:
                headers.add(header.group(0))
            else:
                folders.update(folder_name(word) for word in re.findall(r"[\w/]+", item))
        for name in names:
            rules[name] = folders | {name}, headers
    return rules


def sources():
    for root in ROOTS:
        for path in sorted((tools.ROOT / root).rglob("*")):
            if path.suffix in (".c", ".h", ".inc"):
                yield path


def edges():
    """Includes of the project's own files; third-party headers do not resolve and are left out."""
    for path in sources():
        yield from edges_of(path, path.read_text())


def edges_of(path, text):
    for name in INCLUDE.findall(text):
        for base in (path.parent, tools.ROOT / "src", tools.ROOT):
            target = base / name
            if target.is_file():
                yield Edge(path, folder_of(target.resolve()), target.resolve())
                break


def is_header(edge, header):
    target = str(edge.target.relative_to(tools.ROOT))
    return target == header or target.endswith("/" + header)


def is_allowed(edge, rules):
    folders, headers = rules[folder_of(edge.source)]
    return edge.target_folder in folders or any(is_header(edge, header) for header in headers)


def test_every_folder_is_in_the_table():
    known = set(allowed())
    assert {folder_of(path) for path in sources()} <= known
    listed = {folder for folders, _ in allowed().values() for folder in folders}
    assert listed <= known, "the table lists folders that have no row"


def test_no_include_against_the_table():
    rules = allowed()
    found = list(edges())
    assert len(found) > 100, "includes are found at all"
    wrong = [f"{edge.source.relative_to(tools.ROOT)} includes {edge.target.relative_to(tools.ROOT)}"
             for edge in found if not is_allowed(edge, rules)]
    assert not wrong, "\n".join(wrong)


def test_the_reader_sees_no_scheme_through_other_headers():
    """Followed through all includes, the element <solver> is all that it knows of the schemes."""
    includes = defaultdict(set)
    for edge in edges():
        includes[edge.source].add(edge.target)
    reached = set()
    ahead = {path for path in sources() if folder_of(path) == "reader"}
    while ahead:
        reached |= ahead
        ahead = {target for path in ahead for target in includes[path]} - reached
    names = {str(path.relative_to(tools.ROOT)) for path in reached if folder_of(path) == "schemes"}
    assert names == {"src/schemes/settings.h"}


@pytest.mark.parametrize("file, include, expected", [
    ("src/system/system.c", "solvers/contact_problem.h", False),
    ("src/solvers/contact_solver.c", "system/system.h", False),
    ("src/schemes/moreau_jean.c", "elements/bodies.h", False),
    ("src/reader/connect.c", "schemes/scheme.h", False),
    ("src/reader/connect.c", "simulation/simulation.h", False),
    ("src/cli/csv.c", "system/state.h", False),
    ("fmi/step.c", "modelDescription/documentation.h", False),
    ("src/reader/connect.c", "schemes/settings.h", True),
    ("src/contacts/delassus.c", "solvers/contact_solver.h", True),
])
def test_an_added_include_is_judged(file, include, expected):
    added = list(edges_of(tools.ROOT / file, f'#include "{include}"\n'))
    assert [is_allowed(edge, allowed()) for edge in added] == [expected]


def test_the_table_allows_no_more_than_is_used():
    found = list(edges())
    for folder, (folders, headers) in allowed().items():
        own = [edge for edge in found if folder_of(edge.source) == folder]
        unused = folders - {folder, FOUNDATION} - {edge.target_folder for edge in own}
        assert not unused, f"{folder} includes nothing from {unused}"
        for header in headers:
            assert any(is_header(edge, header) for edge in own), f"{folder} without {header}"


def strongly_connected(graph):
    """Groups of folders that include each other (Tarjan)."""
    index, low, stack, groups = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            groups.append(group)

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return [group for group in groups if len(group) > 1]


def test_no_cycle_between_folders():
    graph = defaultdict(set)
    for edge in edges():
        source = folder_of(edge.source)
        graph[edge.target_folder]  # a folder that includes nothing is a node, too
        if source != edge.target_folder:
            graph[source].add(edge.target_folder)
    assert strongly_connected(graph) == []


@pytest.mark.parametrize("graph, found", [
    ({"a": {"b"}, "b": set()}, []),
    ({"a": {"b"}, "b": {"a"}}, [["a", "b"]]),
    ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
])
def test_cycles_are_found(graph, found):
    assert strongly_connected(defaultdict(set, graph)) == found
