"""What each further replica of a pod has for itself: the claims that controllers make along with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from kexplain.admission import default_class, ephemeral_claims, generate_claims, stored
from kexplain.admission.storage import claim_of_template
from kexplain.case.records import PodToPlace
from kexplain.cluster import Cluster
from kexplain.objects.apps import StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.resource import ResourceClaimTemplate
from kexplain.objects.storage import StorageClass


def claims_of_replicas(
    pods: Sequence[PodToPlace], cluster: Cluster
) -> Callable[[Pod, int], tuple[Pod, tuple[KubernetesObject, ...]]]:
    """What gives a replica of the pod at a place among these its own claims, and returns both."""
    templates = {each.key: each for each in cluster.listers.every(ResourceClaimTemplate)}
    class_name = default_class(cluster.listers.every(StorageClass))

    def claims(replica: Pod, place: int) -> tuple[Pod, tuple[KubernetesObject, ...]]:
        fresh = replace(replica, status=replace(replica.status, resource_claim_statuses=None))
        generated = generate_claims(fresh, templates)
        pod, of_set = _with_claims_of_set(generated.pod, pods[place])
        made = (*ephemeral_claims(pod), *generated.claims, *of_set)
        return pod, tuple(stored(each, class_name) for each in made)

    return claims


def _with_claims_of_set(pod: Pod, placed: PodToPlace) -> tuple[Pod, list[KubernetesObject]]:
    """The pod with the claims of its stateful set in place of those of the pod that it is a replica of."""
    workload = placed.made_of
    templates = workload.spec.volume_claim_templates or () if isinstance(workload, StatefulSet) else ()
    template_by_claim = {f"{each.metadata.name}-{placed.pod.name}": each for each in templates}
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
