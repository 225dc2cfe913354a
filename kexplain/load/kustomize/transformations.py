"""What a kustomization does to every object: names, namespaces, labels, images, replicas.

Source: kustomize `api/internal/konfig/builtinpluginconsts`, for the fields that each of them changes.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from kexplain.grouping import grouped
from kexplain.load.kustomize.field_specs import BUILT_IN, FieldSpec, FieldSpecs, change
from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.patches import is_built_in
from kexplain.load.kustomize.resources import Resource, find
from kexplain.patterns import regex
from kexplain.tables import table

_OF_CLAIMS = FieldSpec("spec/volumeClaimTemplates[]/metadata/labels", "StatefulSet", creates=True)
_SCALED = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
_NOT_PREFIXED = ("APIService", "CustomResourceDefinition", "Namespace")
_IMAGE = regex(r"(?P<name>[^@]*?)(?P<tag>:[^:@/]*)?(?P<digest>@.*)?")
#: Fields of Kubernetes' own kinds that name an object, by the field around them (empty for any), with its kind.
_REFERENCES = {(near, field): kind for kind, near, field in table("kustomize-references", list[tuple[str, str, str]])}
#: Objects that name another by its kind and name.
_REFERRERS = ("roleRef", "scaleTargetRef", "subjects")


def transform(resources: Sequence[Resource], settings: Node, fields: FieldSpecs) -> None:
    """Names, namespaces, labels and annotations, in kustomize's order; `fields` are further ones that have them."""
    if (namespace := settings.get("namespace")) is not None:
        _set_namespace(resources, namespace)
        for field in (*BUILT_IN["namespace"], *fields.of("namespace")):
            change(resources, field, lambda _: namespace, lambda: namespace)
    _add_to_names(resources, settings, fields)
    for entry in settings.listed("labels"):
        _put_all(resources, entry.get("pairs"), _of_labels(entry, fields))
    selecting = (*BUILT_IN["selectors"], *BUILT_IN["labels"], _OF_CLAIMS, *fields.of("commonLabels"))
    _put_all(resources, settings.get("commonLabels"), selecting)
    annotated = (*BUILT_IN["annotations"], *fields.of("commonAnnotations"))
    _put_all(resources, settings.get("commonAnnotations"), annotated)


def scale_and_rename(resources: Sequence[Resource], settings: Node, fields: FieldSpecs) -> None:
    """Replicas and images."""
    for entry in settings.listed("replicas"):
        for resource in resources:
            if is_scaled(resource, entry):
                resource.node.put(("spec", "replicas"), entry.get("count") or Node(0, entry.origin))
    _rename_images(resources, settings.listed("images"), fields)


def is_scaled(resource: Resource, entry: Node) -> bool:
    """Whether an entry of `replicas` is for a resource."""
    return resource.kind in _SCALED and entry.text("name") in [name for _, name, _ in resource.identities]


def _of_labels(entry: Node, fields: FieldSpecs) -> Iterator[FieldSpec]:
    """The fields that one of the entries of `labels` is for."""
    selects, templates, claims = (
        entry.text(f"include{what}") == "True" for what in ("Selectors", "Templates", "VolumeClaimTemplates")
    )
    yield from (FieldSpec.of(each) for each in entry.listed("fields"))
    yield from fields.of("labels")
    yield from (*BUILT_IN["selectors"], *fields.of("commonLabels")) if selects else ()
    yield from BUILT_IN["labels"] if selects or templates else BUILT_IN["labels"][:1]
    yield from [_OF_CLAIMS] if selects or claims else ()


def _put_all(resources: Sequence[Resource], added: Node | None, fields: Iterable[FieldSpec]) -> None:
    if added is not None:
        for field in fields:
            change(resources, field, partial(_with_all, added), lambda: Node({}, added.origin))


def _rename_images(resources: Sequence[Resource], images: Sequence[Node], fields: FieldSpecs) -> None:
    for resource in resources:
        _set_images(resource.node, images)
    for entry in images:
        for field in fields.of("images"):
            change(resources, field, partial(_image_as, entry))


def _with_all(added: Node, pairs: Node) -> None:
    for key, value in added.fields.items():
        pairs.put((key,), value)


