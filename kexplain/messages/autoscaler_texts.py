"""What autoscalers say of pods that wait for a node: cluster-autoscaler, also as clouds run it, and Fargate.

Source: events and logs of cluster-autoscaler 0.5 to 1.36 (`SkippedReasons`, `RejectedReasons`, status processors,
`ScaleUpOrchestrator`, `Planner`, the clouds' node groups); what GKE documents of its own.
"""

from msgspec.structs import replace

from kexplain.messages.text import Row, Text, rows, worded

CLUSTER_AUTOSCALER = "cluster-autoscaler"

_CLOUD_ERROR = "look for the cloud's error: quota, or no capacity"
_NONE_COMES = f"if none comes, {_CLOUD_ERROR}"
_MACHINES = "see the machines' own logs, and whether they can reach the cluster"
_MAXIMUM = "raise the maximum size of the node group"
_TOTAL = "raise --max-nodes-total of the autoscaler"
_REQUEST = "kubectl describe provisioningrequest"
_NODES = "kubectl get nodes"

# Tables, a text a row, as compact as they read.
# fmt: off

_ROWS: tuple[Row, ...] = (
    (("max node group size reached", "max limit reached"), "the node group may not grow any further", _MAXIMUM),
    ("can't increase node group size", "the node group may not grow any further, or failed to grow a moment ago",
     "raise the maximum size of the node group; " + _CLOUD_ERROR),
    ("max cluster <resources> limit reached", "the limit on all {resources} in the cluster is reached",
     "raise the autoscaler's resource limits"),
    (("max total nodes in cluster reached", "max node total count already reached"),
     "the cluster has as many nodes as the autoscaler may run", _TOTAL),
    ('exceeded quota: "<quota>", resources: <resources>', ("one more node would exceed the capacity quota {quota} "
     "({resources})"), "raise that quota, or the autoscaler's resource limits"),
    ("atomic scale-up exceeds cluster node count limit", ("the node group grows in one step only, and that step would "
     "exceed the limit on nodes"), _TOTAL),
    ("not all pods would fit and scale-up is using all-or-nothing strategy",
     "the pods are to get nodes all at once, and the group cannot grow enough for all", _MAXIMUM),
    ("expansion options filtered out and no longer considered", "the expander prefers another node group",
     "see the autoscaler's --expander"),
    ("scale-up execution failed", "the cloud refused to add the node", _CLOUD_ERROR),
    ("in backoff after failed scale-up", ("the node group failed to grow recently, and the autoscaler waits before it "
     "tries again"), _CLOUD_ERROR),
    ("not ready for scale-up", "the node group is not healthy", "check its nodes"),
    (("Unschedulable pod ignored in scale-up loop, because it's consuming ProvisioningRequest <name> that is in "
     "<state> state"), "the nodes of the pod come by ProvisioningRequest {name} ({state}), not one by one", _REQUEST),
    (("Unschedulable pod didn't trigger scale-up, because it's consuming ProvisioningRequest <name>",
     "Unschedulable pod ignored in scale-up loop, because it's consuming ProvisioningRequest <name>"),
     "the nodes of the pod come by ProvisioningRequest {name}, not one by one", _REQUEST),
    (("pod triggered scale-up: <groups>", "pod triggered scale-up, group: <groups>"),
     "new nodes are on their way: {groups}", _NONE_COMES),
    ("pod triggered scale-up", "new nodes are on their way", _NONE_COMES),
    ("can't schedule pod <pod>: couldn't find a matching Node with passing predicates",
     "the pod would not fit on a new node of the group"),
    ("pod didn't trigger scale-up (it wouldn't fit if a new node is added)", ("no node group could give the pod a "
     "node: each is at its maximum, or its nodes are too small or are not as the pod selects"),
     "compare the pod with the node groups and their maximum sizes"),
    ("Pod <pod> can't be scheduled on <group>. Used cached predicate check results",
     "node group {group} would not take the pod, for the same reason as a pod of the same controller",
     "see what the log says of that pod"),
    ("Pod <pod> can't be scheduled on <group>", "node group {group} would not take the pod"),
    ("No pod can fit to <group>", "node group {group} takes none of the pending pods",
     "see what the log says of each pod"),
    (("No expansion options", "No expansion optiions"), "no node group can grow for the pending pods",
     "see what the log says of each node group"),
    ("Skipping node group <group> - max size reached", "node group {group} may not grow any further", _MAXIMUM),
    ("Skipping node group <group> - <details>", "node group {group} is passed over: {details}"),
    ("Skipping node group <group>; <details>", "node group {group} is passed over: {details}"),
    ("Node group <group> is not ready for scaleup<details>", ("node group {group} is not healthy, or failed to grow a "
     "moment ago"), _CLOUD_ERROR),
    ("Pod <pod> is unschedulable", "the autoscaler looks for a node group for the pod"),
    ("Pod <pod> will be scheduled after low <order> pods are preempted on <node>. Ignoring in scale up",
     "the scheduler is evicting pods for {pod} on {node}, so that no node is added for it"),
    ("Pod <pod> marked as unschedulable can be scheduled on <node>. Ignoring in scale up",
     "{pod} fits on {node}, as far as the autoscaler can tell, so that no node is added for it",
     "look at why the scheduler does not place it there"),
    ("Pod <pod> marked as unschedulable can be scheduled (based on <details>). Ignoring in scale up",
     "{pod} fits on a node there is, as far as the autoscaler can tell, so that none is added for it",
     "look at why the scheduler does not place it there"),
    ("deleting pod for node scale down", "the pod was evicted, as its node is being removed"),
    ("<count> other pods similar to <pod> can't be scheduled on <group>", ("node group {group} takes {count} further "
     "pods like {pod} neither")),
    (("Nodes added to group <group> failed to register within <time>",
     "Scale-up timed out for node group <group> after <time>"), ("machines of node group {group} were asked for and "
     "did not become nodes within {time}"), _MACHINES),
    ("Failed adding <count> nodes to group <group> due to <fault>; source errors: <details>",
     "the cloud did not add nodes to {group}: {fault} ({details})", _CLOUD_ERROR),
    (("Failed adding <count> nodes to group <group> due to <fault>",
     "Failed adding <count> nodes (<number> unseen previously) to group <group> due to <fault>"),
     "the cloud did not add nodes to {group}: {fault}", _CLOUD_ERROR),
    ("Scale-up failed for group <group>: <fault>", "the cloud refused to let {group} grow: {fault}", _CLOUD_ERROR),
    (("Scale-up: setting group <group> size to <want> instead of <have> (max: <most>)",
     "Scale-up: group <group> size set to <want> instead of <have> (max: <most>)"),
     "{group} grows from {have} to {want} nodes", _NONE_COMES),
    (("Scale-up: setting group <group> size to <want>", "Scale-up: group <group> size set to <want>"),
     "{group} grows to {want} nodes", _NONE_COMES),
    ("Max total nodes in cluster reached: <most>. Current number of ready nodes: <have>",
     "the cluster has {have} nodes, and the autoscaler may run {most}", _TOTAL),
    ("Max total nodes in cluster reached: <most>", "the cluster has as many nodes as the autoscaler may run: {most}",
     _TOTAL),
    ("Not attempting scale-up due to all-or-nothing strategy: not all pods would be accommodated",
     "the pods are to get nodes all at once, and not all would"),
    ("Failed to find readiness information for <group>", "the autoscaler knows no nodes of {group} yet",
     "wait; if it stays, see that its machines become nodes"),
    ("Cluster is unhealthy", "too many nodes are not ready, and the autoscaler does nothing until they are", _NODES),
    ("Cluster has no ready nodes", "no node is ready, and the autoscaler does nothing until one is", _NODES),
    ("Failed to scale up: Could not compute total resources: No node info for: <group>",
     "the autoscaler does not know what a node of {group} is like, and adds no node at all",
     "see that its nodes are ready, or that the cloud tells its template"),
    (("Failed to scale up: <fault>", "could not scale up: <fault>"), "the autoscaler adds no node: {fault}"),
    ("Provisioning Request's pods cannot be scheduled in the nodepool. <details>",
     "the pods of the ProvisioningRequest fit in no node pool: {details}", _REQUEST),
    ("Capacity is not found, CA will try to find it later", ("there is no room yet for the pods of the "
     "ProvisioningRequest"), "wait; kubectl describe provisioningrequest"),
    ("CA could not find requested capacity", "there is no room for the pods of the ProvisioningRequest", _REQUEST),
    ("Capacity reservation time is expired", ("the room that the ProvisioningRequest had was not used in time and is "
     "free for others")),
    ("ProvisioningRequest is expired", "the ProvisioningRequest did not get its nodes in time", "create another"),
    ("capacity buffer <count> fake pods didn't trigger scale-up: <details>",
     "the places that a CapacityBuffer keeps free cannot be made: {details}", "kubectl describe capacitybuffers"),
    ("Best option to resize: <group>", "the autoscaler has chosen {group} to grow"),
    ("Final scale-up plan: <details>", "these groups grow, from and to how many nodes: {details}",
     "if no node comes, look for the cloud's error"),
    ("Filtered out <count> pods using hints", ("{count} of the pending pods fit on nodes there are or that are coming, "
     "as far as the autoscaler can tell, so that it adds none for them")),
    ("Filtered out <count> daemon set pods, <number> unschedulable pods left",
     "{count} of the pending pods are a DaemonSet's, for which no node is added; {number} others are left"),
    ("No schedulable pods", "none of the pending pods fits on the nodes there are or that are coming"),
    ("Schedulable pods present", "some of the pending pods fit on nodes there are or that are coming"),
    ("No unschedulable pods", "the autoscaler sees no pending pod that a node could help", ("a pod counts once the "
     "scheduler has said that it is unschedulable; pods of DaemonSets, and of a priority below the cutoff, do not "
     "count")),
    ("failed to find place for <pod> based on similar pods scheduling", ("like other pods of its controller, {pod} "
     "fits on no node there is")),
    ("failed to find place for <pod>: <fault>", "{pod} fits on no node there is: {fault}"),
    (("Pod <pod> has priority below <most> (<have>) and will scheduled when enough resources is free. Ignoring in "
     "scale up"), "{pod} has priority {have}, and the autoscaler adds no nodes for pods below {most}",
     "see --expendable-pods-priority-cutoff"),
    ("Ignoring unschedulable pod <pod> as it consumes ProvisioningRequest: <name>",
     "the nodes of {pod} come by ProvisioningRequest {name}, not one by one", _REQUEST),
    ("Pod can't be scheduled, predicate checking: <fault>", "a node group would not take the pod: {fault}"),
    ("No info about pods passing predicates found for group <group>, skipping it from scale-up consideration<details>",
     "no pending pod fits on a new node of {group}"),
    ("Some pods can't fit to <group>, giving up due to all-or-nothing scale-up strategy",
     "{group} is passed over, as not all the pods that belong together would fit"),
    ("Only <count> nodes can be added to <group> due to <why>", "{group} may grow by {count} nodes only, by {why}"),
    ("Capping scale-up of <group> from <want> to <have> nodes due to quota",
     "{group} grows by {have} nodes in place of {want}, by a quota"),
    ("Capping size to max cluster total size (<most>)", "the cluster may have {most} nodes", _TOTAL),
    ("Capping size to <details>", "fewer nodes are added than would be needed: {details}"),
    ("Disabling scale-up for node group <group> until <time>", ("{group} has failed to grow and is left alone until "
     "{time}"), _CLOUD_ERROR),
    (("Instance group <group> cannot provision any more nodes!",
     "Instance group <group> cannot provision any more nodes"), "the cloud has no machine left for {group}",
     _CLOUD_ERROR),
    ("AWS cannot provision any more instances for this node group", "the cloud has no machine left for the group",
     "allow other zones or machine types, or wait"),
    ("Azure failed to provision a node for this node group", "the cloud has not made the machine",
     "see the scale set's own log"),
    ('virtualMachineScaleSetsClient.<call> for scale set "<group>" failed: <fault>',
     "Azure refused to change scale set {group}: {fault}", _CLOUD_ERROR),
    ('Failed to increase capacity for scale set "<group>" to <want>: <fault>',
     "Azure refused to let scale set {group} grow to {want}: {fault}", _CLOUD_ERROR),
    ("could not create server type <type> in region <where>: <fault>", ("Hetzner has not made a machine of type {type} "
     "in {where}: {fault}"), "allow other regions or types, or wait"),
    ("Setting asg <group> size to <want>", "{group} is to have {want} machines"),
    ("Setting mig size <group> to <want>", "{group} is to have {want} machines"),
    ("Cluster is not ready for autoscaling<details>", "the autoscaler does nothing at the moment{details}", _NODES),
    ("Failed to get node infos for groups: <fault>", ("the autoscaler cannot tell what nodes of a group are like, and "
     "does nothing: {fault}")),
    ("Removing unregistered node <node>", "the machine {node} did not become a node in time and is given up",
     "see the machine's own log, and whether it can reach the cluster"),
    ("Scale-down: node <node> removed with drain", "{node} was little used and is removed; its pods were evicted"),
    ("Scale-down: empty node <node> removed", "{node} had no pods of its own and is removed"),
    ("Scale-down: removing empty node <node>", "{node} has no pods of its own and is removed"),
    ("Scale-down: removing node <node>, utilization: <details>", ("{node} is little used and is removed; its pods are "
     "evicted. Use: {details}")),
    ("marked the node as toBeDeleted/unschedulable", "the autoscaler is about to remove the node"),
    ("node removed by cluster autoscaler", "the node is removed by the autoscaler"),
    ("failed to drain the node, aborting ScaleDown", "the node stays, as not all of its pods could be evicted",
     "kubectl get poddisruptionbudgets"),
    ("failed to delete pod for ScaleDown", "the pod could not be evicted, so that its node stays",
     "kubectl get poddisruptionbudgets"),
    ("No candidates for scale down", "no node can be removed"),
    ("Skipping <node> - node group min size reached<details>", "{node} stays, as its group is at its minimum{details}"),
    ("Pod <pod> marked as unschedulable can be scheduled on <where>. Ignoring<details>",
     "{pod} fits on {where}, as far as the autoscaler can tell, so that no node is added for it"),
    ("<count> other pods are also unschedulable", "{count} further pods wait for a node"),
    ("<count> other pods can't be scheduled on <group>.", "node group {group} takes {count} further pods neither"),
    ("<count> pods marked as unschedulable can be scheduled.", ("{count} of the pending pods fit on nodes there are or "
     "that are coming, so that no node is added for them")),
    ("<count> other pods marked as unschedulable can be scheduled.", ("{count} further pods fit on nodes there are or "
     "that are coming, so that no node is added for them")),
    ("Pod <pod> is <time> seconds old, too new to consider unschedulable", ("the autoscaler waits before it adds a "
     "node for {pod}"), "see --new-pod-scale-up-delay"),
    ("Unschedulable pods are very new, waiting one iteration for more", ("the autoscaler waits a moment for more "
     "pending pods before it adds nodes"), "wait"),
    ("No need for any nodes in <group>", "the pending pods need no node of {group}"),
    ("Requested scale-up (<want>) exceeds node group set capacity, capping to <have>",
     "{want} nodes would be needed, and the groups may grow by {have} only", _MAXIMUM),
    ("Ignoring node group <group> when balancing: <why>", "{group} does not grow with the others: {why}"),
    ("Expander filtered out all options, valid options: <count>", ("the expander turned away all {count} node groups "
     "that would do"), "see the autoscaler's --expander"),
    ("Priority expander: no priorities info found for any of the expansion options. <details>",
     "the priorities name none of the node groups that would do", "see ConfigMap cluster-autoscaler-priority-expander"),
    ("Max autoprovisioned node group count reached", "the autoscaler may make no further node groups",
     "see --max-autoprovisioned-node-group-count"),
    ("Can only create a new node group with max <have> nodes, need <want> nodes",
     "{want} nodes would be needed, and a new node group may have {have}", _MAXIMUM),
    ("Can only add <have> nodes due to node group limits, need <want> nodes",
     "{want} nodes would be needed, and the group may grow by {have} only", _MAXIMUM),
    ("Capping binpacking after exceeding <details>", "not all pending pods are looked at in this round: {details}",
     "wait: the next round goes on"),
    ("max cores already reached", "the cluster has as many CPUs as the autoscaler may run", "raise --cores-total"),
    ("max memory already reached", "the cluster has as much memory as the autoscaler may run", "raise --memory-total"),
    ("Capping scale-up size due to limit for resource <resource>", ("fewer nodes are added than would be needed, by "
     "the cluster's limit on {resource}"), "raise the autoscaler's resource limits"),
    ("Skipping <count> upcoming nodes for backed-off node group <group>: <why>",
     "the {count} nodes that {group} still owes are not counted on: {why}", _CLOUD_ERROR),
    ("Found <count> instances with errorCode <fault> in nodeGroup <group>", ("the cloud did not make {count} machines "
     "of {group}: {fault}"), _CLOUD_ERROR),
    ("Deleting <count> from <group> node group because of create errors", ("{count} machines of {group} could not be "
     "made and are given up"), _CLOUD_ERROR),
    ("ASG <group> scaling failed with <fault>", "AWS did not add machines to {group}: {fault}", _CLOUD_ERROR),
    ("Instance group <group> has only <have> instances created while requested count is <want>. <details>",
     "{group} is to have {want} machines, and the cloud has made {have}", _CLOUD_ERROR),
    ("Removed unregistered node <node>", "the machine {node} did not become a node in time and was given up",
     _MACHINES),
    ("Failed to fix node group sizes: <fault>", ("machines that were asked for and never came cannot be taken off the "
     "books: {fault}"), _CLOUD_ERROR),
    ("Decreasing size of <group>, expected=<want> current=<have> delta=<delta>",
     "{group} was to have {want} nodes, has {have}, and is set back", _CLOUD_ERROR),
    ("Can't build node from template for <group>, won't be able to scale from 0: <fault>",
     "the autoscaler cannot tell what a node of {group} is like: {fault}"),
    ("Cluster has no nodes", "the cluster has no node, and the autoscaler does nothing", _NODES),
    ("NodeAutoprovisioning: attempt to create node group <group> failed: <fault>",
     "node group {group} could not be made: {fault}", _CLOUD_ERROR),
    ("ProvisioningRequest is accepted by ClusterAutoscaler", "the autoscaler looks for room for the request", "wait"),
    ("Capacity is found in the cluster", "there is room for the pods of the ProvisioningRequest"),
    ("Failed to check pre-existing capacity in the cluster", ("the autoscaler could not tell whether there is room for "
     "the ProvisioningRequest"), "see the autoscaler's log"),
    ("CapacityBuffer is not ready for provisioning", "the CapacityBuffer cannot be used yet",
     "kubectl describe capacitybuffers"),
)

