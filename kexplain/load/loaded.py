"""What loading hands over: the objects, where each stands, and what was passed over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from kexplain.errors import Fault
from kexplain.grouping import grouped
from kexplain.load.record_types import is_custom
from kexplain.objects.collection import Objects
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Path, path_steps, path_text
from kexplain.words import plural, some, verb

#: More faults than these are counted only: each has to be found in its text.
FAULT_LIMIT = 100
#: Nor are they counted beyond this: an input with so many faults is the wrong input.
COUNT_LIMIT = 1_000
#: So many kinds that were not listed are named.
_MOST_NAMED = 6
#: More warnings than these are counted only.
WARNING_LIMIT = 100


class Mark(NamedTuple):
    """Line and column from 1, and how many characters of that line are meant; 0 where it is not one word.

    Zeros if the text is gone: a pipe, or a file that has changed. `source` is named where an object is put together
    from several files.
    """

    line: int
    column: int
    length: int
    source: str = ""


NOWHERE = Mark(0, 0, 0)


class Places(Protocol):
    """Finds values of one text in it."""

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:
        """The value at the path, or its nearest ancestor; where asked for, the key that the value stands behind."""

    def value(self, path: Sequence[str | int]) -> Any:
        """The plain value at the path, read once more; None if the text is gone."""


class Nowhere:
    """Places of objects that come from no text that a user could open."""

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:  # noqa: ARG002 - see Places
        return NOWHERE

    def value(self, path: Sequence[str | int]) -> Any:  # noqa: ARG002 - see Places
        return None


class Origin(Struct, frozen=True):
    """Where an object was read from."""

    source: str
    places: Places
    path: Path

    def locate(self, path: Sequence[str | int] = ()) -> tuple[int, int]:
        """Line and column from 1 of a value of the object, or of its nearest ancestor.

        Zeros if the text is gone: a pipe, or a file that has changed.
        """
        return self.mark(path)[:2]

    def value(self) -> Any:
        """The object as plain values, read once more; None if the text is gone."""
        return self.places.value(self.path)

    def below(self, *steps: str | int) -> Origin:
        """Where a value within it is."""
        return Origin(self.source, self.places, (*self.path, *steps))

    def mark(self, path: Sequence[str | int] = (), *, of_key: bool = False) -> Mark:
        """A value of the object, or its nearest ancestor; see `Places`."""
        return self.places.mark((*self.path, *path), of_key=of_key)


class Segment(Struct):
    """Objects that were read from one document, in order, and the path of each within it.

    Without paths, they are the items of a list, all of them.
    """

    source: str
    places: Places
    objects: list[KubernetesObject] | Objects = msgspec.field(default_factory=list)
    paths: list[Path] | None = None

    def origin(self, index: int) -> Origin:
        """Where the object at an index stands."""
        return Origin(self.source, self.places, self.path(index))

    def path(self, index: int) -> Path:
        """The path of the object at an index within its document."""
        return ("items", index) if self.paths is None else self.paths[index]


class Unlisted(Struct, frozen=True):
    """A kind that an API server did not list: its name for kubectl, why not, and what cannot be considered then."""

    kind: str = ""
    resource: str = ""
    reason: str = ""
    purpose: str = ""


class Loaded:
    """Objects in reading order, Lists flattened, and what else there was to notice.

    `passed_over` counts objects of other kinds by `apiVersion/kind`; `warnings` are what strict reading refuses, those
    beyond WARNING_LIMIT being counted in `more_warnings`. `notes` and `unlisted` say what could not be read of a live
    cluster, and `server_version` is its release, such as v1.36.1; of the kinds in `listed` it has no other objects than
    these. All four come out of snapshots, too. `empty` are the files that hold no object at all, `foreign` those of
    directories that hold something else.
    """

    def __init__(self) -> None:
        self.objects = Objects()
        self.passed_over: Counter[str] = Counter()
        self.warnings: list[Fault] = []
        self.more_warnings = 0
        self.notes: list[str] = []
        self.unlisted: list[Unlisted] = []
        self.empty: list[str] = []
        self.foreign: list[str] = []
        #: Files of a dump that are damaged.
        self.in_part: list[str] = []
        self.server_version = ""
        self.is_redacted = False
        self.listed: set[type[KubernetesObject]] = set()
        #: What was given together with nodes, as one input.
        self.beside_nodes: set[type[KubernetesObject]] = set()
        self._segments: list[Segment] = []
        #: Of so many segments: manifests are mostly the first, and a large dump behind them is not asked for.
        self._searched = 0
        self._slot_by_id: dict[int, tuple[Segment, int]] = {}

    @property
    def count(self) -> int:
        """How many objects were read, passed over or not."""
        return len(self.objects) + self.passed_over.total()

    @property
    def foreign_note(self) -> str | None:
        """Which files were passed over; None if none were."""
        return f"ignored, as they hold no Kubernetes objects: {some(self.foreign)}" if self.foreign else None

    def passed_over_notes(self) -> Iterator[str]:
        """What is of no concern to scheduling, and what of other projects may be, but was not understood."""
        # Each node has a lease, which nobody hands over on purpose.
        own = {kind: count for kind, count in self.passed_over.items() if not (_may_matter(kind) or "/Lease" in kind)}
        if own:
            kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(own.items()))
            yield f"ignored, as scheduling does not depend on them: {kinds}"
        yield from self.not_looked_into()

    def not_looked_into(self) -> Iterator[str]:
        """The resources of which nobody knows whether they make pods, or keep them out, in a line."""
        found = {kind: count for kind, count in sorted(self.passed_over.items()) if _may_matter(kind)}
        if found:
            kinds = some([f"{count} {kind}" for kind, count in found.items()], _MOST_NAMED)
            yield f"{plural(sum(found.values()), 'object')} of {plural(len(found), 'kind')} not looked into: {kinds}"

    def add(self, segment: Segment) -> None:
        """Take in the objects of one document."""
        self.objects += segment.objects
        self._segments.append(segment)

    def drop_repeated(self) -> None:
        """Keep of objects that an API server gave the same identity only the first, and note that."""
        seen: dict[str, KubernetesObject] = {}
        kept = []
        for obj in self.objects:
            uid = obj.metadata.uid
            # Where a dump was made anonymous, all may have one.
            if not uid or (first := seen.setdefault(uid, obj)) is obj or first.key != obj.key:
                kept.append(obj)
        if len(kept) < len(self.objects):
            twice = len(self.objects) - len(kept)
            self.notes.append(f"{plural(twice, 'object')} {verb(twice, 'is')} listed more than once")
            self.objects = Objects(kept)

    def warn(self, warning: Fault) -> None:
        if len(self.warnings) < WARNING_LIMIT:
            self.warnings.append(warning)
        else:
            self.more_warnings += 1

    def origin(self, obj: KubernetesObject) -> Origin:
        """Where an object of this load was read from; it is known by identity.

        Raises KeyError for an object that was not read here.
        """
        key = id(obj)
        while key not in self._slot_by_id and self._searched < len(self._segments):
            segment = self._segments[self._searched]
            self._searched += 1
            held = segment.objects.others if isinstance(segment.objects, Objects) else segment.objects
            self._slot_by_id |= {id(obj): (segment, index) for index, obj in enumerate(held)}
        if key not in self._slot_by_id:
            for segment in self._segments:
                stored = segment.objects.stored if isinstance(segment.objects, Objects) else None
                made = stored.rows.made if stored else {}
                self._slot_by_id |= {id(obj): (segment, row) for row, obj in made.items()}
        segment, index = self._slot_by_id[key]
        return segment.origin(index)

    def __add__(self, other: Loaded) -> Loaded:
        """Both loads put together, the left one first."""
        both = Loaded()
        both.absorb(self)
        both.absorb(other)
        return both

    def absorb(self, other: Loaded) -> None:
        """Take in all that another load holds."""
        # Not those of its segments: repeated ones may have been dropped.
        self.objects += other.objects
        self._segments += other._segments
        self.passed_over += other.passed_over
        for warning in other.warnings:
            self.warn(warning)
        self.more_warnings += other.more_warnings
        self.notes += other.notes
        self.empty += other.empty
        self.foreign += other.foreign
        self.in_part += other.in_part
        self.unlisted += other.unlisted
        self.listed |= other.listed
        self.beside_nodes |= other.beside_nodes
        self.server_version = self.server_version or other.server_version
        self.is_redacted |= other.is_redacted


def unlisted_notes(unlisted: Iterable[Unlisted]) -> Iterator[str]:
    """A line for each reason why kinds were not listed: which, and what cannot be considered without them."""
    for reason, kinds in grouped((each.reason, each) for each in unlisted).items():
        names = some([*dict.fromkeys(each.resource for each in kinds)], _MOST_NAMED)
        yield f"{reason} {names}: {'; '.join(dict.fromkeys(each.purpose for each in kinds))} could not be considered"


def not_shown(count: int) -> str | None:
    """A hint at faults beyond the limit; None if there are none."""
    if not count:
        return None
    return f"{count} more faults are not shown" if count < COUNT_LIMIT else f"over {count} more faults are not shown"


def fault(loaded: Loaded, obj: KubernetesObject, path: Sequence[str | int] | str, message: str) -> Fault:
    """A fault at a path of a loaded object, placed in the file that it came from."""
    steps = path_steps(path) if isinstance(path, str) else tuple(path)
    origin = loaded.origin(obj)
    mark = origin.mark(steps)
    return Fault(mark.source or origin.source, mark.line, mark.column, path_text(steps), message)


def _may_matter(kind: str) -> bool:
    """Whether objects of an `apiVersion/kind` that is not read may make pods, or refuse them as webhooks do."""
    return is_custom(kind.rpartition("/")[0]) or kind.startswith("admissionregistration.k8s.io/")
