"""Which of the files that are read belong to kustomizations, and what these come to."""

import os
from collections.abc import Iterator, Sequence
from itertools import chain

from kexplain.errors import Fault
from kexplain.load.kustomize.build import Builder, directories, is_component
from kexplain.load.kustomize.files import Files, joined, kustomization_of, named
from kexplain.load.kustomize.nodes import Node, NodePlaces
from kexplain.load.loaded import Segment
from kexplain.load.object_collector import ObjectCollector
from kexplain.load.text.source import Source
from kexplain.words import some

#: Fields whose files are objects also without the kustomization.
_OBJECTS = ("resources", "bases", "crds")


class KustomizationTree:
    """The kustomizations among some files.

    `files` are all that they name, which are no objects by themselves; `is_empty` is whether there are none.
    """

    def __init__(self, paths: Sequence[str], named_paths: Sequence[str]) -> None:
        self.reader = Files()
        self._builder = Builder(self.reader)
        found = dict.fromkeys(os.path.normpath(each) for path in paths if (each := kustomization_of(path)) is not None)
        found |= dict.fromkeys(each for path in named_paths if (each := self._patched_by(path)) is not None)
        self._settings = {each: node for each in found if (node := self.reader.settings(each)) is not None}
        every = [(*named(node, directory), node.origin.source) for directory, node in self._settings.items()]
        self.files = {*map(os.path.realpath, chain.from_iterable(every))}
        self.roots = [*self._roots()]
        self._surroundings = tuple(os.path.join(os.path.realpath(each), "") for each in self._settings)

    def _roots(self) -> Iterator[str]:
        """The kustomizations that are no part of others; of those that are parts of each other the first."""
        found = ((directory, directories(node, directory)) for directory, node in self._settings.items())
        parts = {os.path.realpath(directory): [*map(os.path.realpath, paths)] for directory, paths in found}
        whole = {each: node for each, node in self._settings.items() if not is_component(node)}
        inner = {part for found in parts.values() for part in found}
        reached = set[str]()
        # Only what is part of a circle is still to be reached the second time.
        for directories_left in ([each for each in whole if os.path.realpath(each) not in inner], [*whole]):
            for directory in directories_left:
                upcoming = [os.path.realpath(directory)]
                if upcoming[0] in reached:
                    continue
                yield directory
                while upcoming:
                    each = upcoming.pop()
                    if each not in reached:
                        reached.add(each)
                        upcoming += parts.get(each, ())

    def holds(self, source: Source) -> bool:
        """Whether a source belongs to a kustomization."""
        return source.path is not None and os.path.realpath(source.path) in self.files

    def surrounds(self, source: Source) -> bool:
        """Whether a source stands in the directory of a kustomization, or below it."""
        return source.path is not None and os.path.realpath(source.path).startswith(self._surroundings)

    def _patched_by(self, path: str) -> str | None:
        """The kustomization, beside a file or above it, that names it as something other than an object."""
        directory = os.path.dirname(path)
        for each in (directory, joined(directory or ".", "..")):
            settings = self.reader.settings(each or ".")
            if settings is None:
                continue
            others = Node({key: held for key, held in settings.fields.items() if key not in _OBJECTS}, settings.origin)
            if os.path.normpath(path) in named(others, each):
                return os.path.normpath(each or ".")
        return None

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with the files."""
        return self._builder.faults

    def build(self, directory: str, collector: ObjectCollector) -> None:
        """Make records of the objects of a kustomization."""
        for each in self._builder.build(directory):
            segment = Segment(directory, NodePlaces(each))
            collector.take(segment, each.plain(), ())
            collector.loaded.add(segment)

    def notes(self) -> Iterator[str]:
        """What was not built."""
        yield from dict.fromkeys((*self._builder.notes, *self._builder.asides))
        remote = list(dict.fromkeys(self._builder.remote))
        if remote:
            yield f"not read, as they are remote: {some(remote)}"
        alone = [each for each, node in self._settings.items() if is_component(node)]
        if alone and not self.roots:
            yield f"{some(alone)} not checked: a component means nothing without a kustomization that uses it"
