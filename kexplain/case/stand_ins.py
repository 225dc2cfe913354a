"""Workloads that were not read, as far as what they made shows them.

A change of such a workload is a change of the one that stands in the cluster under its name.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.admission.revisions import TOKEN_VOLUME
from kexplain.admission.toleration_seconds import TOLERATION_SECONDS
from kexplain.admission.workloads import template_of
from kexplain.case.own_pods import implied_owner, maker_kind
from kexplain.load.record_types import API_VERSIONS
from kexplain.objects.apps import WorkloadSpec
from kexplain.objects.core import (
    Affinity,
    Pod,
    PodAffinityTerm,
    PodSpec,
    PodStatus,
    PodTemplateSpec,
    TemplateMeta,
    Toleration,
)
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject, ObjectMeta, OwnerReference
from kexplain.objects.well_known import JOB_UID_LABELS, NODE_CONDITIONS, OF_CONTROLLERS, UNSCHEDULABLE
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME, WORKLOAD_KINDS, template_path

_GROUPS = frozenset(("extensions", *(each.group for each in WORKLOAD_KINDS)))


def maker_of(obj: KubernetesObject) -> KubernetesObject | None:
    """What made a pod, or a workload, by its name; None if nobody knows a template of its kind.

    A pod's ReplicaSet stands for the Deployment that it is named after.
    """
    owner = obj.metadata.controller
    if owner is None or not is_known(owner):
        return None
    kind, name = owner.kind or "", owner.name or ""
    implied = implied_owner((kind, obj.namespace, name), obj) if isinstance(obj, Pod) else None
    return stand_in(*(implied if implied and implied[0] == "Deployment" else (kind, obj.namespace, name)), obj)


def stand_in(kind: str, namespace: str, name: str, made: KubernetesObject) -> KubernetesObject:
    """A workload of that kind and name, of which nothing is known but a pod or a workload that it has made."""
    if isinstance(made, Pod):
        template = PodTemplateSpec(metadata=TemplateMeta(labels=made.labels), spec=_as_in_template(made))
    else:
        template = template_of(made) or PodTemplateSpec()
    every = template.metadata.labels or {}
    labels = {key: value for key, value in every.items() if kind == "Job" or key not in OF_CONTROLLERS}
    template = replace(template, metadata=replace(template.metadata, labels=labels or None))
    return _of_template(kind, namespace, name, template)


def made_again(pod: Pod, before: KubernetesObject, after: KubernetesObject) -> Pod:
    """A pod whose workload, a stand-in, has changed: a new one in its place, or the same where it runs already."""
    old, new = (each.spec if each else PodSpec() for each in map(template_of, (before, after)))
    names = [each for each in PodSpec.__struct_fields__ if getattr(new, each) != getattr(old, each)]
    fields = {name: getattr(_as_given(new, pod), name) for name in names}
    if pod.spec.node_name:
        return replace(pod, spec=replace(pod.spec, **fields))
    of_class = {"priority": None, "preemption_policy": None} if "priority_class_name" in fields else {}
    spec = replace(pod.spec, **(of_class | fields))
    metadata = replace(pod.metadata, uid=None, creation_timestamp=None)
    # Claims on devices of the next pod are made of the same template.
    status = PodStatus(resource_claim_statuses=pod.status.resource_claim_statuses)
    return replace(pod, metadata=metadata, spec=spec, status=status)


def _as_given(spec: PodSpec, pod: Pod) -> PodSpec:
    """The spec of a template with what the pod was given beside it."""
    added = (each for each in pod.spec.tolerations or () if _is_added(each, pod))
    given = (each for each in pod.spec.volumes or () if is_given(each.name or "", pod))
    affinity = spec.affinity
    if is_pinned(pod) and pod.spec.affinity:
        affinity = replace(affinity or Affinity(), node_affinity=pod.spec.affinity.node_affinity)
    tolerations, volumes = (*(spec.tolerations or ()), *added), (*given, *(spec.volumes or ()))
    return replace(spec, affinity=affinity, tolerations=tolerations or None, volumes=volumes or None)


def is_known(owner: OwnerReference) -> bool:
    """Whether it is of a kind with a known template, and not one of the same name of another project."""
    return owner.kind in WORKLOAD_KIND_BY_NAME and (owner.api_version or "").rpartition("/")[0] in _GROUPS


def _of_template(kind: str, namespace: str, name: str, template: PodTemplateSpec) -> KubernetesObject:
    """A workload of which nothing is known beside its template; a job has the selector that an API server makes."""
    plain: Any = msgspec.to_builtins(template)
    if kind == "Job":
        labels = {key: value for key, value in (template.metadata.labels or {}).items() if key in JOB_UID_LABELS}
        plain = {"template": plain, "selector": {"matchLabels": labels}}
    for step in reversed(template_path(kind)[: -1 if kind == "Job" else None]):
        plain = {step: plain}
    record = next((each for each in API_VERSIONS if each.__name__ == kind), None)
    if record is None or kind not in WORKLOAD_KIND_BY_NAME:
        metadata = ObjectMeta(namespace=namespace, name=name)
        return CustomWorkload(metadata=metadata, of_kind=kind, spec=WorkloadSpec(template=template))
    return msgspec.convert({"metadata": {"namespace": namespace, "name": name}, **plain}, record)


def _as_in_template(pod: Pod) -> PodSpec:
    """The spec without what admission and controllers add."""
    spec = pod.spec
    return replace(
        spec,
        affinity=_affinity_in_template(pod),
        node_name=None,
        priority=None,
        preemption_policy=None,
        service_account=None,
        service_account_name=None if spec.service_account_name == "default" else spec.service_account_name,
        tolerations=tuple(each for each in spec.tolerations or () if not _is_added(each, pod)) or None,
        volumes=tuple(each for each in spec.volumes or () if not is_given(each.name or "", pod)) or None,
    )


def _affinity_in_template(pod: Pod) -> Affinity | None:
    affinity = pod.spec.affinity
    if affinity is None:
        return None
    own = replace(affinity, node_affinity=None) if is_pinned(pod) else affinity
    return own.with_pod_terms(_as_asked)


def _as_asked(term: PodAffinityTerm) -> PodAffinityTerm:
    """Without what an API server has put into the selector for `matchLabelKeys`, which a template still has."""
    keys = {*(term.match_label_keys or ()), *(term.mismatch_label_keys or ())}
    if not keys or term.label_selector is None:
        return term
    asked = tuple(each for each in term.label_selector.match_expressions or () if each.key not in keys)
    return replace(term, label_selector=replace(term.label_selector, match_expressions=asked or None))


def is_pinned(pod: Pod) -> bool:
    """Whether a DaemonSet has put the name of the pod's node in place of its required node affinity."""
    return maker_kind(pod) == "DaemonSet" and bool(pod.spec.required_nodes)


def _is_added(toleration: Toleration, pod: Pod) -> bool:
    """Whether it is one for what ails nodes, as every pod and every pod of a DaemonSet is given them."""
    seconds = None if maker_kind(pod) == "DaemonSet" else TOLERATION_SECONDS
    is_of_trouble = toleration.key in (*NODE_CONDITIONS, UNSCHEDULABLE)
    return is_of_trouble and toleration.operator == "Exists" and toleration.toleration_seconds == seconds


def is_given(volume: str, pod: Pod) -> bool:
    """Whether the pod was given the volume: that of its token, or one that stands for a claim template."""
    if volume.startswith(TOKEN_VOLUME):
        return True
    named = (each for each in pod.spec.volumes or () if each.name == volume)
    return any(each.claim_name == f"{volume}-{pod.name}" for each in named) and maker_kind(pod) == "StatefulSet"
