"""The pods that a workload's controller would make, with names that are the same every time.

Source: `controller.GetPodFromTemplate` and the controllers of deployments, stateful sets, daemon sets and
cron jobs, `registry/batch/job.generateSelector`, release 1.36. Hashes have upstream's look but not its
values, which depend on fields that are not kept here.
"""

import uuid
from collections.abc import Callable, Iterator
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kexplain.admission.daemon_tolerations import with_daemon_tolerations
from kexplain.admission.storage import claim_of_template
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, ReplicaSetMeta, Rollout, StatefulSet
from kexplain.objects.batch import CronJob, Job, JobSpec
from kexplain.objects.core import (
    PersistentVolumeClaimVolume,
    Pod,
    PodMeta,
    PodStatus,
    PodTemplate,
    PodTemplateSpec,
    ReplicationController,
    Volume,
)
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject, Labels, LabelSelector, ObjectMeta, OwnerReference
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.well_known import (
    CONTROLLER_REVISION_HASH,
    JOB_NAME_LABELS,
    JOB_UID_LABELS,
    POD_INDEX,
    POD_TEMPLATE_GENERATION,
    POD_TEMPLATE_HASH,
    ROLLOUTS_POD_TEMPLATE_HASH,
    STATEFUL_SET_POD_NAME,
)
from kexplain.objects.workload_kinds import WORKLOAD_KIND_BY_NAME

Meta = TypeVar("Meta", bound=ObjectMeta)

#: What Kubernetes spells hashes with: no vowels and no look-alikes, so no words.
_ALPHABET = "bcdfghjklmnpqrstvwxz2456789"
_TEMPLATE_HASH_LENGTH = 10
_NAME_HASH_LENGTH = 5


class WorkloadPods(Struct, frozen=True):
    """The pods of a workload, before admission.

    `created` is what else would then stand in the cluster: the ReplicaSet of a Deployment, the Job of a
    CronJob, the claims of a StatefulSet's pods, and, where default spreading reads its selector, the workload
    itself as it would be stored.
    """

    pods: tuple[Pod, ...] = ()
    created: tuple[KubernetesObject, ...] = ()
    notes: tuple[str, ...] = ()


def pods_of(obj: KubernetesObject, replicas: int | None = None, *, namespace: str = "default") -> WorkloadPods:
    """One representative pod of a workload, or `replicas` of them; nothing for what has no pod template.

    `namespace` is where a workload is that names none. A bare pod represents itself; several of it are copies
    that have not been through admission.
    """
    count = 1 if replicas is None else max(replicas, 0)
    if isinstance(obj, Pod):
        return WorkloadPods(_copies(obj, count, namespace))
    template = template_of(obj)
    if template is None:
        return WorkloadPods()
    metadata = replace(obj.metadata, name=obj.metadata.name or _stem(obj), namespace=obj.namespace or namespace)
    return _of_template(replace(obj, metadata=metadata), template, count)


def template_of(obj: KubernetesObject) -> PodTemplateSpec | None:
    """The template that a workload's pods are made from, if there is one."""
    match obj:
        case Deployment() | ReplicaSet() | StatefulSet() | DaemonSet() | ReplicationController() | Job():
            return obj.spec.template
        case CustomWorkload():
            return obj.spec.template
        case CronJob():
            return obj.spec.job_template.spec.template if obj.spec.job_template else None
        case PodTemplate():
            return obj.template
        case _:
            return None


def declared_replicas(obj: KubernetesObject) -> int | None:
    """How many pods a workload asks for at a time; None where the cluster decides, and for other kinds."""
    match obj:
        case Deployment() | ReplicaSet() | StatefulSet() | ReplicationController():
            return 1 if obj.spec.replicas is None else obj.spec.replicas
        case Job():
            return _parallel_pods(obj.spec)
        case CustomWorkload():
            return obj.spec.replicas
        case CronJob():
            return _parallel_pods(obj.spec.job_template.spec) if obj.spec.job_template else None
        case Pod():
            return 1
        case _:
            return None


def _parallel_pods(spec: JobSpec) -> int:
    parallelism = 1 if spec.parallelism is None else spec.parallelism
    return parallelism if spec.completions is None else min(parallelism, spec.completions)


def _of_template(workload: KubernetesObject, template: PodTemplateSpec, count: int) -> WorkloadPods:
    match workload:
        case Deployment():
            return _of_deployment(workload, template, count)
        case StatefulSet():
            return _of_stateful_set(workload, template, count)
        case DaemonSet():
            return _of_daemon_set(workload, template, count)
        case ReplicationController():
            selector = workload.spec.selector or template.metadata.labels
            stored = replace(workload, spec=replace(workload.spec, selector=selector))
            return WorkloadPods(_pods(workload, template, _hashed_stem(workload), count), (stored,))
        case Job():
            return _of_job(workload, template, _hashed_stem(workload), count)
        case CronJob():
            return _of_cron_job(workload, template, count)
        case CustomWorkload():
            return WorkloadPods(_pods(workload, template, _hashed_stem(workload).replace("/", "-"), count))
        case ReplicaSet():
            return WorkloadPods(_pods(workload, template, _hashed_stem(workload), count), (workload,))
        case _:
            # A PodTemplate controls nothing: its pods belong to whoever makes them.
            pods = _pods(workload, template, _hashed_stem(workload), count)
            return WorkloadPods(tuple(_with_metadata(pod, owner_references=None) for pod in pods))


