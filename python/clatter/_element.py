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

    #: is it a body, or a repetition of its shapes?
    holds_shapes = False

    def __init__(self, tag: str, parent: Element | None = None) -> None:
        self.tag = tag
        self.parent = parent
        self.children: list[Element] = []
        self._attributes: dict[str, str] = {}

    def _add(self, tag: str, kind: type[Kind], values: dict[str, Any]) -> Kind:
        element = kind(tag, self)
        element._take(values)
        self.children.append(element)
        return element

    def _take(self, values: dict[str, Any]) -> None:
        """The arguments of a method as attributes; those of a part come together."""
        given = {**values, **values.get("parameters", {})}
        self.update({name: value for name, value in given.items()
                     if name not in ("self", "parameters") and value is not None})

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
        """As elements beside it refer to it: "ball", "ball.rim"; what is repeated means the one
        of the same repetition."""
        owner = self._owner()
        inside = owner is not None and owner.holds_shapes
        return f"{owner.full_name}.{self.name}" if owner and inside else self.name

    @property
    def path(self) -> str:
        """Its name in the whole mechanism: that of the part in which it stands is before it."""
        owner = self._owner()
        while owner is not None and owner.tag != "part":
            owner = owner._owner()
        return f"{owner.name}.{self.full_name}" if owner is not None else self.full_name

    def _owner(self) -> Element | None:
        """In what it stands, but for repetitions."""
        owner = self.parent
        while owner is not None and owner.tag == "repeat":
            owner = owner.parent
        return owner

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


class Container(Element):
    """What contains elements: of some of them there is one, which is changed, not added."""

    #: tags of these
    single: frozenset[str] = frozenset()

    def _add(self, tag: str, kind: type[Kind], values: dict[str, Any]) -> Kind:
        if tag == "output":  # outputs stand in an element of their own
            return self._single("outputs", Element)._add(tag, kind, values)
        if tag in self.single:
            element = self._single(tag, kind)
            element._take(values)
            return element
        return super()._add(tag, kind, values)

    def _single(self, tag: str, kind: type[Kind]) -> Kind:
        for child in self.children:
            if child.tag == tag and isinstance(child, kind):
                return child
        return super()._add(tag, kind, {})


#: An element, or its name: "ball", "ball.rim", "ground".
Reference = Element | str
