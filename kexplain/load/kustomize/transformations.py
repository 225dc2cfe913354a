"""What a kustomization does to every object: names, namespaces, labels, images, replicas.

Source: kustomize `api/internal/konfig/builtinpluginconsts`, for the fields that each of them changes.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from kexplain.load.kustomize.field_specs import NO_FIELDS, FieldSpecs, change
from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.patches import is_built_in
from kexplain.load.kustomize.resources import Resource, find
from kexplain.objects.workload_kinds import WORKLOAD_KINDS
from kexplain.patterns import regex

_TEMPLATES = {each.kind: tuple(map(str, each.template_path)) for each in WORKLOAD_KINDS}
#: Where pods are selected; of those with True the selector is made if it is missing.
_SELECTORS: dict[str, tuple[tuple[str, ...], bool]] = {
    "Service": (("spec", "selector"), True),
    "ReplicationController": (("spec", "selector"), True),
    "Deployment": (("spec", "selector", "matchLabels"), True),
    "ReplicaSet": (("spec", "selector", "matchLabels"), True),
    "DaemonSet": (("spec", "selector", "matchLabels"), True),
    "StatefulSet": (("spec", "selector", "matchLabels"), True),
    "Job": (("spec", "selector", "matchLabels"), False),
    "CronJob": (("spec", "jobTemplate", "spec", "selector", "matchLabels"), False),
    "PodDisruptionBudget": (("spec", "selector", "matchLabels"), False),
    "NetworkPolicy": (("spec", "podSelector", "matchLabels"), False),
}
_SCALED = ("Deployment", "ReplicaSet", "ReplicationController", "StatefulSet")
_NOT_PREFIXED = ("APIService", "CustomResourceDefinition", "Namespace")
_IMAGE = regex(r"(?P<name>[^@]*?)(?P<tag>:[^:@/]*)?(?P<digest>@.*)?")
#: Fields of Kubernetes' own kinds that name an object, by the field around them (None for any), with its kind.
_REFERENCES: dict[tuple[str | None, str], str] = {
    (None, "claimName"): "PersistentVolumeClaim",
    (None, "priorityClassName"): "PriorityClass",
    (None, "runtimeClassName"): "RuntimeClass",
    (None, "secretName"): "Secret",
    (None, "serviceAccountName"): "ServiceAccount",
    (None, "serviceName"): "Service",
    (None, "storageClassName"): "StorageClass",
    ("configMap", "name"): "ConfigMap",
    ("configMapKeyRef", "name"): "ConfigMap",
    ("configMapRef", "name"): "ConfigMap",
    ("imagePullSecrets", "name"): "Secret",
    ("secret", "name"): "Secret",
    ("secretKeyRef", "name"): "Secret",
    ("secretRef", "name"): "Secret",
    ("service", "name"): "Service",
}
#: Objects that name another by its kind and name.
_REFERRERS = ("roleRef", "scaleTargetRef", "subjects")


def transform(resources: Sequence[Resource], settings: Node, fields: FieldSpecs = NO_FIELDS) -> None:
    """Everything but patches and replacements, in kustomize's order; `fields` are further ones that it is done to."""
    if (namespace := settings.get("namespace")) is not None:
        _set_namespace(resources, namespace)
        for field in fields.of("namespace"):
            change(resources, field, lambda _: namespace, lambda: namespace)
    _add_to_names(resources, settings, fields)
    _decorate(resources, settings, fields)
    for entry in settings.listed("replicas"):
        for resource in resources:
            if resource.kind in _SCALED and entry.text("name") in [name for name, _ in resource.identities]:
                resource.node.put(("spec", "replicas"), entry.get("count") or Node(0, entry.origin))
    _rename_images(resources, settings.listed("images"), fields)


def _decorate(resources: Sequence[Resource], settings: Node, fields: FieldSpecs) -> None:
    for pairs, selects, templates in _labels(settings):
        for resource in resources:
            _label(resource, pairs, selects=selects, templates=templates)
    selecting = [each.get("pairs") for each in settings.listed("labels") if each.text("includeSelectors") == "True"]
    further = [("commonLabels", added) for added in (*selecting, settings.get("commonLabels"))]
    for name, added in (*further, ("commonAnnotations", settings.get("commonAnnotations"))):
        if added is not None:
            for field in fields.of(name):
                change(resources, field, partial(_with_all, added), lambda: Node({}, settings.origin))
    for key, value in _pairs(settings.get("commonAnnotations")):
        for resource in resources:
            resource.node.put(("metadata", "annotations", key), value)
            if template := _TEMPLATES.get(resource.kind):
                resource.node.put((*template, "metadata", "annotations", key), value)


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
        if resource.kind == "Namespace":
            resource.rename(("metadata", "name"), namespace)
        elif resource.is_namespaced:
            resource.rename(("metadata", "namespace"), namespace)
    for resource in resources:
        for service in _services(resource):
            found = find(resources, "Service", service.text("name"), service.text("namespace"))
            if found is not None and service.get("namespace") is not None:
                service.put(("namespace",), namespace)
        for subject in resource.node.listed("subjects"):
            name = subject.text("name")
            if subject.text("kind") == "ServiceAccount" and (
                name == "default" or find(resources, "ServiceAccount", name)
            ):
                subject.put(("namespace",), namespace)