CLUSTER_AUTOSCALER_TEXTS: tuple[Text, ...] = tuple(rows(CLUSTER_AUTOSCALER, _ROWS))

GKE = "GKE's cluster autoscaler"
_NAP = "node auto-provisioning"

#: What GKE's log of the autoscaler's decisions says, by its messageId.
_GKE_ROWS: tuple[Row, ...] = (
    ("no.scale.up.in.backoff", "it failed to add nodes recently, and waits before it tries again", _CLOUD_ERROR),
    ("no.scale.up.mig.skipped", "the node pool is passed over, for instance at its maximum",
     "see the parameters beside it; raise the maximum of the node pool"),
    ("no.scale.up.mig.failing.predicate", "the pod would not fit on a new node of the pool",
     "compare the pod with the labels, taints and size of the node pool"),
    ("no.scale.up.nap.disabled", f"no node pool would do, and {_NAP} is off", f"enable {_NAP}, or add a node pool"),
    ("no.scale.up.nap.no.locations.available", f"{_NAP} has no zone where it may make nodes", "see its locations"),
    ("no.scale.up.nap.pod.gpu.no.limit.defined", f"{_NAP} has no limit for this kind of GPU, so it makes none",
     "set a resource limit for the GPU"),
    ("no.scale.up.nap.pod.gpu.type.not.supported", f"{_NAP} does not make nodes with this kind of GPU",
     "ask for another, or add a node pool"),
    ("no.scale.up.nap.pod.gpu.other.error", f"{_NAP} cannot make a node for the pod's GPUs",
     "see the pod's selectors of GPUs"),
    ("no.scale.up.nap.pod.tpu.no.limit.defined", f"{_NAP} has no limit for this kind of TPU, so it makes none",
     "set a resource limit for the TPU"),
    ("no.scale.up.nap.pod.zonal.resources.exceeded",
     f"a node for the pod would exceed the limits of {_NAP}, or no machine type there is large enough",
     f"raise the resource limits of {_NAP}, or request less"),
    ("no.scale.up.nap.pod.zonal.resource.pool.exhausted", "the zone has no such machines left",
     "allow other zones or machine types, or wait"),
    ("no.scale.up.nap.pod.zonal.failing.predicates", "the pod would not fit on a node that could be made in the zone",
     "compare the pod's selectors and tolerations with the zone"),
    ("scale.up.error.out.of.resources", "the cloud has no machine of this type left in the zone",
     "allow other zones or machine types, or wait"),
    ("scale.up.error.quota.exceeded", "the project's quota is used up", "raise the quota in the cloud"),
    ("scale.up.error.waiting.for.instances.timeout", "the machines did not become nodes in time",
     "see the machines' serial logs"),
    ("scale.up.error.ip.space.exhausted", "the subnet has no addresses left for the node or its pods",
     "add a range of pod addresses, or lower the pods per node"),
    ("scale.up.error.service.account.deleted", "the service account of the node pool was deleted", "restore it"),
    ("no.scale.down.in.backoff", ("no node is removed for a while, as nodes were added or could not be removed "
     "recently")),
    ("no.scale.down.node.scale.down.disabled.annotation", ("the node stays by its annotation "
     "cluster-autoscaler.kubernetes.io/scale-down-disabled")),
    ("no.scale.down.node.node.group.min.size.reached", "the node stays, as its pool is at its minimum"),
    ("no.scale.down.node.minimal.resource.limits.exceeded", ("the node stays, as the cluster would fall below its "
     "least resources")),
    ("no.scale.down.node.no.place.to.move.pods", "the node stays, as its pods fit on no other"),
    ("no.scale.down.node.pod.not.backed.by.controller", "the node stays, as it has a pod without a controller"),
    ("no.scale.down.node.pod.not.safe.to.evict.annotation", ("the node stays, as a pod has the annotation "
     "safe-to-evict: false")),
    ("no.scale.down.node.pod.kube.system.unmovable", "the node stays, as it has a pod of kube-system",
     "a PodDisruptionBudget for that pod lets it move"),
    ("no.scale.down.node.pod.not.enough.pdb", "the node stays, as a PodDisruptionBudget allows no pod to leave"),
    ("no.scale.down.node.pod.controller.not.found", "the node stays, as the controller of a pod does not exist"),
    ("no.scale.down.node.pod.unexpected.error", "the node stays, as a pod could not be judged"),
    ("scale.down.error.failed.to.mark.to.be.deleted", "the node could not be marked for removal"),
    ("scale.down.error.failed.to.delete.node.min.size.reached", "the node stays, as its pool is at its minimum"),
    ("scale.down.error.failed.to.evict.pods", "the node stays, as not all of its pods could be evicted"),
)

