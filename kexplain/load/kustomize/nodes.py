"""Values that know where they were written, however many files an object is put together from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from kexplain.bounds import Budget
from kexplain.load.loaded import Mark, Origin


class RefusedError(Exception):
    """What kustomize does not carry out, and the node that asks for it."""

    def __init__(self, node: Node, problem: str) -> None:
        super().__init__(problem)
        self.node = node


class Node(Struct):
    """An object with its fields, a list with its items, or a scalar."""

    held: Any
    origin: Origin

    @classmethod
    def of(cls, value: Any, origin: Origin) -> Node:
        """A plain value that was read from one place, with nothing in it shared."""
        if isinstance(value, dict):
            return cls({key: cls.of(each, origin.below(key)) for key, each in value.items()}, origin)
        if isinstance(value, list):
            return cls([cls.of(each, origin.below(index)) for index, each in enumerate(value)], origin)
        return cls(value, origin)

    @classmethod
    def all_of(cls, value: Any, origin: Origin) -> Node:
        """A plain value all of which has one place, as nobody wrote it like that."""
        node = cls.of(value, origin)
        for each in node.walk():
            each.origin = origin
        return node

    def plain(self) -> Any:
        if isinstance(self.held, dict):
            return {key: each.plain() for key, each in self.held.items()}
        return [each.plain() for each in self.held] if isinstance(self.held, list) else self.held

    def copy(self, budget: Budget) -> Node:
        """The same, with nothing shared. Raises TooMuchError."""
        budget.spend()
        if isinstance(self.held, dict):
            return Node({key: each.copy(budget) for key, each in self.held.items()}, self.origin)
        if isinstance(self.held, list):
            return Node([each.copy(budget) for each in self.held], self.origin)
        return Node(self.held, self.origin)

    def walk(self) -> Iterator[Node]:
        """This node, and all within it."""
        yield self
        for each in self.fields.values() if isinstance(self.held, dict) else self.items:
            yield from each.walk()

    @property
    def fields(self) -> dict[str, Node]:
        """The fields; none if it is no object."""
        return self.held if isinstance(self.held, dict) else {}

    @property
    def items(self) -> list[Node]:
        """The items; none if it is no list."""
        return self.held if isinstance(self.held, list) else []

    def get(self, *steps: str) -> Node | None:
        """The field at the end of some steps, if it is there and not null."""
        node: Node | None = self
        for step in steps:
            node = node.fields.get(step) if node is not None else None
        return node if node is not None and node.held is not None else None

    def listed(self, *steps: str) -> list[Node]:
        """The items of a list at the end of some steps; none if it is not there."""
        node = self.get(*steps)
        return node.items if node is not None else []

    def text(self, *steps: str) -> str:
        """The text at the end of some steps; empty if there is none."""
        node = self.get(*steps)
        return str(node.held) if node is not None and isinstance(node.held, str | int | float) else ""

    def put(self, steps: Sequence[str], value: Node) -> None:
        """Set a field; objects on the way that are missing are made, in the place of the value.

        Nothing is set where something else is on the way.
        """
        node = self
        for step in steps[:-1]:
            if not isinstance(node.held, dict):
                return
            if (inner := node.held.get(step)) is None or inner.held is None:
                inner = node.held[step] = Node({}, value.origin)
            node = inner
        if isinstance(node.held, dict):
            node.held[steps[-1]] = value


class NodePlaces(Struct, eq=False):
    """Finds the values of an object that was put together."""

    _root: Node

    def value(self, path: Sequence[str | int]) -> Any:  # noqa: ARG002 - an object is no part of another
        return self._root.plain()

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:
        """The value at the path, or its nearest ancestor, in whatever file it was written."""
        node, is_there = self._root, True
        for step in path:
            inner = node.fields.get(step) if isinstance(step, str) else None
            if isinstance(step, int) and step < len(node.items):
                inner = node.items[step]
            is_there = inner is not None
            if inner is None:
                break
            node = inner
        mark = node.origin.mark(of_key=of_key and is_there)
        return mark._replace(source=node.origin.source, length=mark.length if is_there else 0)
