"""From plain values to records: flattens Lists, recognizes kinds, collects faults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, cast

import msgspec

from kexplain.errors import Fault
from kexplain.load.kindless_lists import guessed, is_stored, nameless_items
from kexplain.load.loaded import COUNT_LIMIT, FAULT_LIMIT, Loaded, Segment
from kexplain.load.record_types import is_custom, is_of_others, item_kind, record_for
from kexplain.objects.core import Node, Pod
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.json_values import found
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Path, path_text

_NAMES = ("apiVersion", "kind")


class Identity(NamedTuple):
    """What an object says it is, or, for an item of a typed list, what the list says it is."""

    api_version: str
    kind: str

    def __str__(self) -> str:
        return f"{self.api_version}/{self.kind}"

    def is_list(self, value: dict[str, Any]) -> bool:
        """Whether an object of this kind is a list of objects; a kind may also just be called so."""
        return self == ("v1", "List") or (self.kind.endswith("List") and "items" in value)

    def of_items(self) -> Identity | None:
        """What the items of this list are if they do not say so themselves."""
        kind = item_kind(self.kind)
        return Identity(self.api_version, kind) if kind else None


#: Called with every object of any kind: its segment, path, identity, value, and the record that it became.
Listener = Callable[[Segment, Path, Identity, dict[str, Any], KubernetesObject | None], None]


class ObjectCollector:
    """Collects what is read from several texts, and everything that is wrong with them.

    With a listener, everything is read by way of plain values.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self.loaded = Loaded()
        self.faults: list[Fault] = []
        self.uncounted = 0
        #: How many of the faults say only that a value is not a Kubernetes object, and does not look like one.
        self.foreign = 0
        #: Whether some text is no YAML, or no JSON.
        self.has_broken_text = False
        self.listener = listener

    @property
    def count_of_faults(self) -> int:
        """How many faults there are, those that are only counted among them."""
        return len(self.faults) + self.uncounted

    @property
    def is_full(self) -> bool:
        """Whether there are so many faults that nothing more is read."""
        return self.uncounted >= COUNT_LIMIT

    def fault(self, segment: Segment, base: Path, path: Path, message: str) -> None:
        """Note a fault at a path of the object at a base path of a document."""
        if len(self.faults) >= FAULT_LIMIT:
            self.uncounted += 1
            return
        mark = segment.places.mark((*base, *path))
        self.faults.append(Fault(mark.source or segment.source, mark.line, mark.column, path_text(path), message))

    def text_fault(self, source: str, line: int, column: int, message: str) -> None:
        """Note a fault of a text itself."""
        self.has_broken_text = True
        if len(self.faults) >= FAULT_LIMIT:
            self.uncounted += 1
        else:
            self.faults.append(Fault(source, line, column, "", message))

    def absorb(self, other: ObjectCollector) -> None:
        """Take in what another collector has collected."""
        self.loaded.absorb(other.loaded)
        room = max(FAULT_LIMIT - len(self.faults), 0)
        self.faults += other.faults[:room]
        self.uncounted += other.uncounted + len(other.faults[room:])
        self.foreign += other.foreign
        self.has_broken_text = self.has_broken_text or other.has_broken_text

    def take(self, segment: Segment, value: object, path: Path, default: Identity | None = None) -> None:
        """Take in a plain value: an object, or a List with all that it holds."""
        if default is None and self._take_nameless(segment, value, path):
            return
        if not isinstance(value, dict):
            self.foreign += 1
            self.fault(segment, path, (), f"expected an object, found {found(value)}")
            return
        identity = self.identify(segment, value, path, default)
        if identity is None:
            return
        if identity.is_list(value):
            self.take_items(segment, value.get("items"), path, identity.of_items())
            return
        made = self._made(segment, value, path, identity)
        for obj in made:
            self.keep(segment, obj, path)
        if self.listener is None:
            return
        heard: Sequence[KubernetesObject | None] = made or [None]
        for each in heard:
            # A role is looked at as if it were a workload of its own.
            shown = {**value, "spec": msgspec.to_builtins(each.spec)} if isinstance(each, CustomWorkload) else value
            self.listener(segment, path, identity, shown, each if each is None or each.is_read else None)

    def _made(
        self, segment: Segment, value: dict[str, Any], path: Path, identity: Identity
    ) -> Sequence[KubernetesObject]:
        """The record of an object; of a kind that has none, the workloads that it stands for, if it makes pods."""
        record = record_for(*identity)
        if record is not None and not is_of_others(identity.api_version):
            try:
                return [msgspec.convert(value, record)]
            except (msgspec.ValidationError, RecursionError):
                # Nearly all objects fit.
                from kexplain.load.decoding import fit  # noqa: PLC0415

                obj, problems = fit(value, record)
            for each in problems:
                self.fault(segment, path, each.path, each.message)
            return [] if obj is None else [obj]
        made: Sequence[KubernetesObject] = ()
        if record is not None:
            # What another project wrote counts if it has the form that it should have.
            with suppress(msgspec.ValidationError, RecursionError):
                made = [msgspec.convert(value, record)]
        elif is_custom(identity.api_version):
            # Few inputs have such kinds.
            from kexplain.load.other_resources import read_as_others  # noqa: PLC0415

            made = read_as_others(*identity, value, with_status=self.listener is None)
        if not made:
            self.loaded.passed_over[str(identity)] += 1
        return made

    def _take_nameless(self, segment: Segment, value: object, path: Path) -> bool:
        """Take in the items of a list that does not say of what; False, with nothing taken in, if that is not clear."""
        items = nameless_items(value)
        if items is None:
            return False
        told = [guessed(item, segment.source) for item in items]
        if not all(each or item.get("kind") for item, each in zip(items, told, strict=True)):
            return False
        within = path if isinstance(value, list) else (*path, "items")
        for index, (item, each) in enumerate(zip(items, told, strict=True)):
            self.take(segment, item, (*within, index), Identity(*each) if each else None)
        return True

    def keep(self, segment: Segment, obj: KubernetesObject, path: Path) -> None:
        """Add a record to its segment, if it has what scheduling cannot do without."""
        if not obj.is_read:
            self.loaded.passed_over[f"{obj.api_version or 'v1'}/{obj.kind}"] += 1
            return
        self.check_name(segment, obj, path)
        cast("list[KubernetesObject]", segment.objects).append(obj)
        if segment.paths is None:
            segment.paths = []
        segment.paths.append(path)

    def check_name(self, segment: Segment, obj: KubernetesObject, path: Path) -> None:
        """Note a fault where a pod or a node has no name."""
        if isinstance(obj, Pod | Node) and not (obj.metadata.name or obj.metadata.generate_name):
            kind = "pod" if isinstance(obj, Pod) else "node"
            self.fault(segment, path, ("metadata", "name"), f"a {kind} needs a name or a generateName")

    def take_items(self, segment: Segment, items: object, path: Path, default: Identity | None) -> None:
        """Take in the items of a list; the default says what those are that do not say so themselves."""
        if items is None:
            return
        if not isinstance(items, list):
            self.fault(segment, path, ("items",), f"expected a list, found {found(items)}")
            return
        for index, item in enumerate(items):
            if self.is_full:
                return
            self.take(segment, item, (*path, "items", index), default)

    def identify(
        self, segment: Segment, value: dict[str, Any], path: Path, default: Identity | None
    ) -> Identity | None:
        """What an object says it is; None, and a fault, if it does not."""
        inherited = default or (is_stored(value) and guessed(value, segment.source)) or (None, None)
        told = {name: value.get(name) or instead for name, instead in zip(_NAMES, inherited, strict=True)}
        api_version, kind = told.values()
        if isinstance(api_version, str) and isinstance(kind, str):
            return Identity(api_version, kind)
        before = self.count_of_faults
        if not any(told.values()):
            self.fault(segment, path, (), "neither apiVersion nor kind: this is not a Kubernetes object")
        else:
            for name, part in told.items():
                if not part:
                    self.fault(segment, path, (), f"no {name}: this is not a Kubernetes object")
                elif not isinstance(part, str):
                    self.fault(segment, path, (name,), f"expected a string, found {found(part)}")
        if "metadata" not in value or is_stored(value):
            self.foreign += self.count_of_faults - before
        return None
