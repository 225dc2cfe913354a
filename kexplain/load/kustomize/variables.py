"""Variables: `$(NAME)` in fields of objects, filled in at the end with what a field of some object says by then.

Source: kustomize `accumulator/refvartransformer`, `filters/refvar`, and `builtinpluginconsts/varreference.go` for the
fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from kexplain.load.kustomize.field_specs import FieldSpec, FieldSpecs, change
from kexplain.load.kustomize.nodes import Node
from kexplain.load.kustomize.replacements import steps_in, values_at
from kexplain.load.kustomize.resources import Resource, find
from kexplain.objects.workload_kinds import WORKLOAD_KINDS
from kexplain.patterns import regex

_REFERENCE = regex(r"\$(?:\$|\((?P<name>[^()]*)\))")
_OF_CONTAINERS = ("args", "command", "env/value", "volumeMounts/mountPath")
_POD_SPECS = (
    ("Pod", "spec"),
    *((each.kind, "/".join((*each.template_path, "spec"))) for each in WORKLOAD_KINDS if each.api_version != "v1"),
)
_FIELDS = (
    *(
        FieldSpec(f"{spec}/{containers}/{field}", kind)
        for kind, spec in _POD_SPECS
        for containers in ("containers", "initContainers")
        for field in _OF_CONTAINERS
    ),
    # Upstream has a slip in the path of CronJobs, and the volumes of StatefulSets are those that they claim.
    FieldSpec("spec/jobTemplate/spec/template/volumes/nfs/server", "CronJob"),
    FieldSpec("spec/volumeClaimTemplates/spec/nfs/server", "StatefulSet"),
    *(
        FieldSpec(f"{spec}/volumes/nfs/server", kind)
        for kind, spec in _POD_SPECS
        if kind not in ("CronJob", "StatefulSet")
    ),
    FieldSpec("spec/template/metadata/annotations", "Deployment"),
    *(FieldSpec(f"spec/{path}", "Ingress") for path in ("rules/host", "tls/hosts", "tls/secretName")),
    FieldSpec("spec/nfs/server", "PersistentVolume"),
    *(FieldSpec(f"spec/ports/{field}", "Service") for field in ("port", "targetPort")),
    FieldSpec("metadata/labels"),
    FieldSpec("metadata/annotations"),
)


class Variable(NamedTuple):
    """A variable as a kustomization declares it, and the object that it is read from; None if there was none then."""

    declared: Node
    resource: Resource | None


def variable(declared: Node, resources: Sequence[Resource]) -> Variable:
    """The variable, whose object is sought among those of the kustomization that declares it."""
    named = declared.get("objref") or Node({}, declared.origin)
    return Variable(declared, find(resources, named.text("kind"), named.text("name"), named.text("namespace")))


def fill_in(resources: Sequence[Resource], variables: Sequence[Variable], fields: FieldSpecs) -> Iterator[str]:
    """Fill in the variables; of those whose object or field is not there, the names are yielded."""
    values: dict[str, Node] = {}
    for each in variables:
        value = _value(each)
        if value is None:
            yield each.declared.text("name")
        else:
            values[each.declared.text("name")] = value
    for field in (*_FIELDS, *fields.of("varReference")):
        change(resources, field, partial(_filled, values))


def _value(variable: Variable) -> Node | None:
    declared = variable.declared
    path = declared.text("fieldref", "fieldPath") or "metadata.name"
    return next(values_at(variable.resource.node, steps_in(path)), None) if variable.resource is not None else None


def _filled(values: Mapping[str, Node], node: Node) -> Node | None:
    if isinstance(node.held, dict):
        node.held |= {key: filled for key, each in node.held.items() if (filled := _filled(values, each)) is not None}
        return None
    if not isinstance(node.held, str) or "$" not in node.held:
        return None
    whole = _REFERENCE.fullmatch(node.held)
    if whole is not None and whole["name"] in values:
        return Node(values[whole["name"]].held, node.origin)

    def text(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return "$"
        return str(values[name].held) if name in values else f"$({name})"

    return Node(_REFERENCE.sub(text, node.held), node.origin)
