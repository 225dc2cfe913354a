"""The files that kustomizations name, each read once."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from kexplain.bounds import Budget
from kexplain.errors import Fault, InputError, fault_of
from kexplain.load.kustomize.nodes import Node
from kexplain.load.loaded import Mark, Origin
from kexplain.load.text.plain_values import PlainDocument, read_plain
from kexplain.load.text.source import KUSTOMIZATIONS, Source
from kexplain.load.text.yaml import parse, split
from kexplain.load.text.yaml_builder import YamlError
from kexplain.load.text.yaml_manifests import YamlPlaces
from kexplain.load.text.yaml_scalars import resolve, resolve_as_kustomize
from kexplain.objects.untrusted import at as value_at
from kexplain.tables import sections
from kexplain.words import clauses, did_you_mean

#: Fields that list files, and fields of what others list that do.
_SAID = sections("kustomization")
_LISTS_OF_FILES = _SAID["files"]
_FIELDS = (*_LISTS_OF_FILES, *_SAID["fields"])
_ENTRIES = [each.split(".") for each in _SAID["entries"]]
_LISTS = {*_LISTS_OF_FILES, *(each[0] for each in _ENTRIES), "buildMetadata", "images", "labels", "replicas", "vars"}
_TEXTS = ("kind", "apiVersion", "namePrefix", "nameSuffix", "namespace")
_VERSIONS = {"Kustomization": "v1beta1", "Component": "v1alpha1"}
#: The names of all fields, which Go reads in any case.
_NAMES = {name.lower(): name for name in (*_FIELDS, *_SAID["within"])}
#: Maps whose keys are anything.
_FREE = _SAID["free"]
#: What a kustomization comes to, with all that is copied on the way.
MAX_VALUES = 1_000_000
_GROUP = "kustomize.config.k8s.io/"


class _EmbeddedPlaces(Struct, eq=False):
    """Places in a text within a text."""

    _document: PlainDocument

    def mark(self, path: Sequence[str | int], *, of_key: bool = False) -> Mark:  # noqa: ARG002 - see Places
        """The value at the path, or its nearest ancestor."""
        return Mark(*self._document.locate(path), 0)

    def value(self, path: Sequence[str | int]) -> Any:
        return value_at(self._document.value, *path)


_OUTSIDE = "outside of the kustomization that names it: kustomize takes --load-restrictor LoadRestrictionsNone for that"


class Files:
    """Reads files; what is wrong with them is kept once."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self.faults: dict[Fault, None] = {}
        self._documents: dict[str, list[Node]] = {}
        #: For what is made of them; whoever builds kustomizations renews it for each.
        self.budget = Budget(MAX_VALUES, "values")
        #: The directories of kustomizations, with what is below them.
        self._roots: set[str] = set()
        self._kustomizations: set[str] = set()

    def read(self, path: str) -> bytes:
        """The bytes of a file, as they are. Raises InputError."""
        roots = (_root(os.path.dirname(path)),) if path in self._kustomizations else tuple(self._roots)
        if not os.path.lexists(path):
            raise fault_of(path, "no such file or directory")
        if not os.path.realpath(path).startswith(roots):
            # Whoever writes a kustomization must not make reports repeat other files of the machine that reads it.
            raise fault_of(path, _OUTSIDE)
        source = self.sources.setdefault(path, Source(path, path))
        content = bytes(source.read(unpacks=False))
        source.forget()
        return content

    def named(self, directory: str, entry: Node) -> list[Node]:
        """The documents of a file that a kustomization names there; a fault at that place if there is no such file."""
        path = joined(directory, str(entry.held))
        if os.path.lexists(path):
            return self.documents(path)
        self.lack(entry, path)
        return []

    def lack(self, entry: Node, path: str) -> None:
        """Note a file that is named and not there."""
        self.refuse(entry, f"it names {path}, which is not there")

    def refuse(self, node: Node, problem: str) -> None:
        """Note what is wrong at the place of a node."""
        mark = node.origin.mark()
        self.faults[Fault(node.origin.source, mark.line, mark.column, "", problem)] = None

    def documents(self, path: str) -> list[Node]:
        """The documents of a file, to be changed at will; of Lists the items. None of what cannot be read."""
        if path not in self._documents:
            try:
                self._documents[path] = [*self._parsed(path)]
            except InputError as error:
                self._documents[path] = []
                self.faults |= dict.fromkeys(error.faults)
        return [each.copy(self.budget) for each in self._documents[path]]

    def _parsed(self, path: str) -> Iterator[Node]:
        text = self.read(path)
        # Its own settings kustomize reads as kubectl reads manifests.
        read = resolve if path in self._kustomizations else resolve_as_kustomize
        for chunk in split(text):
            try:
                if isinstance(chunk, YamlError):
                    raise chunk
                value = parse(text[chunk.start : chunk.end], chunk.first_line, resolve=read).value
            except YamlError as error:
                self.faults[Fault(path, error.line, error.column, "", error.message)] = None
                continue
            if value is not None:
                node = Node.of(value, Origin(path, YamlPlaces(self.sources[path], chunk), ()))
                is_list = node.text("kind").endswith("List") and node.get("items") is not None
                yield from node.listed("items") if is_list else [node]

    def embedded(self, node: Node) -> Node | None:
        """What the text of a node holds; None where that is no YAML."""
        try:
            document = read_plain(node.origin.source)[0].embedded(node.origin.path)
        except InputError as error:
            self.faults |= dict.fromkeys(error.faults)
            return None
        return Node.of(document.value, Origin(node.origin.source, _EmbeddedPlaces(document), ()))

    def settings(self, directory: str) -> Node | None:
        """The kustomization of a directory; None if there is none."""
        for name in KUSTOMIZATIONS:
            path = os.path.normpath(os.path.join(directory, name))
            if os.path.isfile(path):
                self._kustomizations.add(path)
                found = self.documents(path)
                version = found[0].text("apiVersion") if found else "none"
                if version and not version.startswith(_GROUP):
                    return None
                self._roots.add(_root(directory))
                settings = _in_their_case(found[0])
                for key in (each for each in settings.fields if each not in _FIELDS):
                    mark = settings.origin.below(key).mark(of_key=True)
                    problem = clauses(f"{key} is no field of a kustomization", did_you_mean(key, _FIELDS))
                    self.faults[Fault(path, mark.line, mark.column, "", problem)] = None
                self._check_form(settings)
                return settings
        return None

    def _check_form(self, settings: Node) -> None:
        """Note fields of a form, and a kind or version, that kustomize does not read."""
        for key, node in settings.fields.items():
            if (key in _LISTS and not isinstance(node.held, list | None)) or (
                key in _TEXTS and isinstance(node.held, dict | list)
            ):
                self.refuse(node, f"{key} has to be a {'list' if key in _LISTS else 'text'}")
        for key, node in (pair for entry in settings.listed("images") for pair in entry.fields.items()):
            # Of 1.20 YAML makes a number, which has lost its last digit.
            if not isinstance(node.held, str | None):
                self.refuse(node, f"{key} has to be a text: put it in quotes")
        kind, version = settings.text("kind") or "Kustomization", settings.text("apiVersion")
        known = _GROUP + _VERSIONS.get(kind, "")
        if kind not in _VERSIONS:
            self.refuse(settings.fields["kind"], clauses(f"{kind} is no kustomization", did_you_mean(kind, _VERSIONS)))
        elif version not in ("", known):
            self.refuse(settings.fields["apiVersion"], f"the apiVersion of a {kind} is {known}")