def _set_namespace(resources: Sequence[Resource], namespace: Node) -> None:
    for resource in resources:
        if resource.kind == "Namespace" and resource.api_version == "v1":
            resource.rename(("metadata", "name"), namespace)
        elif resource.is_namespaced:
            resource.rename(("metadata", "namespace"), namespace)
    for resource in resources:
        for webhook in resource.node.listed("webhooks"):
            service = webhook.get("clientConfig", "service")
            if service is None or service.get("namespace") is None:
                continue
            if find(resources, "Service", service.text("name"), service.text("namespace")) is not None:
                service.put(("namespace",), namespace)
        for subject in resource.node.listed("subjects"):
            name = subject.text("name")
            if subject.text("kind") == "ServiceAccount" and (
                name == "default" or find(resources, "ServiceAccount", name)
            ):
                subject.put(("namespace",), namespace)


def _add_to_names(resources: Sequence[Resource], settings: Node, fields: FieldSpecs) -> None:
    prefix, suffix = settings.text("namePrefix"), settings.text("nameSuffix")
    if not prefix and not suffix:
        return
    new_names: dict[tuple[str, str], str] = {}
    for resource in resources:
        old = resource.node.get("metadata", "name")
        if old is None or resource.kind in _NOT_PREFIXED:
            continue
        new = f"{prefix}{old.held}{suffix}"
        new_names[resource.kind, str(old.held)] = new
        resource.rename(("metadata", "name"), Node(new, old.origin))
    _repoint(resources, new_names, fields)


def follow_earlier_names(resources: Sequence[Resource], fields: FieldSpecs) -> None:
    """Have references say the name of now where they say an earlier one, as a patch may that came after the prefix.

    Where several objects had that name, or one has it now, nothing is changed.
    """
    every = (((kind, name), each.name) for each in resources for kind, name, _ in each.identities)
    names = {named: set(found) for named, found in grouped(every).items()}
    new_names = {named: found.pop() for named, found in names.items() if len(found) == 1 and named[1] not in found}
    _repoint(resources, new_names, fields)


def _repoint(resources: Sequence[Resource], new_names: dict[tuple[str, str], str], fields: FieldSpecs) -> None:
    for node in (each.node for each in resources if is_built_in(each.api_version)):
        _follow(node, None, new_names)
    for kind in dict.fromkeys(kind for kind, _ in new_names):
        for field in fields.referring(kind):
            change(resources, field, partial(_new_name, kind, new_names))


def _new_name(kind: str, new_names: dict[tuple[str, str], str], name: Node) -> Node | None:
    new = new_names.get((kind, name.held)) if isinstance(name.held, str) else None
    return None if new is None else Node(new, name.origin)


def _follow(node: Node, around: str | None, new_names: dict[tuple[str, str], str]) -> None:
    """Have references say the new names."""
    if around in _REFERRERS:
        _refer(node, "name", (node.text("kind"), node.text("name")), new_names)
    for key, inner in node.fields.items():
        if kind := _REFERENCES.get((around or "", key)) or _REFERENCES.get(("", key)):
            _refer(node, key, (kind, str(inner.held)), new_names)
        _follow(node.fields[key], key, new_names)
    for item in node.items:
        _follow(item, around, new_names)


def _refer(node: Node, key: str, named: tuple[str, str], new_names: dict[tuple[str, str], str]) -> None:
    if named in new_names and key in node.fields:
        node.fields[key] = Node(new_names[named], node.fields[key].origin)


# ------------------------------------------------------------------------------------------------------ images


def _set_images(node: Node, images: Sequence[Node]) -> None:
    """Change the images of all containers, wherever they are."""
    for name in ("containers", "initContainers") if images else ():
        for container in node.listed(name):
            for entry in images:
                image = container.get("image")
                new = _image_as(entry, image) if image is not None else None
                if new is not None:
                    container.put(("image",), new)
    for inner in (*node.fields.values(), *node.items):
        if images and isinstance(inner.held, dict | list):
            _set_images(inner, images)


def _image_as(entry: Node, image: Node) -> Node | None:
    """The image as an entry has it; None if the entry is not about it."""
    match = _IMAGE.fullmatch(image.held) if isinstance(image.held, str) else None
    if match is None or match["name"] != entry.text("name"):
        return None
    name = entry.text("newName") or match["name"]
    tag, digest = entry.text("newTag"), entry.text("digest")
    version = (match["tag"] or "") + (match["digest"] or "")
    if tag or digest:
        version = (f":{tag}" if tag else "") + (f"@{digest}" if digest else "")
    return Node(f"{name}{version}", entry.origin)
