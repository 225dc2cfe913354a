"""A JSON Patch applied to YAML as text: only the lines concerned change, and comments stay where they are."""

import json
from collections.abc import Sequence
from typing import Any

import yaml

from kexplain.load.json_patch import Operation, operate, steps_of

#: Reads as pyyaml's own does, marks included, in a hundredth of the time.
_LOADER = yaml.CSafeLoader
#: A text is read anew for each operation: so many characters in all are read, which no manifest of people comes near.
_MOST_READ = 4 << 20


def edited(text: str, line: int, patch: Sequence[Operation]) -> str | None:
    """The text with the document that begins at a line (from 1) changed; None where that takes more than some lines.

    What comes out is read again: it is exactly what the patch makes of the document, or None.
    """
    if len(text) * len(patch) > _MOST_READ:
        return None
    try:
        number = _document_at(text, line)
        wanted = [_unshared(each) for each in yaml.load_all(text, _LOADER)]
        for operation in patch:
            text = _Document(text, number).apply(operation)
            wanted[number] = _applied(wanted[number], operation)
        return text if list(yaml.load_all(text, _LOADER)) == wanted else None
    except (yaml.YAMLError, LookupError, ValueError):
        return None


def document_at(text: str, line: int) -> Any:
    """What the document that begins at a line holds. Raises LookupError if there is none, YAMLError as pyyaml does."""
    return list(yaml.load_all(text, _LOADER))[_document_at(text, line)]


def _document_at(text: str, line: int) -> int:
    starts = [node.start_mark.line + 1 for node in yaml.compose_all(text, Loader=_LOADER)]
    return max((index for index, start in enumerate(starts) if start <= line), default=0)


class _Document:
    """One document, as text with marks."""

    def __init__(self, text: str, number: int) -> None:
        self._text = text
        self._root = list(yaml.compose_all(text, Loader=_LOADER))[number]

    def apply(self, operation: Operation) -> str:
        """The whole text after the operation. Raises LookupError on what is not there."""
        *parents, last = steps_of(operation["path"])
        parent = self._root
        for part in parents:
            parent = _child(parent, part)[1]
        if not isinstance(parent, yaml.CollectionNode):
            raise LookupError(last)  # noqa: TRY004 (there is nothing of that name in it)
        if operation["op"] == "remove":
            return self._without(parent, last)
        value = operation["value"]
        if isinstance(parent, yaml.SequenceNode):
            return self._appended(parent, value) if last == "-" else self._replaced(parent.value[int(last)], value)
        known = [node for key, node in parent.value if key.value == last]
        return self._replaced(known[0], value) if known else self._added(parent, last, value)

    def _replaced(self, node: yaml.Node, value: Any) -> str:
        if _is_block(node):
            raise LookupError
        start, end = node.start_mark.index, node.end_mark.index
        # An empty value has nothing to replace, and stands right behind its colon.
        space = " " if start == end else ""
        is_quoted = isinstance(node, yaml.ScalarNode) and node.style == '"' and isinstance(value, str)
        return f"{self._text[:start]}{space}{json.dumps(value) if is_quoted else inline(value)}{self._text[end:]}"

    def _added(self, parent: yaml.CollectionNode, key: str, value: Any) -> str:
        if _is_block(parent):
            return self._inserted(parent, yaml.safe_dump({key: value}, sort_keys=False, width=1000))
        return self._inside(parent, f"{inline(key)}: {inline(value)}")

    def _appended(self, parent: yaml.SequenceNode, value: Any) -> str:
        if _is_block(parent):
            return self._inserted(parent, yaml.safe_dump([value], sort_keys=False, width=1000))
        return self._inside(parent, inline(value))

    def _inside(self, parent: yaml.CollectionNode, piece: str) -> str:
        """Before the bracket that closes a flow collection."""
        end = parent.end_mark.index - 1
        before = self._text[:end].rstrip()
        return f"{before}{', ' if parent.value else ''}{piece}{self._text[end:]}"

    def _inserted(self, parent: yaml.CollectionNode, block: str) -> str:
        """Behind the last line of a block collection, as far to the right as its first."""
        indent = " " * parent.start_mark.column
        lines = "".join(f"{indent}{line}\n" for line in block.splitlines())
        end = self._end_of_lines(parent)
        gap = "" if self._text[:end].endswith("\n") else "\n"
        return f"{self._text[:end]}{gap}{lines}{self._text[end:]}"

    def _without(self, parent: yaml.CollectionNode, last: str) -> str:
        place, node = _child(parent, last)
        if len(parent.value) == 1:
            start = parent.start_mark.index
            empty = "{}" if isinstance(parent, yaml.MappingNode) else "[]"
            if not _is_block(parent):
                return f"{self._text[:start]}{empty}{self._text[parent.end_mark.index :]}"
            line = self._text.rindex("\n", 0, start)
            return f"{self._text[:line].rstrip()} {empty}\n{self._text[self._end_of_lines(parent) :]}"
        if not _is_block(parent):
            starts = [(each[0] if isinstance(each, tuple) else each).start_mark.index for each in parent.value]
            index = starts.index(place.start_mark.index)
            if index + 1 < len(starts):
                return self._text[: starts[index]] + self._text[starts[index + 1] :]
            return self._text[: starts[index]].rstrip().removesuffix(",") + self._text[node.end_mark.index :]
        line = self._text.rfind("\n", 0, place.start_mark.index) + 1
        lead = self._text[line : place.start_mark.index].strip()
        if lead not in ("", "-") or (lead == "-") != isinstance(parent, yaml.SequenceNode):
            raise LookupError
        return self._text[:line] + self._text[self._end_of_lines(node) :]

    def _end_of_lines(self, node: yaml.Node) -> int:
        """Where the line behind the last one of a node begins."""
        while _is_block(node) and node.value:
            node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
        end = node.end_mark.index
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
            return end
        found = self._text.find("\n", end)
        return len(self._text) if found < 0 else found + 1


def _is_block(node: yaml.Node) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _child(parent: yaml.Node, part: str) -> tuple[yaml.Node, yaml.Node]:
    """Where an entry begins, and its value."""
    if isinstance(parent, yaml.SequenceNode):
        item = parent.value[int(part)]
        return item, item
    found = [(key, value) for key, value in parent.value if key.value == part]
    return found[0]


def inline(value: Any) -> str:
    """A value within a line."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10**6).removesuffix("\n...\n").strip()
    return text if "\n" not in text else json.dumps(value)


def _unshared(value: Any) -> Any:
    """A copy in which nothing stands in two places, as it does where an alias is read."""
    if isinstance(value, dict):
        return {key: _unshared(each) for key, each in value.items()}
    return [*map(_unshared, value)] if isinstance(value, list) else value


def _applied(value: Any, operation: Operation) -> Any:
    """The patch on plain values, to compare with what was written: in a list, `add` stands for its end only."""
    operate(value, operation)
    return value
