"""What scheduler extenders say, where the scheduler repeats it of nodes, and in events of their own.

Read in the sources of HAMi 2.3 to 2.8, HiveD 0.4, TopoLVM 0.36, Alibaba's gpushare and Palantir's spark-scheduler.
"""

from kexplain.messages.text import Text, worded

HAMI, HIVED, SPARK, GPU_SHARE, TOPOLVM = "hami-scheduler", "hivedscheduler", "spark-scheduler", "gpushare", "topolvm"
_CARDS = "see the annotations hami.io/node-… of the node, and the pods on it"

# Tables, a text a row, as compact as they read.
# fmt: off

#: Why HAMi does not take a card.
_OF_CARDS = {
    "CardTypeMismatch": "of another type than the pod takes",
    "CardUuidMismatch": "left out by the UUIDs that the pod names",
    "CardTimeSlicingExhausted": "shared by as many containers as it may be",
    "CardComputeUnitsExhausted": "used to the last of its cores",
    "CardInsufficientMemory": "left with too little memory",
    "CardInsufficientCore": "left with too few cores",
    "CardNotHealth": "not healthy",
    "CardCordoned": "taken out of service",
    "NumaNotFit": "on another NUMA node than the first",
    "ExclusiveDeviceAllocateConflict": "in use, where the pod wants it alone",
    "CardNotFoundCustomFilterRule": "turned away by the rule of its kind",
    "CardMigTopologyInfeasible": "left without a free place for a MIG slice of that size",
    "AllocatedCardsInsufficientRequest": "that fit, fewer than the pod asks for",
    "ResourceQuotaNotFit": "beyond the namespace's quota of devices",
    "ModeNotFit": "in another mode than the pod takes",
    "NodeInsufficientDevice": "missing, as the node has fewer than the pod asks for",
}

EXTENDER_NODE_TEXTS: tuple[Text, ...] = (
    *(Text(f"<have>/<want> {reason}<details>", HAMI, f"cards {meaning}: {{have}} of {{want}}{{details}}", _CARDS)
      for reason, meaning in _OF_CARDS.items()),
    Text("NodeInsufficientDevice", HAMI, "the node has fewer cards than the pod asks for", _CARDS),
    Text("NodeUnfitPod", HAMI, "no GPU of the node has the memory or cores left that the pod asks for",
         "kubectl describe pod: the event FilteringFailed beside it names what is missing"),
    Text("node not fit pod", HAMI, "no GPU of the node has the memory or cores left that the pod asks for", _CARDS),
    *worded(("node unregistered", "node unregisterd"), HAMI, "the node's device plugin has not told HAMi of any card",
         "look at the pod hami-device-plugin on the node, and the node's label gpu=on"),
    Text("Pod is waiting for preemptible or free resource to appear: <cause>", HIVED,
         "the virtual cluster has no place for the pod: {cause}", "see the log of hivedscheduler"),
    Text("node(<node>) has preemptible Pods: <details>", HIVED, "{node} would have room without {details}"),
    Text("out of VG free space", TOPOLVM, "the node's volume group has too little left for the pod's claims",
         "kubectl get csistoragecapacities -A, or the annotation capacity.topolvm.io/… of the node"),
    Text("no capacity annotation", TOPOLVM, "TopoLVM does not run on the node, or has no such device class there",
         "look at the pod topolvm-node on the node"),
    Text("Insufficient GPU Memory in one device", GPU_SHARE, "no single GPU of the node has as much memory left",
         "kubectl inspect gpushare"),
    Text("The node <node> is not for GPU share, need skip", GPU_SHARE, "{node} does not share GPUs",
         "see Allocatable aliyun.com/gpu-mem in kubectl describe node"),
    Text("application does not fit to the cluster", SPARK, "the driver and all executors together fit nowhere",
         "request fewer executors, or add nodes"),
    Text("earlier drivers do not fit to the cluster", SPARK, "applications before this one wait as well",
         "look at the oldest pending driver"),
    Text("application has no free executor spots to schedule this one", SPARK,
         "every place reserved for the application's executors is taken", "kubectl get resourcereservations"),
    Text("not enough capacity to reschedule the executor", SPARK, "no node has room for an executor that was lost",
         "see Allocated resources in kubectl describe node"),
    Text("can not schedule non spark pod", SPARK, "the pod lacks the label spark-role",
         "leave schedulerName to kube-scheduler"),
)

EXTENDER_POD_TEXTS: tuple[Text, ...] = (
    *(Text(f"<count> nodes {reason}(<details>)", HAMI, f"cards {meaning}, on {{count}} nodes: {{details}}", _CARDS)
      for reason, meaning in _OF_CARDS.items()),
    Text("no available node, all node scores do not meet", HAMI, "no node has the cards that the pod asks for", _CARDS),
    Text("no available node, <count> nodes do not meet", HAMI, "none of {count} nodes has the cards that the pod asks "
         "for", "see the other events FilteringFailed of the pod"),
    Text("does not request any resource", HAMI, "the pod asks for no card, so that HAMi has no part in it"),
    Text("calcScore failed <cause> for pod <pod>", HAMI, "HAMi failed at {pod}: {cause}", "see HAMi's log"),
    *worded(("node <node> has been locked within <times>", "node <node> has been locked within <count> minutes"), HAMI,
         "another pod is being given its cards on {node}", "wait; if it stays, look at the annotation "
         "hami.io/mutex.lock of the node"),
    Text("find fit node(<node>), <count> nodes not fit, <have> nodes fit(<details>)", HAMI,
         "{node} has the cards; so have {details}, and {count} have not"),
    Text("Successfully binding node <node> to <pod>", HAMI, "the pod has a node: {node}"),
)
