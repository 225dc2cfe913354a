"""What an API server refuses of an update, although it would take the same as a new object.

Source: `ValidateStatefulSetUpdate`, `ValidateDeploymentUpdate` and their likes, `ValidatePersistentVolumeClaimUpdate`,
release 1.36.
"""

from collections.abc import Iterator
from typing import Any

from kexplain.admission.revisions import same_template
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.batch import Job
from kexplain.objects.core import PersistentVolumeClaimTemplate
from kexplain.objects.meta import KubernetesObject, LabelSelector
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.problem import Problem
from kexplain.objects.quantity import parse

_FIXED = "is immutable: delete it and create it again"


def update_problems(old: KubernetesObject, new: KubernetesObject) -> Iterator[Problem]:
    """The fields that an update changes and must not."""
    match old, new:
        case ((Deployment() | DaemonSet() | ReplicaSet()), (Deployment() | DaemonSet() | ReplicaSet())):
            yield from _selector(old.spec.selector, new.spec.selector)
        case StatefulSet(), StatefulSet():
            yield from _stateful_set(old, new)
        case Job(), Job():
            if new.spec.selector is not None:
                yield from _selector(old.spec.selector, new.spec.selector)
            if not (same_template(old.spec.template, new.spec.template) or old.spec.suspend):
                yield Problem(("spec", "template"), _FIXED)
            if old.spec.completions != new.spec.completions:
                yield Problem(("spec", "completions"), f"is {old.spec.completions}, and {_FIXED}")
        case PersistentVolumeClaim(), PersistentVolumeClaim():
            yield from _claim(old, new)


def _selector(old: LabelSelector | None, new: LabelSelector | None) -> Iterator[Problem]:
    if _plain(old) != _plain(new):
        yield Problem(("spec", "selector"), _FIXED)


def _plain(selector: LabelSelector | None) -> Any:
    return selector and (selector.match_labels or {}, selector.match_expressions or ())


def _stateful_set(old: StatefulSet, new: StatefulSet) -> Iterator[Problem]:
    yield from _selector(old.spec.selector, new.spec.selector)
    policies = [each.spec.pod_management_policy or "OrderedReady" for each in (old, new)]
    if policies[0] != policies[1]:
        yield Problem(("spec", "podManagementPolicy"), f"is {policies[0]}, and {_FIXED}")
    templates = [tuple(map(_template, each.spec.volume_claim_templates or ())) for each in (old, new)]
    if templates[0] != templates[1]:
        yield Problem(("spec", "volumeClaimTemplates"), _FIXED)


def _template(template: PersistentVolumeClaimTemplate) -> Any:
    """What counts of a template, with what the API server fills in."""
    spec = template.spec
    return (
        template.metadata.name,
        template.metadata.labels or {},
        spec.access_modes or (),
        {name: parse(raw) for name, raw in spec.requests.items()},
        spec.storage_class_name,
        spec.volume_mode or "Filesystem",
        _plain(spec.selector),
    )


def _claim(old: PersistentVolumeClaim, new: PersistentVolumeClaim) -> Iterator[Problem]:
    if new.spec.storage_class_name is not None and new.class_name != old.class_name:
        yield Problem(("spec", "storageClassName"), f"is {old.class_name or 'none'}, and {_FIXED}")
    if (old.spec.access_modes or ()) != (new.spec.access_modes or ()):
        yield Problem(("spec", "accessModes"), _FIXED)
