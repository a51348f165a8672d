"""One element of a mechanism: a tag, attributes, and the elements that stand in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any, TypeVar

from clatter._errors import ClatterError, nearest

#: A number, or an expression such as "2/5*mass*radius^2".
Number = float | int | str
#: Argument and value of each row of a table.
Rows = Sequence[tuple[float, float]]

Kind = TypeVar("Kind", bound="Element")


def to_text(value: Any) -> str:
    """A value as it stands in an attribute."""
    if isinstance(value, Element):
        return value.full_name
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, Iterable):
        return "; ".join(" ".join(to_text(part) for part in row) for row in value)
    return repr(float(value))


class Element(MutableMapping[str, str]):
    """An element; a mapping of its attributes, which may be read, set and deleted."""

    def __init__(self, tag: str, parent: Element | None = None) -> None:
        self.tag = tag
        self.parent = parent
        self.children: list[Element] = []
        self._attributes: dict[str, str] = {}

    def _add(self, tag: str, kind: type[Kind], values: dict[str, Any]) -> Kind:
        element = kind(tag, self)
        element.update({name: value for name, value in values.items()
                        if name != "self" and value is not None})
        self.children.append(element)
        return element

    # --- attributes ---

    def __getitem__(self, name: str) -> str:
        try:
            return self._attributes[name]
        except KeyError:
            raise ClatterError(f"{self!r} has no attribute '{name}'"
                               f"{nearest(name, self._attributes)}") from None

    def __setitem__(self, name: str, value: Any) -> None:
        self._attributes[name] = to_text(value)

    def __delitem__(self, name: str) -> None:
        self[name]  # tells if there is none
        del self._attributes[name]

    def __contains__(self, name: object) -> bool:
        return name in self._attributes

    def __iter__(self) -> Iterator[str]:
        return iter(self._attributes)

    def __len__(self) -> int:
        return len(self._attributes)

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    # --- its place ---

    @property
    def name(self) -> str:
        """Its name; the tag of what there is only once."""
        return self._attributes.get("name", self.tag)

    @property
    def full_name(self) -> str:
        """As other elements refer to it: "ball", "ball.rim"."""
        inside = self.parent is not None and self.parent.parent is not None
        return f"{self.parent.full_name}.{self.name}" if inside and self.parent else self.name

    def walk(self) -> Iterator[Element]:
        """Itself and all that stands in it, in the order of the file."""
        yield self
        for child in self.children:
            yield from child.walk()

    def remove(self) -> None:
        """Takes it out of the mechanism."""
        if self.parent is None or self not in self.parent.children:
            raise ClatterError(f"{self!r} stands in no mechanism")
        self.parent.children.remove(self)

    def __repr__(self) -> str:
        return f"<{self.tag} {self.full_name}>" if self.name != self.tag else f"<{self.tag}>"


#: An element, or its name: "ball", "ball.rim", "ground".
Reference = Element | str
