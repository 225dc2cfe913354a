"""Which pods the scheduler may place by the ranking of the pod before. Source: `framework/runtime/batch.go`.

It does so where two pods in a row have one signature and the node of the first has no more room. Upstream signs fewer
pods than are signed here, and reads all their labels. With an extender it signs none.
"""

from collections.abc import Sequence
from itertools import pairwise

from kexplain.cluster import Cluster
from kexplain.framework.plugin import offers
from kexplain.framework.profile import Profile
from kexplain.framework.signing import Batching
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.signing import sign


def may_share_a_ranking(scheduler: Scheduler, pods: Sequence[Pod], cluster: Cluster) -> bool:
    """Whether some of these pods may be placed by the ranking of an identical one that comes right before it."""
    if not scheduler.features.alike_pods_may_share_a_ranking or scheduler.extenders:
        return False
    return any(_are_signed_alike(scheduler, *pair, cluster) for pair in pairwise(pods))


def _are_signed_alike(scheduler: Scheduler, one: Pod, other: Pod, cluster: Cluster) -> bool:
    profile = scheduler.profiles.get(one.scheduler_name)
    if profile is None or one.labels != other.labels or not (_is_signed(profile, one) and _is_signed(profile, other)):
        return False
    signature = sign(scheduler, one, cluster)
    return signature is not None and signature == sign(scheduler, other, cluster)


def _is_signed(profile: Profile, pod: Pod) -> bool:
    """Whether all plugins sign the pod upstream: by default, none is signed, as it is spread by default."""
    plugins = (*profile.pre_filter, *profile.filter, *profile.pre_score, *profile.score, *profile.not_evaluated)
    return all(plugin.is_signed_upstream(pod) for plugin in plugins if offers(plugin, Batching))