_GKE_TEXTS = tuple(rows(GKE, _GKE_ROWS))
GKE_MESSAGES: tuple[Text, ...] = (
    *(replace(each, template=f"{each.template}: <details>", meaning=f"{each.meaning}: {{details}}")
      for each in _GKE_TEXTS),
    *_GKE_TEXTS,
)

#: Why the cloud has not given the nodes that were asked for; GKE says these.
SCALE_UP_FAILURES: tuple[Text, ...] = (
    Text("GCE out of resources", CLUSTER_AUTOSCALER, "the cloud has no machine of this type left in the zone",
         "allow other zones or machine types, or wait"),
    Text("GCE quota exceeded", CLUSTER_AUTOSCALER, "the project's quota is used up", "raise the quota in the cloud"),
    Text("IP space exhausted", CLUSTER_AUTOSCALER, "the subnet has no addresses left for the node or its pods",
         "add a range of pod addresses, or lower the pods per node"),
    Text("Internal error", CLUSTER_AUTOSCALER, "the cloud failed, and says no more", "see the cloud's log of the node "
         "group"),
    Text("Permissions error", CLUSTER_AUTOSCALER, "the cluster's service account may not add machines",
         "see the roles of the cluster's service account"),
    Text("Some nodes in node group <groups> failed to appear in time", CLUSTER_AUTOSCALER, "machines were asked for "
         "and did not become nodes in time", "see the machines' serial logs, and whether they can reach the cluster"),
    Text("<fault>", CLUSTER_AUTOSCALER, "the cloud said: {fault}", "see the cloud's log of the node group"),
)