# ------------------------------------------------------------------------------------- one function a kind


def _of_deployment(deployment: Deployment, template: PodTemplateSpec, count: int) -> WorkloadPods:
    """A deployment's pods belong to a replica set, whose selector distinguishes its revisions."""
    label = ROLLOUTS_POD_TEMPLATE_HASH if isinstance(deployment, Rollout) else POD_TEMPLATE_HASH
    revision = {label: _template_hash(template)}
    template = _labelled(template, revision)
    selector = deployment.spec.selector or LabelSelector()
    selector = replace(selector, match_labels={**(selector.match_labels or {}), **revision})
    replica_set = ReplicaSet(
        api_version="apps/v1",
        metadata=_owned(ReplicaSetMeta, deployment, f"{deployment.name}-{revision[label]}", template.metadata.labels),
        spec=replace(deployment.spec, selector=selector, template=template),
    )
    return WorkloadPods(_pods(replica_set, template, replica_set.name, count), (replica_set,))


def _of_stateful_set(stateful_set: StatefulSet, template: PodTemplateSpec, count: int) -> WorkloadPods:
    labelled = _of_revision(stateful_set, template)
    start = stateful_set.start
    made = [_stateful_pod(stateful_set, labelled, ordinal) for ordinal in range(start, start + count)]
    return WorkloadPods(tuple(pod for pod, _ in made), (stateful_set, *(one for _, claims in made for one in claims)))


def stateful_pods(stateful_set: StatefulSet) -> Callable[[int], tuple[Pod, tuple[PersistentVolumeClaim, ...]]]:
    """What makes the pod of an ordinal, before admission, and the claims that its controller makes for it.

    The set names its namespace, and has a template.
    """
    labelled = _of_revision(stateful_set, stateful_set.spec.template or PodTemplateSpec())
    return lambda ordinal: _stateful_pod(stateful_set, labelled, ordinal)


def _of_revision(stateful_set: StatefulSet, template: PodTemplateSpec) -> PodTemplateSpec:
    return _labelled(template, {CONTROLLER_REVISION_HASH: f"{stateful_set.name}-{_template_hash(template)}"})


def _stateful_pod(
    stateful_set: StatefulSet, template: PodTemplateSpec, ordinal: int
) -> tuple[Pod, tuple[PersistentVolumeClaim, ...]]:
    pod = _pod(stateful_set, template, f"{stateful_set.name}-{ordinal}")
    pod = _with_metadata(pod, labels={**pod.labels, STATEFUL_SET_POD_NAME: pod.name, POD_INDEX: str(ordinal)})
    pod = _with_claims(pod, stateful_set)
    return pod, tuple(_claims(pod, stateful_set))


def _claims(pod: Pod, stateful_set: StatefulSet) -> Iterator[PersistentVolumeClaim]:
    """The claims that the controller makes for a pod, a template each."""
    for template in stateful_set.spec.volume_claim_templates or ():
        yield claim_of_template(f"{template.metadata.name or ''}-{pod.name}", pod.namespace, template)


def _with_claims(pod: Pod, stateful_set: StatefulSet) -> Pod:
    """The pod with its own claim of each template, in place of a volume of the same name."""
    templates = [template.metadata.name or "" for template in stateful_set.spec.volume_claim_templates or ()]
    if not templates:
        return pod
    claims = ((name, PersistentVolumeClaimVolume(claim_name=f"{name}-{pod.name}")) for name in templates)
    own = (Volume(name=name, persistent_volume_claim=claim) for name, claim in claims)
    others = [volume for volume in pod.spec.volumes or () if volume.name not in templates]
    return replace(pod, spec=replace(pod.spec, volumes=(*own, *others)))


def _of_daemon_set(daemon_set: DaemonSet, template: PodTemplateSpec, count: int) -> WorkloadPods:
    labels = {POD_TEMPLATE_GENERATION: "1", CONTROLLER_REVISION_HASH: _template_hash(template)}
    template = _labelled(replace(template, spec=with_daemon_tolerations(template.spec)), labels)
    pins = "pins it there by node affinity (matchFields metadata.name); this explains such a pod without the pin"
    note = f'DaemonSet "{daemon_set.name}": its controller makes one pod for each node and {pins}'
    return WorkloadPods(_pods(daemon_set, template, _hashed_stem(daemon_set), count), notes=(note,))


