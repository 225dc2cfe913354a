"""The cluster as the scheduler sees it: an immutable snapshot with its accounting done."""

from kexplain.cluster.cluster import Cluster
from kexplain.cluster.listers import Listers
from kexplain.cluster.node_info import NodeInfo
from kexplain.cluster.pod_info import AffinityTerm, PodInfo, WeightedAffinityTerm
from kexplain.cluster.resource import Resource
