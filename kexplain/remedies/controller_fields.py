"""What controllers and API servers put into the objects they make, so that no change of a template takes it out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from kexplain.admission.storage import claim_of_template
from kexplain.case.own_pods import maker_kind
from kexplain.objects.apps import StatefulSet
from kexplain.objects.batch import Job
from kexplain.objects.core import Affinity, NodeAffinity, PersistentVolumeClaimTemplate, Pod, Volume
from kexplain.objects.meta import Labels
from kexplain.objects.node_selectors import node_named_by
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaim, ResourceClaimTemplate
from kexplain.objects.well_known import CONTROLLER_REVISION_HASH, JOB_NAME_LABELS, JOB_UID_LABELS
from kexplain.remedies.pod_edits import as_written
from kexplain.remedies.steps import Step, edited


def as_made(changed: Pod, pod: Pod) -> Pod:
    """The pod as its controller makes it of a changed template: on the node and with the claims that `pod` was given.

    Source: daemon/util `ReplaceDaemonSetPodNodeNameNodeAffinity`, stateful set controller `updateStorage`.
    """
    match maker_kind(pod):
        case "DaemonSet":
            return _pinned(changed, pod)
        case "StatefulSet":
            return _with_claims(changed, pod)
        case _:
            return changed


def made_from(pod: Pod) -> tuple[str, str]:
    """The template that the pod was made from, as far as it says so itself: its controller, and the revision."""
    owner = pod.metadata.controller
    return (owner.name or "") if owner else "", pod.labels.get(CONTROLLER_REVISION_HASH) or ""


def _pinned(changed: Pod, pod: Pod) -> Pod:
    pin = node_named_by(pod)
    if pin is None:
        return changed
    affinity = (changed.spec.affinity.node_affinity if changed.spec.affinity else None) or NodeAffinity()
    own = replace(affinity, required=pin)
    return replace(
        changed, spec=replace(changed.spec, affinity=replace(changed.spec.affinity or Affinity(), node_affinity=own))
    )


def _with_claims(changed: Pod, pod: Pod) -> Pod:
    """With the volumes of `pod` that stand for templates, in place of volumes of the same name."""
    given = {volume.name: volume for volume in pod.spec.volumes or () if _is_of_template(volume, pod)}
    others = [volume for volume in changed.spec.volumes or () if volume.name not in given]
    return changed if not given else replace(changed, spec=replace(changed.spec, volumes=(*given.values(), *others)))


def _is_of_template(volume: Volume, pod: Pod) -> bool:
    return volume.claim_name == f"{volume.name}-{pod.name}"


# ------------------------------------------------------------------------------------------- claims of templates


def template_of_claim(claim: PersistentVolumeClaim, pod: Pod) -> str:
    """The claim template or ephemeral volume that the claim of a pod is made of; empty if it is there in its own right.

    A claim that is there already keeps its place for a pod that is yet to be made.
    """
    if (claim.is_stored and not pod.is_stored) or claim.namespace != pod.namespace:
        return ""
    owner = pod.metadata.controller
    for volume in pod.spec.volumes or ():
        name = f"{pod.name}-{volume.name}" if volume.ephemeral else volume.claim_name
        is_made = bool(volume.ephemeral) or (_is_of_template(volume, pod) and owner and owner.kind == "StatefulSet")
        if name == claim.name and is_made:
            return volume.name or ""
    return ""


def device_template_of(claim: ResourceClaim, pod: Pod) -> str:
    """The ResourceClaimTemplate that a claim on devices was generated of for a pod; empty if there is none."""
    generated = {each.name: each.resource_claim_name for each in pod.status.resource_claim_statuses or ()}
    asked = ((each.name, each.resource_claim_template_name) for each in pod.spec.resource_claims or ())
    names = (template for name, template in asked if template and generated.get(name) == claim.name)
    return next(names, "") if claim.namespace == pod.namespace and pod.is_stored else ""


def generated_alike(name: str, pod: Pod, others: Iterable[Pod]) -> Iterator[str]:
    """The claims on devices that others were given of the template that one of the pod's was generated of."""
    references = {each.name for each in pod.status.resource_claim_statuses or () if each.resource_claim_name == name}
    for other in others:
        for each in other.status.resource_claim_statuses or ():
            if each.name in references and each.resource_claim_name:
                yield each.resource_claim_name


def with_devices_of(template: ResourceClaimTemplate, step: Step) -> ResourceClaimTemplate:
    """The template with what a step does to a claim."""
    spec = template.spec
    claim = ResourceClaim(spec=spec.spec)
    return replace(template, spec=replace(spec, spec=step.edit(claim).spec)) if step.edit else template


def with_template_of(obj: Any, step: Step, name: str) -> Any:
    """The workload or pod with what a step does to a claim done to the template of that name instead."""
    if isinstance(obj, StatefulSet) and any(_is_named(each, name) for each in obj.spec.volume_claim_templates or ()):
        templates = tuple(
            _changed(each, step) if _is_named(each, name) else each for each in obj.spec.volume_claim_templates or ()
        )
        return replace(obj, spec=replace(obj.spec, volume_claim_templates=templates))

    def edit(pod: Pod) -> Pod:
        volumes = tuple(_with_template(each, step, name) for each in pod.spec.volumes or ())
        return replace(pod, spec=replace(pod.spec, volumes=volumes or None))

    return edited(obj, edit)


def _is_named(template: PersistentVolumeClaimTemplate, name: str) -> bool:
    return template.metadata.name == name


def _with_template(volume: Volume, step: Step, name: str) -> Volume:
    ephemeral = volume.ephemeral if volume.name == name else None
    template = ephemeral.volume_claim_template if ephemeral else None
    if ephemeral is None or template is None:
        return volume
    return replace(volume, ephemeral=replace(ephemeral, volume_claim_template=_changed(template, step)))


def _changed(template: PersistentVolumeClaimTemplate, step: Step) -> PersistentVolumeClaimTemplate:
    claim = claim_of_template(step.name, step.namespace, template)
    return template if step.edit is None else replace(template, spec=step.edit(claim).spec)


# ---------------------------------------------------------------------------------------------- made once more


def to_recreate(obj: Any) -> Any:
    """A stored object as it can be created once more: without what an API server takes only from itself.

    Source: `registry/batch/job.generateSelector` with `validateGeneratedSelector`, release 1.36.
    """
    match obj:
        case Pod():
            return as_written(obj)
        case Job() if not obj.spec.manual_selector and obj.spec.template:
            metadata = obj.spec.template.metadata
            template = replace(obj.spec.template, metadata=replace(metadata, labels=_own_labels(metadata.labels)))
            spec = replace(obj.spec, selector=None, template=template)
            return replace(obj, metadata=replace(obj.metadata, labels=_own_labels(obj.metadata.labels)), spec=spec)
        case _:
            return obj


def _own_labels(labels: Labels | None) -> Labels | None:
    generated = {*JOB_NAME_LABELS, *JOB_UID_LABELS}
    return {key: value for key, value in (labels or {}).items() if key not in generated} or None
