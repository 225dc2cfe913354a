"""Fields that kustomize changes: its own, and those that a kustomization declares in files of its `configurations`.

Source: kustomize `api/internal/plugins/builtinconfig.TransformerConfig`, `api/filters/fieldspec`,
`api/internal/konfig/builtinpluginconsts`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.resources import Resource
from kexplain.patterns import regex
from kexplain.tables import table

#: What of a configuration is built; variables are noted where they are declared.
BUILT = ("commonAnnotations", "commonLabels", "images", "labels", "nameReference", "namespace", "varReference")
_SLASH = regex(r"(?<!\\)/")
_ANY = ("", "*")


class FieldSpec(NamedTuple):
    """Where something stands in objects of a kind, of a group or a version if it names one; kept from being created."""

    path: str
    kind: str = ""
    group: str = ""
    version: str = ""
    creates: bool = False

    @classmethod
    def of(cls, declared: Node) -> FieldSpec:
        """As a kustomization says it."""
        path, kind, group, version = (declared.text(name) for name in ("path", "kind", "group", "version"))
        return cls(path, kind, group, version, declared.text("create") == "True")

    def is_for(self, resource: Resource) -> bool:
        """Whether it is one of an object like this."""
        group, _, version = resource.api_version.rpartition("/")
        asked = ((self.kind, resource.kind), (self.group, group), (self.version, version))
        return all(wanted in (*_ANY, has) for wanted, has in asked)


class FieldSpecs(Struct, frozen=True):
    """What was declared so far, by a kustomization and by those that it is made of."""

    declared: list[Node]

    def of(self, name: str) -> list[FieldSpec]:
        """The fields that are declared for a purpose."""
        return [FieldSpec.of(field) for each in self.declared for field in each.listed(name)]

    @property
    def unbuilt(self) -> list[str]:
        """The purposes that nothing is made of."""
        return sorted({name for each in self.declared for name in each.fields} - {*BUILT, "apiVersion", "kind"})

    def referring(self, kind: str) -> list[FieldSpec]:
        """The fields that hold names of objects of a kind."""
        named = (each for config in self.declared for each in config.listed("nameReference"))
        return [FieldSpec.of(field) for one in named if one.text("kind") == kind for field in one.listed("fieldSpecs")]


#: Its own fields, by what is done to them; that of NFS servers in CronJobs leads nowhere, as it does in kustomize.
BUILT_IN = table("kustomize-fields", dict[str, tuple[FieldSpec, ...]])
#: What is made of a value; None where it stays, as it may be changed itself.
Change = Callable[[Node], Node | None]


def change(
    resources: Iterable[Resource], field: FieldSpec, made: Change, missing: Callable[[], Node] | None = None
) -> None:
    """Put what is made of each value in place of it, where a field leads to one, or to one that is to be created."""
    steps = [step.replace("\\/", "/") for step in _SLASH.split(field.path)]
    for resource in resources:
        if field.is_for(resource):
            _change(resource.node, steps, made, missing if field.creates else None)


def _change(node: Node, steps: Sequence[str], made: Change, missing: Callable[[], Node] | None) -> None:
    for item in node.items:
        _change(item, steps, made, missing)
    if not isinstance(node.held, dict) or not steps:
        return
    step, *further = steps
    is_list, step = step.endswith("[]"), step.removesuffix("[]")
    inner = node.get(step)
    if inner is None and missing is not None and not is_list:
        inner = node.held[step] = Node({}, missing().origin) if further else missing()
    if inner is None:
        return
    if further:
        _change(inner, further, made, missing)
    elif isinstance(inner.held, list):
        inner.held[:] = [made(item) or item for item in inner.held]
    else:
        node.held[step] = made(inner) or inner
