"""The include graph of the sources against the table of docs/architecture.md.

A row of the table allows a folder to include from the folders it lists, from single headers it
lists (`elements/settings.h`), and, where it says "all above", from the folders of the rows above.
Every folder may include from itself and from `base`. What stands in parentheses is commentary.
"""

import re
from collections import defaultdict, namedtuple

import pytest

import tools

TABLE = tools.ROOT / "docs" / "architecture.md"
ROOTS = ("src", "fmi", "modelDescription")
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
    rules, above = {}, []
    for names, text in table_rows():
        plain = re.sub(r"\([^)]*\)", "", text).replace("`", "")
        folders, headers = {FOUNDATION}, set()
        for item in re.split(r"[,;]", plain):
            header = re.search(r"[\w/]+\.(?:h|inc)\b", item)
            if header:
                headers.add(header.group(0))
            elif "all above" in item:
                folders.update(above)
            else:
                folders.update(folder_name(word) for word in re.findall(r"[\w/]+", item)
                               if word != "and")
        for name in names:
            rules[name] = folders | {name}, headers
        above += names
    return rules


def sources():
    for root in ROOTS:
        for path in sorted((tools.ROOT / root).rglob("*")):
            if path.suffix in (".c", ".h", ".inc"):
                yield path


def edges():
    """Includes of the project's own files; third-party headers do not resolve and are left out."""
    for path in sources():
        for name in INCLUDE.findall(path.read_text()):
            for base in (path.parent, tools.ROOT / "src", tools.ROOT):
                target = base / name
                if target.is_file():
                    yield Edge(path, folder_of(target.resolve()), target.resolve())
                    break


def test_every_folder_is_in_the_table():
    known = set(allowed())
    assert {folder_of(path) for path in sources()} <= known
    listed = {folder for folders, _ in allowed().values() for folder in folders}
    assert listed <= known, "the table lists folders that have no row"


def test_no_include_against_the_table():
    rules = allowed()
    wrong = []
    n = 0
    for edge in edges():
        n += 1
        folders, headers = rules[folder_of(edge.source)]
        target = str(edge.target.relative_to(tools.ROOT))
        if edge.target_folder not in folders and not any(
                target == header or target.endswith("/" + header) for header in headers):
            wrong.append(f"{edge.source.relative_to(tools.ROOT)} includes {target}")
    assert n > 100, "includes are found at all"
    assert not wrong, "\n".join(wrong)


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
