"""Mechanisms made or changed in Python."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.sax.saxutils import quoteattr

from clatter._element import Element
from clatter._errors import ClatterError, ModelError, Problem, nearest
from clatter.elements import BODIES, WITH_VERTICES, Body, Elements, Vertices

NAMESPACE = "urn:clatter:model:1"


class Mechanism(Elements):
    """A mechanism as a tree of elements: made by its methods, one for each element of the model
    format, or read from a file. ``clatter.Model(mechanism)`` is what can be simulated.

    Elements are found by name, ``mechanism.find("ball.rim")``, and their attributes are those of
    the file: ``mechanism.find("ball")["mass"] = 2``.
    """

    def __init__(self, name: str, *, description: str | None = None, author: str | None = None,
                 version: str | None = None, materials: str | None = None) -> None:
        super().__init__("mechanism")
        #: where files that it names are looked for
        self.folder = Path()
        given = {"name": name, "description": description, "author": author, "version": version,
                 "materials": materials}
        self.update({key: value for key, value in given.items() if value is not None})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Mechanism:
        """From a model file; comments in it are lost. Whether it makes sense, the model tells."""
        try:
            root = ElementTree.parse(path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            line, column = getattr(error, "position", (0, 0))
            raise ModelError([Problem("error", os.fspath(path), line, column,
                                      f"the model cannot be read: {error}")]) from None
        if root.tag != f"{{{NAMESPACE}}}mechanism":
            raise ModelError([Problem("error", os.fspath(path), 0, 0,
                                      f"expected <mechanism xmlns=\"{NAMESPACE}\">")])
        mechanism = cls("")
        mechanism.folder = Path(path).parent
        mechanism._copy(root)
        return mechanism

    def _copy(self, source: ElementTree.Element) -> None:
        self._attributes = dict(source.attrib)
        copy_children(source, self)

    def find(self, name: str) -> Element:
        """The element of that name: "ball", "ball.rim", "ground", "solver"; in a part "leg.knee"."""
        named = {element.path: element for element in self.walk() if element is not self}
        try:
            return named[name]
        except KeyError:
            raise ClatterError(f"there is no element '{name}'{nearest(name, named)}") from None

    # --- as a file ---

    def to_xml(self) -> str:
        """The model file; each element has a line of its own."""
        return "\n".join(line for line, _ in self._lines()) + "\n"

    def write(self, path: str | os.PathLike[str]) -> Path:
        """Writes the model file. Files that it names are relative to it."""
        path = Path(path)
        path.write_text(self.to_xml(), encoding="utf-8")
        return path

    def _lines(self) -> list[tuple[str, Element]]:
        lines: list[tuple[str, Element]] = []
        add_lines(self, "", lines)
        return lines

    def _place(self, problem: Problem, file: str) -> Problem:
        """A problem of the file that to_xml makes is one of an element."""
        lines = self._lines()
        if problem.file != file or not 0 < problem.line <= len(lines):
            return problem
        element = repr(lines[problem.line - 1][1])
        return Problem(problem.severity, "", 0, 0, problem.message, element)


def copy_children(source: ElementTree.Element, target: Element) -> None:
    for child in source:
        if not isinstance(child.tag, str):  # a comment
            continue
        tag = child.tag.removeprefix(f"{{{NAMESPACE}}}")
        element = kind_of(tag, target)(tag, target)
        element._attributes = dict(child.attrib)
        target.children.append(element)
        copy_children(child, element)


def kind_of(tag: str, target: Element) -> type[Element]:
    """The class of an element that stands in another one."""
    if tag in BODIES or (tag == "repeat" and target.holds_shapes):
        return Body
    if tag in WITH_VERTICES or (tag == "repeat" and isinstance(target, Vertices)):
        return Vertices
    if tag == "part" or (tag == "repeat" and target.tag != "outputs"):
        return Elements
    return Element


def add_lines(element: Element, indent: str, lines: list[tuple[str, Element]]) -> None:
    attributes = "".join(f" {name}={quoteattr(value, ESCAPES)}" for name, value in element.items())
    if element.parent is None:
        attributes = f' xmlns="{NAMESPACE}"{attributes}'
    end = ">" if element.children else "/>"
    lines.append((f"{indent}<{element.tag}{attributes}{end}", element))
    for child in element.children:
        add_lines(child, indent + "  ", lines)
    if element.children:
        lines.append((f"{indent}</{element.tag}>", element))


ESCAPES = {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