def _in_their_case(node: Node) -> Node:
    """The same node, with the fields of a kustomization named as its type names them."""
    if isinstance(node.held, dict):
        node.held = {_NAMES.get(str(key).lower(), key): each for key, each in node.held.items()}
    for key, each in (*node.fields.items(), *(("", item) for item in node.items)):
        if key not in _FREE or each.items:
            _in_their_case(each)
    return node


def _root(directory: str) -> str:
    return os.path.join(os.path.realpath(directory), "")


def kustomization_of(path: str) -> str | None:
    """The directory of a kustomization that a file is; None if it is called otherwise."""
    directory, name = os.path.split(path)
    return (directory or ".") if name in KUSTOMIZATIONS else None


def joined(directory: str, name: str) -> str:
    """A path that a kustomization names, as the process finds it."""
    return os.path.normpath(os.path.join(directory, name))


def texts(nodes: Iterable[Node]) -> list[str]:
    """The texts among them."""
    return [held for each in nodes if isinstance(held := each.held, str)]


def named(settings: Node, directory: str) -> set[str]:
    """Every file that a kustomization names, in a field that takes the names of files."""
    listed = [entry for field in _LISTS_OF_FILES for entry in settings.listed(field)]
    listed += [each for outer, inner in _ENTRIES for entry in settings.listed(outer) for each in _in(entry, inner)]
    listed += _in(settings, "openapi", "path")
    paths = (joined(directory, text.rpartition("=")[2]) for text in texts(listed) if "\n" not in text)
    return {path for path in paths if os.path.isfile(path)}


def _in(entry: Node, *steps: str) -> list[Node]:
    """The texts at the end of some steps, of which there may be one or a list."""
    found = entry.get(*steps)
    return (found.items or [found]) if found is not None else []
