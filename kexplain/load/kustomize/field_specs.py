"""Fields that a kustomization declares in files of its `configurations`: where names, namespaces and labels stand.

Source: kustomize `api/internal/plugins/builtinconfig.TransformerConfig`, `api/filters/fieldspec`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.resources import Resource
from kexplain.patterns import regex

#: What of a configuration is built; variables are noted where they are declared.
BUILT = ("commonAnnotations", "commonLabels", "images", "nameReference", "namespace", "varReference")
_SLASH = regex(r"(?<!\\)/")
_ANY = ("", "*")


class FieldSpecs(Struct, frozen=True):
    """What was declared so far, by a kustomization and by those that it is made of."""

    declared: list[Node]

    def of(self, name: str) -> Iterator[Node]:
        """The fields that are declared for a purpose."""
        for each in self.declared:
            yield from each.listed(name)

    @property
    def unbuilt(self) -> list[str]:
        """The purposes that nothing is made of."""
        return sorted({name for each in self.declared for name in each.fields} - {*BUILT, "apiVersion", "kind"})

    def referring(self, kind: str) -> list[Node]:
        """The fields that hold names of objects of a kind."""
        named = (each for each in self.of("nameReference") if each.text("kind") == kind)
        return [field for each in named for field in each.listed("fieldSpecs")]


NO_FIELDS = FieldSpecs([])


def is_for(field: Node, resource: Resource) -> bool:
    """Whether a field is one of an object like this."""
    group, _, version = resource.api_version.rpartition("/")
    asked = {"kind": resource.kind, "group": group, "version": version}
    return all(field.text(name) in (*_ANY, has) for name, has in asked.items())


#: What is made of a value; None where it stays, as it may be changed itself.
Change = Callable[[Node], Node | None]


def change(resources: Iterable[Resource], field: Node, made: Change, missing: Callable[[], Node] | None = None) -> None:
    """Put what is made of each value in place of it, where a field leads to one, or to one that is to be created."""
    steps = [step.replace("\\/", "/").removesuffix("[]") for step in _SLASH.split(field.text("path"))]
    for resource in resources:
        if is_for(field, resource):
            _change(resource.node, steps, made, missing if field.text("create") == "True" else None)


def _change(node: Node, steps: Sequence[str], made: Change, missing: Callable[[], Node] | None) -> None:
    for item in node.items:
        _change(item, steps, made, missing)
    if not isinstance(node.held, dict) or not steps:
        return
    step, *further = steps
    inner = node.get(step)
    if inner is None and missing is not None:
        inner = node.held[step] = Node({}, missing().origin) if further else missing()
    if inner is None:
        return
    if further:
        _change(inner, further, made, missing)
    elif isinstance(inner.held, list):
        inner.held[:] = [made(item) or item for item in inner.held]
    else:
        node.held[step] = made(inner) or inner
