"""Whether a pod fits, without what there is to say of each node."""

from kexplain.cluster import Cluster
from kexplain.framework.pre_filtering import run_pre_filters
from kexplain.objects.core import Pod
from kexplain.scheduler.cycle import Scheduler


def fits_anywhere(scheduler: Scheduler, pod: Pod, cluster: Cluster) -> bool:
    """Whether the filters leave any node; extenders are not asked, and pods nominated for nodes are left aside."""
    made = run_pre_filters(scheduler.profiles[pod.scheduler_name], pod, cluster, scheduler.features)
    nodes = (each for each in cluster.node_infos if made.node_names is None or each.name in made.node_names)
    return made.rejection is None and any(map(made.chain.lets_in, nodes))
