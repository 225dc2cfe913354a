"""What queues and other schedulers say of a pod or of the group it belongs to.

Source: Kueue `flavorassigner`, `scheduler`, `workload_controller`; Volcano `unschedule_info`, `job_info`, gang,
proportion and capacity; KAI-Scheduler `common_info` and `capacity_policy`; Koordinator's elasticquota, coscheduling,
reservation, deviceshare, loadaware and nodenumaresource; scheduler-plugins' coscheduling, capacityscheduling,
noderesourcetopology and networkaware; YuniKorn's shim and core.
"""

from kexplain.messages.extender_texts import EXTENDER_NODE_TEXTS, EXTENDER_POD_TEXTS
from kexplain.messages.text import Text, worded

KUEUE, VOLCANO, KAI, YUNIKORN = "kueue", "volcano", "kai-scheduler", "yunikorn"
_PLUGINS, _KOORDINATOR = "scheduler-plugins", "koord-scheduler"
_CLUSTER_QUEUE = "kubectl describe clusterqueue"
_VOLCANO_GROUP = "kubectl get podgroups.scheduling.volcano.sh -o yaml"
_KAI_GROUP = "kubectl get podgroups.scheduling.run.ai -o yaml"
_KAI_QUEUE = "kubectl get queues.scheduling.run.ai -o yaml"

# Tables, a text a row, as compact as they read.
# fmt: off

