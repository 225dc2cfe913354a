"""The objects of a kustomization: resources, bases, components, generators, patches, and what is done to all of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial

from kexplain.bounds import TOO_DEEP, Budget, is_too_deep
from kexplain.errors import Fault, InputError, MissingLibraryError, TooMuchError
from kexplain.load.kustomize.field_specs import FieldSpecs
from kexplain.load.kustomize.files import MAX_VALUES, Files, joined, texts
from kexplain.load.kustomize.generators import generate
from kexplain.load.kustomize.nodes import Node, RefusedError
from kexplain.load.kustomize.patches import is_built_in, merge, operate
from kexplain.load.kustomize.replacements import replace
from kexplain.load.kustomize.resources import Resource, find, same, selector
from kexplain.load.kustomize.transformations import follow_earlier_names, is_scaled, scale_and_rename, transform
from kexplain.load.kustomize.variables import Variable, fill_in, variable
from kexplain.patterns import PatternError, regex
from kexplain.tables import sections

#: As many values as it takes to go through a kustomization without any objects.
_DIRECTORY = 100
#: A patch itself, where the name of a file may stand, too.
_IS_INLINE = regex(r"[\n:{\[]")
_REMOTE = regex(r"^[a-z+]+://|^git@|\?ref=|^(github|gitlab|bitbucket)\.(com|org)[/:]")
#: Fields that are not built; each may add objects or change them.
_NOT_BUILT = sections("kustomization")["not built"]


def is_component(settings: Node) -> bool:
    """Whether a kustomization is a part of others only."""
    return settings.text("kind") == "Component"


def directories(settings: Node, directory: str) -> list[str]:
    """The directories of the kustomizations that another one is made of."""
    entries = [entry for field in ("resources", "bases", "components") for entry in texts(settings.listed(field))]
    return [path for entry in entries if os.path.isdir(path := joined(directory, entry))]


class Builder:
    """Builds kustomizations out of the same files; `remote` and `notes` say what is missing.

    What keeps kustomize from building one is a fault, unless what is missing may be all that it lacks.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self.remote: list[str] = []
        self.notes: list[str] = []
        #: What kustomize passes over.
        self.asides: list[str] = []
        self._variables: list[Variable] = []
        #: How much was missing before the kustomization that is built now.
        self._missing_before = 0

    @property
    def faults(self) -> list[Fault]:
        """What is wrong with the files."""
        return [*self._files.faults]

    def build(self, directory: str) -> list[Node]:
        """The objects of the kustomization of a directory."""
        self._files.budget = Budget(MAX_VALUES, "values")
        self._variables = []
        self._missing_before = len(self.remote) + len(self.notes)
        try:
            found = [resource.node for resource in self._whole(directory)]
            for pairs in filter(None, (node.get("metadata", "annotations") for node in found)):
                # As texts they come out, whatever goes in.
                for each in pairs.fields.values():
                    if not isinstance(each.held, str | dict | list):
                        each.held = "" if each.held is None else json.dumps(each.held)
        except TooMuchError as error:
            found, problem = [], error.message
        except RecursionError:
            found, problem = [], TOO_DEEP
        else:
            deep = [node for node in found if is_too_deep(node.plain())]
            found, problem = ([], TOO_DEEP) if deep else (found, "")
        if problem:
            self._files.faults[Fault(directory, 0, 0, "", problem)] = None
        return found

    def _whole(self, directory: str) -> list[Resource]:
        declared: list[Node] = []
        found = self._accumulated(directory, None, [], {}, declared)
        follow_earlier_names(found, FieldSpecs(declared))
        if self._variables:
            missing = [*fill_in(found, self._variables, FieldSpecs(declared))]
            self.notes += [f"{directory}: there is nothing for the variable $({name})" for name in missing]
        return found

    def _accumulated(
        self,
        directory: str,
        entry: Node | None,
        into: list[Resource],
        above: Mapping[str, str],
        declared: list[Node],
        *,
        is_part: bool = False,
    ) -> list[Resource]:
        """What is there already, with the resources of a kustomization, and changed by it as a whole.

        The entry of another one names it. What it declares of fields is added to what is declared there already.
        """
        real = os.path.realpath(directory)
        if real in above:
            source = [*above.values()][-1]
            message = f"leads back to {directory}: kustomize refuses a kustomization that is a part of itself"
            self._files.faults[Fault(source, 1, 1, "", message)] = None
            return into
        settings = self._files.settings(directory)
        if settings is None:
            if entry is not None:
                self._files.refuse(entry, f"{directory} has no kustomization that can be built")
            return into
        if entry is not None and is_component(settings) is not is_part:
            self._deny(entry, f"{directory} is {'no' if is_part else 'a'} Component")
        above = {**above, real: settings.origin.source}
        self._files.budget.spend(_DIRECTORY)
        for each in settings.listed("configurations"):
            declared += self._files.named(directory, each)
        fields = FieldSpecs(declared)
        missing = [field for field in _NOT_BUILT if settings.get(field) is not None]
        if settings.listed("configurations"):
            missing += [f"{field} of configurations" for field in fields.unbuilt]
        if missing:
            self.notes.append(f"{settings.origin.source}: {', '.join(missing)} not built")
        self._add_named(settings, directory, into, above, declared)
        self._check_identities(into)
        generate(into, settings, partial(self._content, directory), self._deny)
        self._transform(into, settings, directory, fields)
        self._variables += [variable(each, into) for each in settings.listed("vars")]
        return into

    def _deny(self, node: Node, problem: str) -> None:
        """Note what kustomize refuses, unless what is missing may be all that it lacks."""
        if not self._is_partial:
            self._files.refuse(node, f"{problem}: kustomize refuses that")

    def _add_named(
        self, settings: Node, directory: str, into: list[Resource], above: Mapping[str, str], declared: list[Node]
    ) -> None:
        """Add the objects that a kustomization names, and let its components change all of them."""
        for field in ("resources", "bases", "components"):
            for each in settings.listed(field):
                path = joined(directory, str(each.held))
                if _REMOTE.search(str(each.held)):
                    self.remote.append(str(each.held))
                elif field == "components":
                    self._accumulated(path, each, into, above, declared, is_part=True)
                elif os.path.isdir(path):
                    into += self._accumulated(path, each, [], above, declared)
                else:
                    into += map(Resource, self._objects(directory, each))

    def _objects(self, directory: str, entry: Node) -> list[Node]:
        found = self._files.named(directory, entry)
        for each in found:
            kind = each.text("kind")
            if not (kind and (kind.endswith("List") or each.text("metadata", "name"))):
                self._deny(each, f"an object without {'name' if kind else 'kind'}")
        return found

    def _content(self, directory: str, node: Node, name: str, *, is_secret: bool) -> bytes | None:
        """A file that a generator names; None, and a note, if it is not there: those of secrets are often elsewhere."""
        path = joined(directory, name)
        with suppress(InputError):
            return self._files.read(path)
        if is_secret and not os.path.lexists(path):
            self.notes.append(f"{node.origin.source}: without {path}, kustomize does not build this")
        elif not os.path.lexists(path):
            self._files.lack(node, path)
        return None

    def _check_identities(self, resources: list[Resource]) -> None:
        """Note every object that is there twice, which kustomize refuses."""
        seen: set[tuple[str, ...]] = set()
        for each in resources:
            kind, name, namespace = each.identities[0]
            identity = (each.api_version, kind, name, namespace or "default")
            if identity in seen and each.name:
                self._files.refuse(each.node, f"{each.kind} {each.name} is there twice: kustomize refuses that")
            seen.add(identity)

    def _transform(self, resources: list[Resource], settings: Node, directory: str, fields: FieldSpecs) -> None:
        for entry in settings.listed("patchesStrategicMerge"):
            for patch in self._patches(entry, directory, is_file=not _IS_INLINE.search(str(entry.held))):
                self._patch(resources, patch, None)
        for entry in settings.listed("patches"):
            self._patch_all(resources, entry, directory)
        transform(resources, settings, fields)
        self._check_identities(resources)
        for entry in settings.listed("patchesJson6902"):
            if not entry.text("target", "name"):
                self._deny(entry, "a patch among patchesJson6902 needs a target with a name")
            self._patch_all(resources, entry, directory)
        self._check_replicas(resources, settings)
        scale_and_rename(resources, settings, fields)
        for entry in settings.listed("replacements"):
            path = entry.get("path")
            listed = self._files.named(directory, path) if path is not None else [entry]
            for each in listed:
                for replacement in each.items or [each]:
                    try:
                        replace(resources, replacement, self._files.budget)
                    except RefusedError as error:
                        self._deny(error.node, str(error))
                    except (PatternError, MissingLibraryError) as error:
                        self._refuse(replacement, error)

    def _check_replicas(self, resources: list[Resource], settings: Node) -> None:
        for entry in settings.listed("replicas"):
            if not any(is_scaled(each, entry) for each in resources):
                self._deny(entry, f"there is no workload {entry.text('name')} to scale")

    def _patch_all(self, resources: list[Resource], entry: Node, directory: str) -> None:
        is_file, target = entry.get("path") is not None, entry.get("target")
        source = entry.get("path") or entry.get("patch")
        if source is None or (is_file and entry.get("patch") is not None):
            self._deny(entry, f"a patch with {'neither' if source is None else 'both'} path and patch")
        patches = self._patches(source, directory, is_file=is_file) if source is not None else []
        if target is not None and len(patches) > 1:
            self._deny(entry, f"{len(patches)} patches with one target")
        for patch in patches:
            if not (isinstance(patch.held, list) or (patch.text("kind") and patch.text("metadata", "name"))):
                self._deny(source or entry, "a patch without kind and name, which it needs even beside a target")
            self._patch(resources, patch, target, entry.get("options"))

    def _patches(self, entry: Node, directory: str, *, is_file: bool) -> list[Node]:
        """The patches in a file that is named, or in a text itself."""
        if not is_file:
            patch = self._files.embedded(entry)
            return [patch] if patch is not None else []
        return [] if _REMOTE.search(str(entry.held)) else self._files.named(directory, entry)

    def _patch(self, resources: list[Resource], patch: Node, target: Node | None, options: Node | None = None) -> None:
        is_list = isinstance(patch.held, list)
        chosen = self._chosen(resources, patch, target)
        if not chosen and not self._is_partial:
            self._miss(patch, target, resources)
        for resource in chosen:
            before = resource.identities[0]
            try:
                patched = (
                    operate(resource.node, patch, self._files.budget)
                    if is_list
                    else merge(resource.node, patch, kind=resource.kind, has_keys=is_built_in(resource.api_version))
                )
            except RefusedError as error:
                self._files.refuse(error.node, f"kustomize cannot patch {resource.kind} {resource.name}: {error}")
                continue
            if patched is None:
                resources.remove(resource)
                continue
            if not is_list:
                _keep_identity(resource.node, patched, options or Node({}, patch.origin))
            resource.node = patched
            if resource.identities[0] != before:
                resource.earlier.append(before)

    @property
    def _is_partial(self) -> bool:
        """Whether the kustomization that is built now lacks something."""
        return len(self.remote) + len(self.notes) > self._missing_before

    def _miss(self, patch: Node, target: Node | None, resources: Sequence[Resource]) -> None:
        """Say that there is nothing that a patch is for: kustomize passes over it only where it has a target."""
        named = target or Node({**patch.fields, **(at.fields if (at := patch.get("metadata")) else {})}, patch.origin)
        name = f"{named.text('kind') or 'object'} {named.text('name')}"
        if target is None:
            other = _instead(named, find(resources, named.text("kind"), named.text("name")))
            self._files.refuse(
                named.get("name") or patch, f"there is no {name} to patch{other}: kustomize refuses that"
            )
        elif target.text("name"):
            mark = target.origin.mark()
            self.asides.append(f"{target.origin.source}:{mark.line}: there is no {name}, which a patch is for")

    def _chosen(self, resources: list[Resource], patch: Node, target: Node | None) -> list[Resource]:
        """What a patch is for."""
        try:
            return list(filter(selector(target) if target is not None else _same(patch), resources))
        except (PatternError, MissingLibraryError) as error:
            self._refuse(target or patch, error)
            return []

    def _refuse(self, node: Node, error: PatternError | MissingLibraryError) -> None:
        """Note that a selection cannot be made; only the author of an expression can do something about it."""
        if isinstance(error, MissingLibraryError):
            self.notes.append(f"{node.origin.source}: {error}, so that a selection is left out; {error.hint}")
        else:
            self._files.refuse(node, f"no pattern: {error}")


def _keep_identity(before: Node, patched: Node, options: Node) -> None:
    """Whatever a patch says, what it is for keeps its namespace, and its kind and name unless options allow others."""
    kept: list[tuple[str, ...]] = [("metadata", "namespace")]
    kept += [("metadata", "name")] if options.text("allowNameChange") != "True" else []
    kept += [("apiVersion",), ("kind",)] if options.text("allowKindChange") != "True" else []
    for *above, field in kept:
        if (own := before.get(*above, field)) is not None:
            patched.put((*above, field), own)
        elif (metadata := patched.get(*above)) is not None:
            metadata.fields.pop(field, None)


def _same(patch: Node) -> Callable[[Resource], bool]:
    kind, name, namespace = patch.text("kind"), patch.text("metadata", "name"), patch.text("metadata", "namespace")
    return lambda resource: same([resource], patch.text("apiVersion"), kind, name, namespace) is not None


def _instead(named: Node, other: Resource | None) -> str:
    """What is there under the same kind and name, where a patch is for another version or namespace."""
    if other is None:
        return ""
    if other.api_version != named.text("apiVersion"):
        return f", only one of {other.api_version}"
    return f", only one in namespace {other.namespace or 'default'}"
