"""What admission plugins refuse, whatever the pod looks like otherwise.

Source: plugin/pkg/admission `priority`, `runtimeclass`, `namespace/lifecycle` and the optional plugins, release
1.36. That something is not there is held against a pod only if the input holds others of its kind: a manifest alone,
or a dump of nodes and pods, says nothing about classes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from kexplain.admission.chain import AdmissionObjects
from kexplain.admission.optional_plugins import (
    AdmissionPlugin,
    PluginInputError,
    node_selector_conflicts,
    tolerations_not_allowed,
    wide_anti_affinity_terms,
)
from kexplain.admission.priority import PREEMPT_LOWER_PRIORITY, SYSTEM_PRIORITY_CLASSES, global_default
from kexplain.admission.refusals import INITIAL_NAMESPACES
from kexplain.objects.core import Namespace, PodSpec
from kexplain.objects.json_values import shown
from kexplain.objects.meta import ResourceList
from kexplain.objects.node import RuntimeClass
from kexplain.objects.problem import Stage
from kexplain.objects.well_known import HOSTNAME
from kexplain.validation.field import Field
from kexplain.validation.resources import nanos
from kexplain.validation.scheduling import REQUIRED
from kexplain.words import clauses, did_you_mean


def check_namespace_is_there(manifest: Field, objects: AdmissionObjects, namespace: str) -> None:
    """Nothing can be made in a namespace that is not there."""
    known = objects.namespaces
    if known and namespace not in known and namespace not in INITIAL_NAMESPACES:
        manifest.descend("metadata", "namespace").reject(f"{shown(namespace)} {_not_there(namespace, known)}")


def check_refusals(pod: Field, objects: AdmissionObjects) -> None:
    """What the default plugins refuse of a pod as it is written; `pod` is at the stage of admission."""
    _check_priority(pod.child("spec"), objects)
    _check_runtime_class(pod.child("spec"), objects)


def _not_there(name: str, others: Iterable[str]) -> str:
    return clauses("is not there", did_you_mean(name, others))


def _check_priority(spec: Field, objects: AdmissionObjects) -> None:
    name, classes = spec.child("priorityClassName"), objects.priority_classes
    if not classes and name.string not in SYSTEM_PRIORITY_CLASSES:
        return
    known = {**SYSTEM_PRIORITY_CLASSES, **classes}
    chosen = known.get(name.string) if name.string else global_default(classes)
    if name.string and chosen is None:
        name.reject(f"PriorityClass {shown(name.string)} {_not_there(name.string, known)}")
        return
    value = chosen.value if chosen else 0
    policy = (chosen.preemption_policy if chosen else None) or PREEMPT_LOWER_PRIORITY
    priority, preemption = spec.child("priority"), spec.child("preemptionPolicy")
    origin = f"PriorityClass {chosen.name}" if chosen else "no PriorityClass"
    if priority.is_set and priority.number() != value:
        priority.reject(f"{priority.number()} is not {value}, which {origin} gives: leave it out")
    if preemption.is_set and preemption.value != policy:
        preemption.reject(f"{shown(preemption.value)} is not {policy}, which {origin} gives: leave it out")


def _check_runtime_class(spec: Field, objects: AdmissionObjects) -> None:
    name, overhead = spec.child("runtimeClassName"), spec.child("overhead")
    found = objects.runtime_classes.get(name.string)
    if name.is_set and found is None:
        if objects.runtime_classes:
            name.reject(f"RuntimeClass {shown(name.string)} {_not_there(name.string, objects.runtime_classes)}")
        return
    own = found.overhead.pod_fixed if found and found.overhead else None
    if found is None or found.overhead is None:
        if overhead.is_set:
            overhead.at_stage(Stage.POLICY).reject("is what a RuntimeClass says, and none says so here: leave it out")
    elif overhead.mapping and _amounts(overhead.mapping) != _amounts(own):
        overhead.reject(f"is not what RuntimeClass {name.string} says: leave it out")
    if found is not None:
        _check_node_selector(spec.child("nodeSelector"), found)


def _check_node_selector(selector: Field, found: RuntimeClass) -> None:
    wanted = (found.scheduling.node_selector if found.scheduling else None) or {}
    for key, value in wanted.items():
        if selector.mapping.get(key, value) != value:
            selector.key(key).reject(
                f"{shown(selector.mapping[key])} is not {value}, as RuntimeClass {found.name} says"
            )


def _amounts(resources: ResourceList | None) -> dict[str, int | None]:
    return {name: nanos(raw) for name, raw in (resources or {}).items()}


def check_optional(
    pod: Field, spec: PodSpec, namespace: Namespace | None, plugins: Collection[AdmissionPlugin]
) -> None:
    """What optional plugins refuse of a pod; `spec` is the one that they have changed already."""
    own = pod.child("spec")
    try:
        if AdmissionPlugin.POD_NODE_SELECTOR in plugins:
            for key in node_selector_conflicts(spec, namespace):
                own.child("nodeSelector").key(key).reject("is not what the annotation of the namespace says")
        if AdmissionPlugin.POD_TOLERATION_RESTRICTION in plugins:
            for index in tolerations_not_allowed(spec, namespace):
                at = own.child("tolerations")
                (at.items()[index] if index < len(at.items()) else at).reject(
                    "is not among the tolerations that the annotation of the namespace allows"
                )
        if AdmissionPlugin.LIMIT_POD_HARD_ANTI_AFFINITY_TOPOLOGY in plugins:
            terms = own.descend("affinity", "podAntiAffinity", REQUIRED).items()
            for index in wide_anti_affinity_terms(spec):
                terms[index].child("topologyKey").reject(f"must be {HOSTNAME} here")
    except PluginInputError as error:
        pod.descend("metadata", "namespace").reject(f"has an annotation that admission cannot read: {error}")
