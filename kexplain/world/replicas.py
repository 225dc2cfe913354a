"""What each further replica of a pod has for itself: the claims that controllers make along with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from kexplain.admission import default_class, ephemeral_claims, generate_claims, stored
from kexplain.admission.storage import claim_of_template
from kexplain.case.own_pods import ordinal_of
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.objects.apps import StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.objects.storage import StorageClass


def claims_of_replicas(
    pods: Sequence[PodToPlace], cluster: Cluster
) -> Callable[[Pod, int], tuple[Pod, tuple[KubernetesObject, ...]]]:
    """What gives a replica of the pod at a place among these its own claims, and returns both.

    Claims that do not wait for a pod are bound. A stateful set counts on from the ordinal that comes next.
    """
    templates = {each.key: each for each in cluster.listers.every(ResourceClaimTemplate)}
    class_name = default_class([*cluster.listers.every(StorageClass)])
    firsts = [_next_ordinal(each, cluster) for each in pods]

    def claims(replica: Pod, place: int) -> tuple[Pod, tuple[KubernetesObject, ...]]:
        fresh = replace(replica, status=replace(replica.status, resource_claim_statuses=None))
        generated = generate_claims(fresh, templates)
        pod, of_set = _with_claims_of_set(generated.pod, pods[place], firsts[place])
        made = [stored(each, class_name) for each in (*ephemeral_claims(pod), *of_set)]
        claims = (each for each in made if isinstance(each, PersistentVolumeClaim))
        new = [each for each in claims if cluster.listers.get(PersistentVolumeClaim, each.name, each.namespace) is None]
        return pod, (*new, *generated.claims)

    return claims


def ordinals_on_nodes(stateful_set: StatefulSet, namespace: str, cluster: Cluster) -> Iterator[tuple[int, Pod, str]]:
    """The pods that a stateful set has on nodes: the ordinal of each, the pod, and its node."""
    key = (StatefulSet.__name__, stateful_set.name, namespace)
    for node_info in cluster.node_infos:
        for info in node_info.pods:
            by, ordinal = info.pod.metadata.controller, ordinal_of(info.pod.name)
            if by and (by.kind, by.name, info.pod.namespace) == key and ordinal is not None:
                yield ordinal, info.pod, node_info.name


def _next_ordinal(placed: PodToPlace, cluster: Cluster) -> int:
    """The number of the pod that a stateful set makes next; 0 for what is none, or has no pods."""
    owner = placed.made_of
    if not isinstance(owner, StatefulSet):
        return 0
    there = ordinals_on_nodes(owner, owner.namespace or placed.pod.namespace, cluster)
    return max([owner.start - 1, *(ordinal for ordinal, *_ in there)]) + 1


def _with_claims_of_set(pod: Pod, placed: PodToPlace, first: int) -> tuple[Pod, list[KubernetesObject]]:
    """The pod as its stateful set makes it, by its ordinal, with claims of its own in place of the other pod's."""
    workload = placed.made_of
    if not isinstance(workload, StatefulSet):
        return pod, []
    templates = workload.spec.volume_claim_templates or ()
    template_by_claim = {f"{each.metadata.name}-{placed.pod.name}": each for each in templates}
    ordinal = first + int(pod.name.rpartition("-")[2])
    pod = replace(pod, metadata=replace(pod.metadata, name=f"{workload.name}-{ordinal}"))
    made: list[KubernetesObject] = []
    volumes = []
    for volume in pod.spec.volumes or ():
        source = volume.persistent_volume_claim
        template = template_by_claim.get(source.claim_name) if source else None
        if source is not None and template is not None:
            name = f"{template.metadata.name}-{pod.name}"
            made.append(claim_of_template(name, pod.namespace, template))
            volumes.append(replace(volume, persistent_volume_claim=replace(source, claim_name=name)))
        else:
            volumes.append(volume)
    return (replace(pod, spec=replace(pod.spec, volumes=tuple(volumes))), made) if made else (pod, made)