#: What other schedulers, and plugins that are not in kube-scheduler, say of nodes.
OTHER_NODE_TEXTS: tuple[Text, ...] = (
    *EXTENDER_NODE_TEXTS,
    Text("<driver> driver not found at node", "CSI driver", "the node does not have the storage driver {driver}",
         "kubectl get csinodes; look at that driver's pod on the node"),
    Text("cannot align pod", f"NodeResourceTopologyMatch ({_PLUGINS})", "no NUMA node of the node has all that the pod "
         "asks for", "kubectl get noderesourcetopologies"),
    Text("cannot align container", f"NodeResourceTopologyMatch ({_PLUGINS})", "no NUMA node of the node has all that "
         "a single container of the pod asks for", "kubectl get noderesourcetopologies"),
    Text("cannot align <kind> container", f"NodeResourceTopologyMatch ({_PLUGINS})", "no NUMA node of the node has all "
         "that an {kind} container asks for", "kubectl get noderesourcetopologies"),
    Text("invalid node topology data", f"NodeResourceTopologyMatch ({_PLUGINS})", "what is known of the node's NUMA "
         "nodes is out of date", "wait; if it stays, look at the exporter of NodeResourceTopology"),
    Text("Node <node> does not meet several network requirements from Workload dependencies: Satisfied: <have> "
         "Violated: <want>", f"NetworkOverhead ({_PLUGINS})", "{node} is too far from the pods that this one talks to: "
         "{want} requirements are violated, {have} are met", "kubectl get appgroups"),
    Text("node(s) no reservation(s) to meet the requirements", f"Reservation ({_KOORDINATOR})", "no Reservation on the "
         "node has what the pod asks for", "kubectl get reservations"),
    Text("node(s) no reservations match reservation affinity", f"Reservation ({_KOORDINATOR})", "no Reservation on the "
         "node is one that the pod asks for", "kubectl get reservations"),
    Text("Insufficient <resource> by node", f"Reservation ({_KOORDINATOR})", "beside what is reserved, the node has "
         "too little {resource}", "kubectl get reservations"),
    Text("Reservation(s) Insufficient <resource>", f"Reservation ({_KOORDINATOR})", "the Reservations on the node have "
         "too little {resource} left", "kubectl get reservations"),
    Text("Reservation(s) <reason>", f"Reservation ({_KOORDINATOR})", "the Reservations on the node do not fit: "
         "{reason}", "kubectl get reservations"),
    Text("<count> Reservation(s) <reason>", f"Reservation ({_KOORDINATOR})", "{count} Reservations on the nodes do not "
         "fit: {reason}", "kubectl get reservations"),
    Text("node(s) <resource> usage exceed threshold", f"LoadAwareScheduling ({_KOORDINATOR})", "too much {resource} "
         "is in use on the node for more pods", "kubectl get nodemetrics"),
    Text("node(s) <resource> aggregated usage exceed threshold", f"LoadAwareScheduling ({_KOORDINATOR})", "too much "
         "{resource} has been in use on the node for more pods", "kubectl get nodemetrics"),
    Text("node(s) nodeMetric expired", f"LoadAwareScheduling ({_KOORDINATOR})", "the node has not reported its load "
         "lately", "look at koordlet's pod on the node"),
    Text("node(s) NUMA Topology policy not match", f"NodeNUMAResource ({_KOORDINATOR})", "the NUMA policies of pod and "
         "node do not agree", "kubectl get noderesourcetopologies"),
    Text("node(s) invalid CPU Topology", f"NodeNUMAResource ({_KOORDINATOR})", "the node's CPU topology is not known",
         "look at koordlet's pod on the node"),
    Text("not enough cpus available to satisfy request", f"NodeNUMAResource ({_KOORDINATOR})", "the node has too few "
         "free CPUs to bind the pod to"),
    Text("the requested CPUs must be integer", f"NodeNUMAResource ({_KOORDINATOR})", "the pod is to be bound to CPUs "
         "and requests a part of one", "request whole CPUs"),
    Text("Insufficient amplified cpu", f"NodeNUMAResource ({_KOORDINATOR})", "the node has too little CPU left, as "
         "amplified"),
    Text("Insufficient NUMA <resource>", f"NodeNUMAResource ({_KOORDINATOR})", "no NUMA node of the node has enough "
         "{resource}"),
    Text("Insufficient <kind> devices", f"DeviceShare ({_KOORDINATOR})", "the node has too few free {kind} devices",
         "kubectl get devices"),
    Text("Insufficient Partitioned GPU Devices", f"DeviceShare ({_KOORDINATOR})", "no partition of the node's GPUs is "
         "free that has enough of them", "kubectl get devices"),
    Text("node(s) Device Joint-Allocate rules violation", f"DeviceShare ({_KOORDINATOR})", "the node's free devices do "
         "not lie together as the pod asks for", "kubectl get devices"),
    Text("node(s) missing GPU Partition Table", f"DeviceShare ({_KOORDINATOR})", "the node does not report how its "
         "GPUs are partitioned", "kubectl get devices"),
    Text("node(s) pod number exceeded", VOLCANO, "the node runs as many pods as its kubelet allows",
         "see Allocatable pods in kubectl describe node"),
    Text("plugin <plugin> predicates failed <cause>", VOLCANO, "the node was turned away"),
    Text("node(s) resource fit failed", VOLCANO, "the node has too little free for the pod",
         "see Allocated resources in kubectl describe node"),
    Text("node(s) didn't have enough resources: <what>", KAI, "the node has too little free: {what}",
         "see Allocated resources in kubectl describe node"),
    Text("node-group(s) didn't have enough resources: <what>", KAI, "no group of nodes has enough free: {what}",
         _KAI_GROUP),
    Text("node(s) didn't have enough of mig profile: <what>", KAI, "the node has too few free MIG slices {what}",
         "see Allocated resources in kubectl describe node"),
    Text("device-plugin GPU requests cannot be scheduled on DRA-only nodes", KAI, "the node gives GPUs by claims only",
         "ask for GPUs by a ResourceClaim"),
    Text("MIG job cannot be scheduled on non-MIG node", KAI, "the node's GPUs are not split into MIG slices"),
)

