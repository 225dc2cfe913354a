"""The objects of a build, which are known by every name that they have had."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from kexplain.load.kustomize.nodes import Node
from kexplain.objects.pod_selection import parse_label_selector
from kexplain.objects.selectors import SelectorError
from kexplain.patterns import whole
from kexplain.tables import table

#: Kinds in no namespace as far as kustomize knows, which has the schemas of Kubernetes 1.21: any other is in one.
_WITHOUT_NAMESPACE = table("kustomize-without-namespace", dict[str, tuple[str, ...]])


class Resource(Struct):
    """An object, and the kinds, names and namespaces that it had before."""

    node: Node
    earlier: list[tuple[str, str, str]] = []

    @property
    def api_version(self) -> str:
        return self.node.text("apiVersion")

    @property
    def kind(self) -> str:
        return self.node.text("kind")

    @property
    def name(self) -> str:
        return self.node.text("metadata", "name")

    @property
    def namespace(self) -> str:
        """The namespace that it is in by now, as far as it names one."""
        return self.node.text("metadata", "namespace")

    @property
    def is_namespaced(self) -> bool:
        """Whether objects of its kind are in a namespace."""
        return self.kind not in _WITHOUT_NAMESPACE.get(self.api_version.rpartition("/")[0], ())

    @property
    def identities(self) -> list[tuple[str, str, str]]:
        """Kind, name and namespace, those of now first."""
        return [(self.kind, self.name, self.namespace), *self.earlier]

    def rename(self, steps: tuple[str, ...], value: Node) -> None:
        """Change its name or namespace, and keep what it was."""
        self.earlier.append(self.identities[0])
        self.node.put(steps, value)


def selector(target: Node) -> Callable[[Resource], bool]:
    """Whether a resource is one that a `target`, `select` or `source` means; texts are patterns for the whole name.

    Raises PatternError, NoEngineError.
    """
    patterns = {name: whole(target.text(name) or ".*") for name in ("kind", "name", "namespace")}
    group, version = target.text("group"), target.text("version")
    try:
        labels = parse_label_selector(target.text("labelSelector"))
        annotations = parse_label_selector(target.text("annotationSelector"))
    except SelectorError:
        return lambda _: False

    def selects(resource: Resource) -> bool:
        has_group, _, has_version = resource.api_version.rpartition("/")
        if (group and group != has_group) or (version and version != has_version):
            return False
        metadata = {name: _texts(resource.node.get("metadata", name)) for name in ("labels", "annotations")}
        if not labels.matches(metadata["labels"]) or not annotations.matches(metadata["annotations"]):
            return False
        return any(
            patterns["kind"](kind)
            and patterns["name"](name)
            and (not target.text("namespace") or patterns["namespace"](space))
            for kind, name, space in resource.identities
        )

    return selects


def identified(source: Node) -> Callable[[Resource], bool]:
    """Whether a resource has, or had, all that a source says: group, version, kind, name and namespace."""
    of_version = (source.text("group"), source.text("version"))
    wanted = (source.text("kind"), source.text("name"), source.text("namespace"))

    def is_meant(resource: Resource) -> bool:
        group, _, version = resource.api_version.rpartition("/")
        return _agrees(of_version, (group, version)) and any(_agrees(wanted, each) for each in resource.identities)

    return is_meant


def _agrees(wanted: Iterable[str], has: Iterable[str]) -> bool:
    return all(each in ("", there) for each, there in zip(wanted, has, strict=True))


def _texts(node: Node | None) -> dict[str, str]:
    return {key: str(each.held) for key, each in node.fields.items()} if node else {}


def same(resources: Iterable[Resource], api_version: str, kind: str, name: str, namespace: str) -> Resource | None:
    """The resource that is or was the very one that kustomize takes for it: without a namespace, one in `default`."""
    for resource in resources:
        known = [
            (*of, (space or "default") if resource.is_namespaced else namespace or "default")
            for *of, space in resource.identities
        ]
        if resource.api_version == api_version and (kind, name, namespace or "default") in known:
            return resource
    return None


def find(resources: Iterable[Resource], kind: str, name: str, namespace: str = "") -> Resource | None:
    """The resource of that kind that has or had the name."""
    for resource in resources:
        if any([kind, name] == known and namespace in ("", space) for *known, space in resource.identities):
            return resource
    return None
