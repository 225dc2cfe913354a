"""Whether a pod fits, without what there is to say of each node."""

from kexplain.cluster import Cluster
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler

_FEW = 8


def fits_anywhere(scheduler: Scheduler, pod: Pod, cluster: Cluster) -> bool:
    """Whether the filters leave any node; extenders are not asked, and pods nominated for nodes are left aside."""
    made = run_pre_filters(scheduler.profiles[pod.scheduler_name], pod, cluster, scheduler.features)
    nodes = [each for each in cluster.node_infos if made.node_names is None or each.name in made.node_names]
    if made.rejection is not None:
        return False
    # Most pods that fit do so on one of the first; to ask about all in one go costs less than one by one.
    return any(map(made.chain.lets_in, nodes[:_FEW])) or None in made.chain.asked_about(cluster)(nodes[_FEW:])
