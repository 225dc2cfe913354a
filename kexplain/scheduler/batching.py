"""Which pods the scheduler may place by the ranking of the pod before. Source: `framework/runtime/batch.go`.

It does so where two pods in a row have one signature and the node of the first has no more room. Every plugin of the
profile has to sign a pod, and `SignPod` of these does not: PodTopologySpread with constraints, its defaults among
them, InterPodAffinity for pods with such terms, and DynamicResources for pods with claims. A profile with an extender,
or with a plugin that knows nothing of signatures, signs none.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from kexplain.framework.profile import Profile
from kexplain.objects.core import Pod
from kexplain.plugins.out_of_tree import OutOfTreePlugin
from kexplain.plugins.pod_topology_spread import PodTopologySpread
from kexplain.scheduler.cycle import Scheduler


def may_share_a_ranking(scheduler: Scheduler, pods: Sequence[Pod]) -> bool:
    """Whether some of these pods may be placed by the ranking of an identical one that comes right before it."""
    if not scheduler.features.alike_pods_may_share_a_ranking or scheduler.extenders:
        return False
    signing = {name for name, profile in scheduler.profiles.items() if _signs(profile)}
    if not signing:
        return False
    shapes = [_shape(pod) if (pod.spec.scheduler_name or "") in signing else None for pod in pods]
    return any(one is not None and one == other for one, other in pairwise(shapes))


def _signs(profile: Profile) -> bool:
    """Whether the profile signs pods at all: the default one does not."""
    if any(isinstance(plugin, OutOfTreePlugin) for plugin in profile.not_evaluated):
        return False
    plugins = (*profile.pre_filter, *profile.filter, *profile.pre_score, *profile.score)
    return not any(isinstance(plugin, PodTopologySpread) and plugin.default_constraints for plugin in plugins)


def _shape(pod: Pod) -> Hashable | None:
    """What the scheduler may take pods to be identical by; None for pods that are not signed."""
    spec, affinity = pod.spec, pod.spec.affinity
    if spec.topology_spread_constraints or spec.resource_claims:
        return None
    if affinity is not None and (affinity.pod_affinity or affinity.pod_anti_affinity):
        return None
    read = (spec.containers, spec.init_containers, spec.overhead, spec.resources, spec.node_selector, affinity)
    return repr((spec.scheduler_name, pod.labels, spec.tolerations, *read))