def _of_job(job: Job, template: PodTemplateSpec, stem: str, count: int) -> WorkloadPods:
    """A job's pods carry labels that distinguish jobs; those that the template already has stay."""
    generated = {**dict.fromkeys(JOB_NAME_LABELS, job.name), **dict.fromkeys(JOB_UID_LABELS, _uid(job))}
    template = _labelled(template, {**generated, **(template.metadata.labels or {})})
    return WorkloadPods(_pods(job, template, stem, count))


def _of_cron_job(cron_job: CronJob, template: PodTemplateSpec, count: int) -> WorkloadPods:
    """A job a run; upstream names it after the time of the run, here it is named after a hash."""
    spec = cron_job.spec.job_template.spec if cron_job.spec.job_template else JobSpec()
    labels = cron_job.spec.job_template.metadata.labels if cron_job.spec.job_template else None
    job = Job(api_version="batch/v1", metadata=_owned(ObjectMeta, cron_job, _hashed_stem(cron_job), labels), spec=spec)
    return WorkloadPods(_of_job(job, template, job.name, count).pods, (job,))


# ---------------------------------------------------------------------------------------- pods and names


def _pods(controller: KubernetesObject, template: PodTemplateSpec, stem: str, count: int) -> tuple[Pod, ...]:
    """`count` pods of the template, named `stem-0` and so on, that belong to their controller."""
    return tuple(_pod(controller, template, f"{stem}-{index}") for index in range(count))


def _pod(controller: KubernetesObject, template: PodTemplateSpec, name: str) -> Pod:
    prefix = f"{controller.name.replace('/', '-')}-"
    metadata = _owned(PodMeta, controller, name, template.metadata.labels, generate_name=prefix)
    return Pod(api_version="v1", metadata=metadata, spec=template.spec)


def _owned(
    kind: type[Meta], controller: KubernetesObject, name: str, labels: Labels | None, generate_name: str | None = None
) -> Meta:
    """The metadata of what a controller makes, in its own namespace."""
    owners = (_controller_reference(controller),)
    home = controller.namespace
    return kind(name=name, generate_name=generate_name, namespace=home, labels=labels, owner_references=owners)


def _copies(pod: Pod, count: int, namespace: str) -> tuple[Pod, ...]:
    """The pod itself, or several that differ from it and each other in name."""
    if count == 1 and pod.name and pod.namespace:
        return (pod,)
    pod = _with_metadata(pod, name=_stem(pod), namespace=pod.namespace or namespace)
    if count == 1:
        return (pod,)
    return tuple(
        replace(_with_metadata(pod, name=f"{pod.name}-{index}", uid=None, creation_timestamp=None), status=PodStatus())
        for index in range(count)
    )


def _with_metadata(pod: Pod, **changes: object) -> Pod:
    return replace(pod, metadata=replace(pod.metadata, **changes))


def _labelled(template: PodTemplateSpec, labels: Labels) -> PodTemplateSpec:
    """The template with more labels; of two values for one label the new one counts."""
    metadata = replace(template.metadata, labels={**(template.metadata.labels or {}), **labels})
    return replace(template, metadata=metadata)


def _controller_reference(controller: KubernetesObject) -> OwnerReference:
    kind = controller.kind
    known = WORKLOAD_KIND_BY_NAME.get(kind)
    version, uid = controller.api_version or (known.api_version if known else None), _uid(controller)
    return OwnerReference(api_version=version, kind=kind, name=controller.name, uid=uid, controller=True)


def _uid(obj: KubernetesObject) -> str:
    """The object's uid, or one that follows from what it is, where a manifest has none."""
    return obj.metadata.uid or str(uuid.uuid5(uuid.NAMESPACE_URL, f"{obj.kind}/{obj.key}"))


def _stem(obj: KubernetesObject) -> str:
    """The object's name, or one made of its `generateName`, or of its kind where it has neither."""
    if obj.name:
        return obj.name
    prefix = obj.metadata.generate_name or f"{obj.kind.lower()}-"
    return f"{prefix}{_hash(prefix, _NAME_HASH_LENGTH)}"


def _hashed_stem(obj: KubernetesObject) -> str:
    """The beginning of generated names: name and hash, so that pods of different kinds never share a name."""
    return f"{obj.name}-{_hash(f'{obj.kind}/{obj.key}', _NAME_HASH_LENGTH)}"


def _template_hash(template: PodTemplateSpec) -> str:
    """A hash that any change of the pods changes, but not the order of maps, nor what is noted on the template."""
    bare = replace(template, metadata=replace(template.metadata, annotations=None))
    return _hash(msgspec.json.encode(bare, order="deterministic").decode(), _TEMPLATE_HASH_LENGTH)


def _hash(text: str, length: int) -> str:
    # Few runs have a name to make, and hashes take long to import.
    from hashlib import blake2b  # noqa: PLC0415

    digest = blake2b(text.encode(), digest_size=length).digest()
    return "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in digest)