#: What is said of a pod, or of its group, as a whole.
OTHER_POD_TEXTS: tuple[Text, ...] = (
    *EXTENDER_POD_TEXTS,
    # ------------------------------------------------------------------------------------------------ scheduler-plugins
    Text("pre-filter pod <pod> cannot find enough sibling pods, current pods number: <have>, minMember of group: "
         "<want>", f"Coscheduling ({_PLUGINS})", "the pod's group has {have} pods and needs {want}", "create the rest "
         "of the group's pods"),
    Text("podGroup <group> failed recently", f"Coscheduling ({_PLUGINS})", "the group was tried a moment ago and found "
         "no room", "wait; kubectl describe the other pods of the group"),
    Text("pre-filter pod <pod> cannot proceed due to gated pods in the same PodGroup", f"Coscheduling ({_PLUGINS})",
         "other pods of the group have scheduling gates"),
    Text("PodGroup <group> gets rejected due to Pod <pod> is unschedulable even after PostFilter",
         f"Coscheduling ({_PLUGINS})", "the group waits, as its pod {pod} fits nowhere", "kubectl describe pod/{pod}"),
    *worded(("PodGroup not found", "can not find pod group"), f"Coscheduling ({_PLUGINS})", "the PodGroup that the "
         "pod's label names does not exist", "kubectl get podgroups"),
    Text("Pod <pod> is rejected in PreFilter because ElasticQuota <quota> is more than Max",
         f"CapacityScheduling ({_PLUGINS})", "with the pod, ElasticQuota {quota} would exceed its max",
         "kubectl get elasticquotas -A"),
    Text("Pod <pod> is rejected in PreFilter because total ElasticQuota used is more than min",
         f"CapacityScheduling ({_PLUGINS})", "with the pod, all ElasticQuotas together would use more than the sum of "
         "their min", "kubectl get elasticquotas -A"),
    # ------------------------------------------------------------------------------------------------------ Koordinator
    Text("Insufficient quotas, quotaName: <quota>, runtime: <runtime>, used: <used>, pod's request: <asked>, "
         "exceedDimensions: <resources>", f"ElasticQuota ({_KOORDINATOR})", "quota {quota} may use {runtime} at the "
         "moment and uses {used}; the pod asks for {asked}", "kubectl describe elasticquota/{quota}"),
    Text("Insufficient non-preemptible quotas, quotaName: <quota>, min: <runtime>, nonPreemptibleUsed: <used>, pod's "
         "request: <asked>, exceedDimensions: <resources>", f"ElasticQuota ({_KOORDINATOR})", "pods that may not be "
         "evicted may use {runtime} of quota {quota} and use {used}; this one asks for {asked}",
         "kubectl describe elasticquota/{quota}"),
    Text("Insufficient <kind>quotas<details>", f"ElasticQuota ({_KOORDINATOR})", "the pod's quota is used up{details}",
         "kubectl get elasticquotas -A"),
    Text('Gang "<group>" gets rejected due to <reason>', f"Coscheduling ({_KOORDINATOR})", "gang {group} waits: "
         "{reason}", "kubectl describe the other pods of the gang"),
    Text('GangGroup "<group>" gets rejected due to <reason>', f"Coscheduling ({_KOORDINATOR})", "the gangs of {group} "
         "wait: {reason}", "kubectl describe the other pods of the gang"),
    Text("gangGroup <group> basic check: <reason>", f"Coscheduling ({_KOORDINATOR})", "the gangs of {group} are not "
         "complete: {reason}", "create the rest of the gang's pods"),
    Text("gang child pod not collect enough, gangName: <group>, podName: <pod>", f"Coscheduling ({_KOORDINATOR})",
         "gang {group} has fewer pods than it needs", "create the rest of the gang's pods"),
    Text("can't find gang, gangName: <group>, podName: <pod>", f"Coscheduling ({_KOORDINATOR})", "gang {group} does "
         "not exist", "kubectl get podgroups"),
    Text("no candidate topology nodes can accommodate job, desiredOfferSlot: <want>, <details>",
         f"Coscheduling ({_KOORDINATOR})", "no part of the network's topology has room for all {want} pods of the gang"
         ": {details}", "kubectl get clusternetworktopologies"),
    Text("gang has not init, gangName: <group>, podName: <pod>", f"Coscheduling ({_KOORDINATOR})", "gang {group} is "
         "not read yet", "kubectl get podgroups"),
    # ------------------------------------------------------------------------------------------------------------ Kueue
    Text("insufficient unused quota for <resource> in flavor <flavor>, <more> more needed", KUEUE, "in flavor {flavor} "
         "{more} of {resource} are missing at the moment", _CLUSTER_QUEUE),
    Text("insufficient unused quota in cohort for <resource> in flavor <flavor>, <more> more needed", KUEUE,
         "in flavor {flavor} the whole cohort lacks {more} of {resource} at the moment", _CLUSTER_QUEUE),
    Text("insufficient quota for <resource> in flavor <flavor> in ClusterQueue", KUEUE, "the queue never has enough "
         "{resource} in flavor {flavor}", _CLUSTER_QUEUE),
    Text("insufficient quota for <resource> in flavor <flavor>, <details>", KUEUE, "the queue never has enough "
         "{resource} in flavor {flavor}: {details}", _CLUSTER_QUEUE),
    *worded(("borrowing limit for <resource> in flavor <flavor> exceeded",
         "borrowing limit for <resource> flavor <flavor> exceeded"), KUEUE, "the queue may not borrow more {resource} "
         "in flavor {flavor}", "raise borrowingLimit of the ClusterQueue"),
    Text("resource <resource> unavailable in ClusterQueue", KUEUE, "the queue has no quota at all for {resource}",
         "add the resource to resourceGroups of the ClusterQueue"),
    Text("flavor <flavor> not found", KUEUE, "ResourceFlavor {flavor} does not exist", "kubectl get resourceflavors"),
    *worded(("flavor <flavor> doesn't match node affinity", "flavor <flavor> doesn't match with node affinity"), KUEUE,
         "the pod's node affinity excludes the nodes of flavor {flavor}", "compare with nodeLabels of the "
         "ResourceFlavor"),
    Text("flavor <flavor> does not provide resource <resource>", KUEUE, "flavor {flavor} has no {resource}",
         _CLUSTER_QUEUE),
    Text("untolerated taint <taint_of> in flavor <flavor>", KUEUE, "nodes of flavor {flavor} have a taint that the pod "
         "does not tolerate: {taint_of}", "add a toleration to the pod, or to the ResourceFlavor"),
    Text("skipping flavor <flavor> <details>", KUEUE, "flavor {flavor} was passed over {details}", _CLUSTER_QUEUE),
    Text("could not assign <flavor> flavor since the original workload is assigned: <details>", KUEUE, "the workload "
         "must stay in the flavor that it has: {details}"),
    Text("Pending the preemption of <count> workload(s)", KUEUE, "{count} workloads are being evicted to make room",
         "wait until they are gone"),
    Text("Preempting <count> workload(s) failed, will retry", KUEUE, "{count} workloads could not be evicted; Kueue "
         "tries again"),
    Text("Pending the migration of 1 workload(s)", KUEUE, "a workload is being moved to another flavor", "wait"),
    Text("Workload has overlapping preemption targets with another workload<details>", KUEUE, "another workload "
         "evicts the same ones first", "wait"),
    Text("Workload no longer fits after processing another workload", KUEUE, "another workload took the quota first",
         "wait: the workload is tried again"),
    Text("The workload has failed admission checks", KUEUE, "an AdmissionCheck turned the workload away",
         "see status.admissionChecks of the Workload"),
    Text("ClusterQueue <queue> is inactive", KUEUE, "ClusterQueue {queue} admits nothing at the moment",
         "kubectl describe clusterqueue/{queue}"),
    Text("ClusterQueue <queue> is stopped", KUEUE, "ClusterQueue {queue} is stopped (stopPolicy)",
         "kubectl describe clusterqueue/{queue}"),
    *worded(("ClusterQueue <queue> is terminating or missing", "ClusterQueue <queue> doesn't exist",
         "ClusterQueue <queue> not found"), KUEUE, "ClusterQueue {queue} does not exist", "kubectl get clusterqueues"),
    *worded(("LocalQueue <queue> doesn't exist", "LocalQueue <queue> is terminating or missing"), KUEUE, "LocalQueue "
         "{queue} does not exist in the namespace", "kubectl get localqueues"),
    Text("LocalQueue <queue> is stopped", KUEUE, "LocalQueue {queue} is stopped (stopPolicy)",
         "kubectl describe localqueue/{queue}"),
    Text("LocalQueue is stopped", KUEUE, "the LocalQueue is stopped (stopPolicy)", "kubectl describe localqueue"),
    *worded(("workload namespace doesn't match ClusterQueue selector",
         "Workload namespace doesn't match ClusterQueue selector"), KUEUE, "the ClusterQueue takes no workloads of "
         "this namespace", "see namespaceSelector of the ClusterQueue"),
    Text("waiting for all admitted workloads to be in PodsReady condition", KUEUE, "workloads that were admitted "
         "before must be ready first", "see which admitted Workloads lack the condition PodsReady"),
    Text('topology "<name>" doesn\'t allow to fit any of <count> <what>(s)<details>', KUEUE,
         "no domain of topology {name} has room for a single one of the {count} {what}s", "kubectl get topologies"),
    Text('topology "<name>" doesn\'t allow to fit<details>', KUEUE, "topology {name} has no room for the pods{details}",
         "kubectl get topologies"),
    Text('Flavor "<name>" supports only TopologyAwareScheduling', KUEUE, "flavor {name} has a topology, and the job "
         "asks for no place in one", "annotate the pod template with kueue.x-k8s.io/podset-required-topology"),
    Text('Flavor "<name>" does not support TopologyAwareScheduling', KUEUE, "the job asks for a place in a topology, "
         "and flavor {name} has none", "set topologyName of the ResourceFlavor"),
    Text('Flavor "<name>" information missing in TAS cache', KUEUE, "the nodes of flavor {name} are not known yet",
         "wait a moment"),
    Text("no requested topology level: <level>", KUEUE, "the topology of the flavor has no level {level}",
         "kubectl get topologies"),
    Text("no topology domains at level: <level>", KUEUE, "no node has the label {level}", "kubectl get nodes "
         "--show-labels"),
    Text("Failed to admit workload: <fault>", KUEUE, "the workload was to be admitted, which failed: {fault}"),
    Text("Workload was evicted as there was no replacement for <what>: <nodes_of>", KUEUE, "nodes of the workload are "
         "unhealthy ({nodes_of}), and nothing could take their place"),
    Text('Flavor "<name>" does not contain the requested level', KUEUE, "the topology of flavor {name} lacks the level "
         "that the workload asks for", "kubectl get topologies"),
    Text("couldn't change flavor from: <before> to: <flavor>, <details>", KUEUE, "the workload runs in {before} and "
         "cannot move to {flavor}: {details}"),
    Text('topology "<name>" allows to fit only <have> out of <count> <what>(s)<details>', KUEUE,
         "in one domain of topology {name} {have} of the {count} {what}s fit", "kubectl get topologies"),
    *worded(("Preempted to accommodate a workload (<who>) due to <reason>",
         "Evicted to accommodate a workload (<who>) due to <reason>"), KUEUE, "Kueue evicted the workload for another "
         "({who}): {reason}", _CLUSTER_QUEUE),
    Text("Exceeded the PodsReady timeout <name>", KUEUE, "Kueue evicted the workload: its pods were not ready in time",
         "kubectl describe its pods"),
    Text("Quota reserved in ClusterQueue <queue>, <details>", KUEUE, "the workload has its quota in {queue}"),
    Text("Quota reserved in ClusterQueue <queue>", KUEUE, "the workload has its quota in {queue}"),
    Text("Admitted by ClusterQueue <queue>, <details>", KUEUE, "the workload may run: {queue} admitted it"),
    Text("Admitted by clusterQueue <queue>", KUEUE, "the workload may run: {queue} admitted it"),
    Text("The workload has no reservation", KUEUE, "the workload has no quota yet", "see the condition QuotaReserved "
         "of the Workload"),
    Text("Created Workload: <workload>", KUEUE, "Kueue took the job over as Workload {workload}",
         "kubectl describe workload"),
    Text("Workload didn't fit in the remaining quota", KUEUE, "the queue has too little quota left at the moment",
         _CLUSTER_QUEUE),
    Text("Workload didn't fit: <details>", KUEUE, "the queue does not take the workload: {details}", _CLUSTER_QUEUE),
    Text("Couldn't assign flavors for podSet <name>: <fault>", KUEUE, "no flavor of the queue takes pod set "
         "{name}: {fault}", _CLUSTER_QUEUE),
    Text("flavor <flavor> not found in ClusterQueue flavors", KUEUE, "the queue has no flavor {flavor}",
         _CLUSTER_QUEUE),
    Text("insufficient quota for <resource> flavor <flavor>, <details>", KUEUE, "flavor {flavor} has too little "
         "{resource}: {details}", _CLUSTER_QUEUE),
    Text("Admission checks <checks> are rejected", KUEUE, "admission checks turned the workload away: {checks}",
         "see status.admissionChecks of the Workload"),
    Text("At least one admission check set a retry time", KUEUE, "an admission check is to be tried again later",
         "see status.admissionChecks of the Workload"),
    Text("Can't admit new workloads: <why>", KUEUE, "the ClusterQueue admits nothing: {why}", _CLUSTER_QUEUE),
    Text("references missing <what>", KUEUE, "the ClusterQueue names what does not exist: {what}", _CLUSTER_QUEUE),
    Text("references inactive AdmissionCheck(s): <checks>", KUEUE, "admission checks of the ClusterQueue are not "
         "active: {checks}", "kubectl describe admissionchecks"),
    Text("didn't satisfy LimitRange constraints: <details>", KUEUE, "a LimitRange of the namespace does not allow "
         "the pods: {details}", "kubectl describe limitranges"),
    Text("resource validation failed: <details>", KUEUE, "the pods ask for more than their limits: {details}",
         "correct their requests and limits"),
    Text("The maximum execution time (<time>) exceeded", KUEUE, "Kueue stopped the job: it ran longer than {time}",
         "see the label kueue.x-k8s.io/max-exec-time-seconds"),
    Text("Deactivated due to <why>", KUEUE, "Kueue does not admit the workload any more: {why}",
         "set spec.active of the Workload once it is mended"),
    Text("The workload is deactivated<details>", KUEUE, "Kueue does not admit the workload any more{details}",
         "set spec.active of the Workload once it is mended"),
    Text("Workload is inadmissible because <why>", KUEUE, "Kueue cannot admit the workload: {why}",
         "kubectl describe workload"),
    Text("Preempted to accommodate a higher priority Workload", KUEUE, "Kueue evicted the workload for one of "
         "higher priority", _CLUSTER_QUEUE),
    Text("Preempted by another workload in the <where>", KUEUE, "Kueue evicted the workload for another of the "
         "{where}", _CLUSTER_QUEUE),
    Text("Evicted due to <why>", KUEUE, "Kueue evicted the workload: {why}", "kubectl describe workload"),
    Text("Retrying after failure: <fault>", KUEUE, "the nodes that were to be provisioned did not come, and Kueue "
         "asks again: {fault}", "kubectl describe provisioningrequest"),
    Text("Waiting for backoff to finish", KUEUE, "the workload waits until it may be tried again", "wait"),
    # ---------------------------------------------------------------------------------------------------------- Volcano
    Text("pod group is not ready, <details>", VOLCANO, "too few pods of the group have a node: {details}",
         _VOLCANO_GROUP),
    Text("pod group is ready, <details>", VOLCANO, "enough pods of the group have a node: {details}"),
    Text("PodGroup <group> unschedule,reason: <cause>", VOLCANO, "the pods of group {group} have no nodes"),
    Text("<have>/<want> tasks in gang unschedulable: <details>", VOLCANO, "{have} of the group's {want} pods have no "
         "node: {details}", _VOLCANO_GROUP),
    Text("queue resource quota insufficient: <details>", VOLCANO, "the queue's capability is used up: {details}",
         "kubectl get queues.scheduling.volcano.sh -o yaml"),
    Text("queue resource quota insufficient", VOLCANO, "the queue's capability is used up",
         "kubectl get queues.scheduling.volcano.sh -o yaml"),
    Text("resource in cluster is overused: <details>", VOLCANO, "the cluster is too full to let the group in: "
         "{details}", "kubectl top nodes"),
    Text("resource in cluster is overused", VOLCANO, "the cluster is too full to let the group in",
         "kubectl top nodes"),
    Text("Not enough valid tasks for gang-scheduling, valid: <have>, min: <want>", VOLCANO, "the group has {have} pods "
         "and needs {want}", "create the rest of the group's pods"),
    Text("Not enough valid pods of each task for gang-scheduling", VOLCANO, "a task of the job has fewer pods than its "
         "minAvailable", "create the rest of the group's pods"),
    Text("Pod <pod> can possibly be assigned to <node>, once <what> is satisfied", VOLCANO, "the pod would fit on "
         "{node} and waits until enough pods of its group do", _VOLCANO_GROUP),
    Text("Pod <pod> can possibly be assigned to <node>", VOLCANO, "{node} would take the pod; its group waits for "
         "other pods", "see the PodGroup of the pod, and its other pods"),
    Text("all nodes are unavailable", VOLCANO, "no node can take the pod"),
    # -------------------------------------------------------------------------------------------------------------- KAI
    Text("Non-preemptible workload is over quota. <details>", KAI, "a workload that may not be preempted may not go "
         "over its queue's quota. {details}", _KAI_QUEUE),
    Text("<queue_of> quota has reached the allowable limit of <resource_of>. <details>", KAI, "{queue_of} is at its "
         "limit of {resource_of}. {details}", _KAI_QUEUE),
    Text("Resources were found for <have> pods while <want> are required for gang scheduling. <details>", KAI,
         "there is room for {have} pods of the group, and {want} must start together. {details}", _KAI_GROUP),
    Text("Resources were not found for pod <pod> due to: <details>", KAI, "no node can take {pod}: {details}",
         _KAI_GROUP),
    Text("Not enough resources for the workload<details>", KAI, "there is no room for the whole group{details}",
         _KAI_GROUP),
    Text("Unable to schedule podgroup", KAI, "the group could not be placed", _KAI_GROUP),
    Text("Unable to schedule pod", KAI, "the pod could not be placed", _KAI_GROUP),
    Text("no nodes with enough resources were found", KAI, "no node can take the pod", _KAI_GROUP),
    Text("Job is not ready for scheduling. Waiting for <details>", KAI, "the group is not complete. It waits for "
         "{details}", "create the rest of the group's pods"),
    Text("Job is stale. <count> pods are active, minMember is <want>", KAI, "{count} pods of the group run, and it "
         "needs {want}", _KAI_GROUP),
    Text("The pod <pod> requires <details>", KAI, "no node is large enough for the pod: it requires {details}",
         "kubectl get nodes"),
    Text("Pod <pod> was preempted by higher priority workload <workload>", KAI, "the pod was evicted for {workload}, "
         "whose priority is higher", _KAI_QUEUE),
    Text("Pod <pod> was preempted by workload <workload>. <details>", KAI, "the pod was evicted for {workload}, whose "
         "queue has a better claim. {details}", _KAI_QUEUE),
    Text("Pod <pod> was preempted and rescheduled due to bin packing (resource consolidation) procedure", KAI,
         "the pod was moved to make room for others"),
    Text("Workload doesn't meet the minimum required number of pods <details>", KAI, "too few pods of the group are "
         "left, so the rest is evicted: {details}", _KAI_GROUP),
    # --------------------------------------------------------------------------------------------------------- YuniKorn
    Text("<pod> is queued and waiting for allocation", YUNIKORN, "the pod waits in YuniKorn's queue",
         "see the queue's use in YuniKorn's web pages"),
    Text("Task <pod> is skipped from scheduling because the queue quota has been exceed", YUNIKORN, "the queue's quota "
         "is used up", "see the queue's maximum in YuniKorn's configuration"),
    Text("Task <pod> is pending for the requested resources become available", YUNIKORN, "no node has room for the "
         "pod", "kubectl describe nodes"),
    Text("Task <pod> is rejected by the scheduler", YUNIKORN, "YuniKorn takes no such pod", "see the events of the "
         "application's first pod"),
    Text("Request '<name>' does not fit in queue '<queue_of>' (requested <asked>, available <free>)", YUNIKORN,
         "queue {queue_of} has {free} left, and the pod asks for {asked}", "see the queue's maximum in YuniKorn's "
         "configuration"),
    Text("Request '<name>' exceeds the available user quota (requested <asked>, available <free>)", YUNIKORN,
         "the user has {free} left, and the pod asks for {asked}", "see the limits of users in YuniKorn's "
         "configuration"),
    Text("Unschedulable request '<name>': <details>", YUNIKORN, "no node can take the pod: {details}"),
    Text("Application <name> placeholder has been timed out", YUNIKORN, "the gang of {name} did not get all its places "
         "in time", "see the placeholders' events"),
    Text("Application <name> scheduling failed, reason: <details>", YUNIKORN, "YuniKorn gave {name} up: {details}"),
    Text("Application <name> resuming as non-gang application (SOFT<details>", YUNIKORN, "the gang did not get all its "
         "places in time and goes on without waiting for them"),
    Text("Pod belongs to the taskGroup <group>, it will be scheduled as a gang member", YUNIKORN, "the pod takes the "
         "place that was kept for its gang"),
)