FARGATE = "fargate-scheduler"

#: Source: what the scheduler of AWS Fargate reports; it is not public.
FARGATE_TEXTS: tuple[Text, ...] = (
    Text("Pod not supported on Fargate: <fault>", FARGATE, "Fargate cannot run such a pod: {fault}", "change the pod, "
         "or let another profile or a node take it"),
    Text("Misconfigured Fargate Profile: <fault>", FARGATE, "the Fargate profile cannot start pods: {fault}",
         "correct the profile, often its pod execution role"),
    *worded(("Pod provisioning timed out (will retry) for pod: <pod>", "Pod provisioning timed out (will retry)"),
         FARGATE, "Fargate has not started a machine for the pod in time, and tries again", "see that the profile's "
         "subnets have addresses and reach the cluster"),
    Text("fargate capacity is unavailable at this time. <hint>", FARGATE, "Fargate has no capacity there at the "
         "moment", "wait, or add subnets in other zones to the profile"),
    Text("invalid SchedulerName: <name>", FARGATE, "Fargate runs no pods of scheduler {name}", "leave out "
         "schedulerName"),
    Text("Fargate is not supported in the requested availability zone: <where>", FARGATE, "Fargate runs no pods in "
         "zone {where}, where a subnet of the profile is", "give the profile subnets in other zones"),
    Text("Your AWS account is currently blocked and thus cannot launch any Fargate pods", FARGATE, "the AWS account is "
         "blocked", "ask the support of AWS"),
    Text("Pod is blocked from launching on Fargate: <fault>", FARGATE, "Fargate does not start the pod: {fault}"),
)