def _services(resource: Resource) -> list[Node]:
    """What says by name and namespace where something is asked."""
    clients = [resource.node, *resource.node.listed("webhooks")]
    paths = (("clientConfig", "service"), ("spec", "conversion", "webhook", "clientConfig", "service"))
    found = [service for client in clients for steps in paths if (service := client.get(*steps)) is not None]
    backend = resource.node.get("spec", "service") if resource.kind == "APIService" else None
    return [*found, *([backend] if backend is not None else [])]


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
    names: dict[tuple[str, str], set[str]] = {}
    for resource in resources:
        for name in (resource.name, *(earlier for earlier, _ in resource.earlier)):
            names.setdefault((resource.kind, name), set()).add(resource.name)
    _repoint(
        resources,
        {named: found.pop() for named, found in names.items() if len(found) == 1 and named[1] not in found},
        fields,
    )


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
        if kind := _REFERENCES.get((around, key)) or _REFERENCES.get((None, key)):
            _refer(node, key, (kind, str(inner.held)), new_names)
        _follow(node.fields[key], key, new_names)
    for item in node.items:
        _follow(item, around, new_names)


def _refer(node: Node, key: str, named: tuple[str, str], new_names: dict[tuple[str, str], str]) -> None:
    if named in new_names and key in node.fields:
        node.fields[key] = Node(new_names[named], node.fields[key].origin)


# ------------------------------------------------------------------------------------------------------ labels


def _pairs(node: Node | None) -> Iterable[tuple[str, Node]]:
    return node.fields.items() if node is not None else ()


def _labels(settings: Node) -> Iterator[tuple[Iterable[tuple[str, Node]], bool, bool]]:
    """Pairs, whether they go into selectors, and whether into templates."""
    for entry in settings.listed("labels"):
        selects = entry.text("includeSelectors") == "True"
        yield _pairs(entry.get("pairs")), selects, selects or entry.text("includeTemplates") == "True"
    yield _pairs(settings.get("commonLabels")), True, True


def _label(resource: Resource, pairs: Iterable[tuple[str, Node]], *, selects: bool, templates: bool) -> None:
    node, template = resource.node, _TEMPLATES.get(resource.kind)
    steps, is_made = _SELECTORS.get(resource.kind, ((), False))
    for key, value in pairs:
        node.put(("metadata", "labels", key), value)
        if templates and template:
            node.put((*template, "metadata", "labels", key), value)
        if selects and steps and (is_made or node.get(*steps) is not None):
            node.put((*steps, key), value)
        if selects and template and (spec := node.get(*template, "spec")) is not None:
            for found in _pod_selectors(spec):
                found.put((key,), value)


def _pod_selectors(spec: Node) -> Iterator[Node]:
    """The labels by which pods select one another, where there are any."""
    terms = spec.listed("topologySpreadConstraints")
    for kind in ("podAffinity", "podAntiAffinity"):
        terms = [*terms, *spec.listed("affinity", kind, "requiredDuringSchedulingIgnoredDuringExecution")]
        weighted = spec.listed("affinity", kind, "preferredDuringSchedulingIgnoredDuringExecution")
        terms += [term for each in weighted if (term := each.get("podAffinityTerm")) is not None]
    yield from (found for term in terms if (found := term.get("labelSelector", "matchLabels")) is not None)


# ------------------------------------------------------------------------------------------------------ images


def _set_images(node: Node, images: Sequence[Node]) -> None:
    """Change the images of all containers, wherever they are."""
    for name in ("containers", "initContainers") if images else ():
        for container in node.listed(name):
            for entry in images:
                _set_image(container, entry)
    for inner in (*node.fields.values(), *node.items):
        if images and isinstance(inner.held, dict | list):
            _set_images(inner, images)


def _set_image(container: Node, entry: Node) -> None:
    image = container.get("image")
    new = _image_as(entry, image) if image is not None else None
    if new is not None:
        container.put(("image",), new)


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
