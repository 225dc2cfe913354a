"""What autoscalers say of pods that wait for a node: cluster-autoscaler, also as clouds run it, and Fargate.

Source: events and logs of cluster-autoscaler 0.5 to 1.36 (`SkippedReasons`, `RejectedReasons`, status processors,
`ScaleUpOrchestrator`, `Planner`, the clouds' node groups); what GKE documents of its own.
"""

from kexplain.messages.autoscaler_log_texts import CLUSTER_AUTOSCALER, LOG_TEXTS
from kexplain.messages.text import Text, worded

_CLOUD_ERROR = "look for the cloud's error: quota, or no capacity"

# Tables, a text a row, as compact as they read.
# fmt: off

CLUSTER_AUTOSCALER_TEXTS: tuple[Text, ...] = (
    *worded(("max node group size reached", "max limit reached"), CLUSTER_AUTOSCALER, "the node group may not grow any "
         "further", "raise the maximum size of the node group"),
    Text("can't increase node group size", CLUSTER_AUTOSCALER, "the node group may not grow any further, or failed to "
         "grow a moment ago", "raise the maximum size of the node group; " + _CLOUD_ERROR),
    Text("max cluster <resources> limit reached", CLUSTER_AUTOSCALER, "the limit on all {resources} in the cluster is "
         "reached", "raise the autoscaler's resource limits"),
    Text("max total nodes in cluster reached", CLUSTER_AUTOSCALER, "the cluster has as many nodes as the autoscaler "
         "may run", "raise --max-nodes-total of the autoscaler"),
    Text('exceeded quota: "<quota>", resources: <resources>', CLUSTER_AUTOSCALER, "one more node would exceed the "
         "capacity quota {quota} ({resources})", "raise that quota, or the autoscaler's resource limits"),
    Text("atomic scale-up exceeds cluster node count limit", CLUSTER_AUTOSCALER, "the node group grows in one step "
         "only, and that step would exceed the limit on nodes", "raise --max-nodes-total of the autoscaler"),
    Text("not all pods would fit and scale-up is using all-or-nothing strategy", CLUSTER_AUTOSCALER, "the pods are to "
         "get nodes all at once, and the group cannot grow enough for all", "raise the maximum size of the node group"),
    Text("expansion options filtered out and no longer considered", CLUSTER_AUTOSCALER, "the expander prefers another "
         "node group", "see the autoscaler's --expander"),
    Text("scale-up execution failed", CLUSTER_AUTOSCALER, "the cloud refused to add the node", _CLOUD_ERROR),
    Text("in backoff after failed scale-up", CLUSTER_AUTOSCALER, "the node group failed to grow recently, and the "
         "autoscaler waits before it tries again", _CLOUD_ERROR),
    Text("not ready for scale-up", CLUSTER_AUTOSCALER, "the node group is not healthy", "check its nodes"),
    Text("Unschedulable pod didn't trigger scale-up, because it's consuming ProvisioningRequest <name>",
         CLUSTER_AUTOSCALER, "the nodes of the pod come by ProvisioningRequest {name}, not one by one",
         "kubectl describe provisioningrequest"),
    *worded(("pod triggered scale-up: <groups>", "pod triggered scale-up, group: <groups>"), CLUSTER_AUTOSCALER, "new "
         "nodes are on their way: {groups}", "if none comes, " + _CLOUD_ERROR),
    Text("pod triggered scale-up", CLUSTER_AUTOSCALER, "new nodes are on their way", "if none comes, " + _CLOUD_ERROR),
    Text("can't schedule pod <pod>: couldn't find a matching Node with passing predicates", CLUSTER_AUTOSCALER,
         "the pod would not fit on a new node of the group"),
    Text("pod didn't trigger scale-up (it wouldn't fit if a new node is added)", CLUSTER_AUTOSCALER, "no node group "
         "could give the pod a node: each is at its maximum, or its nodes are too small or are not as the pod selects",
         "compare the pod with the node groups and their maximum sizes"),
    Text("Pod <pod> can't be scheduled on <group>. Used cached predicate check results", CLUSTER_AUTOSCALER,
         "node group {group} would not take the pod, for the same reason as a pod of the same controller",
         "see what the log says of that pod"),
    Text("Pod <pod> can't be scheduled on <group>", CLUSTER_AUTOSCALER, "node group {group} would not take the pod"),
    Text("No pod can fit to <group>", CLUSTER_AUTOSCALER, "node group {group} takes none of the pending pods",
         "see what the log says of each pod"),
    *worded(("No expansion options", "No expansion optiions"), CLUSTER_AUTOSCALER, "no node group can grow for the "
         "pending pods", "see what the log says of each node group"),
    Text("Skipping node group <group> - max size reached", CLUSTER_AUTOSCALER, "node group {group} may not grow any "
         "further", "raise the maximum size of the node group"),
    Text("Skipping node group <group> - <details>", CLUSTER_AUTOSCALER, "node group {group} is passed over: {details}"),
    Text("Skipping node group <group>; <details>", CLUSTER_AUTOSCALER, "node group {group} is passed over: {details}"),
    Text("Node group <group> is not ready for scaleup<details>", CLUSTER_AUTOSCALER, "node group {group} is not "
         "healthy, or failed to grow a moment ago", _CLOUD_ERROR),
    Text("Pod <pod> is unschedulable", CLUSTER_AUTOSCALER, "the autoscaler looks for a node group for the pod"),
    Text("Pod <pod> will be scheduled after low <order> pods are preempted on <node>. Ignoring in scale up",
         CLUSTER_AUTOSCALER, "the scheduler is evicting pods for {pod} on {node}, so that no node is added for it"),
    Text("Pod <pod> marked as unschedulable can be scheduled on <node>. Ignoring in scale up", CLUSTER_AUTOSCALER,
         "{pod} fits on {node}, as far as the autoscaler can tell, so that no node is added for it", "look at why the "
         "scheduler does not place it there"),
    Text("Pod <pod> marked as unschedulable can be scheduled (based on <details>). Ignoring in scale up",
         CLUSTER_AUTOSCALER, "{pod} fits on a node there is, as far as the autoscaler can tell, so that none is added "
         "for it", "look at why the scheduler does not place it there"),
    Text("deleting pod for node scale down", CLUSTER_AUTOSCALER, "the pod was evicted, as its node is being removed"),
    Text("<count> other pods similar to <pod> can't be scheduled on <group>", CLUSTER_AUTOSCALER, "node group {group} "
         "takes {count} further pods like {pod} neither"),
    Text("Nodes added to group <group> failed to register within <time>", CLUSTER_AUTOSCALER, "machines of node group "
         "{group} were asked for and did not become nodes within {time}", "see the machines' own logs, and whether "
         "they can reach the cluster"),
    Text("Failed adding <count> nodes to group <group> due to <fault>; source errors: <details>", CLUSTER_AUTOSCALER,
         "the cloud did not add nodes to {group}: {fault} ({details})", _CLOUD_ERROR),
    *worded(("Failed adding <count> nodes to group <group> due to <fault>",
         "Failed adding <count> nodes (<number> unseen previously) to group <group> due to <fault>"),
         CLUSTER_AUTOSCALER, "the cloud did not add nodes to {group}: {fault}", _CLOUD_ERROR),
    Text("Scale-up failed for group <group>: <fault>", CLUSTER_AUTOSCALER, "the cloud refused to let {group} grow: "
         "{fault}", _CLOUD_ERROR),
    Text("Scale-up timed out for node group <group> after <time>", CLUSTER_AUTOSCALER, "machines of node group {group} "
         "were asked for and did not become nodes within {time}", "see the machines' own logs, and whether they can "
         "reach the cluster"),
    *worded(("Scale-up: setting group <group> size to <want> instead of <have> (max: <most>)",
         "Scale-up: group <group> size set to <want> instead of <have> (max: <most>)"), CLUSTER_AUTOSCALER, "{group} "
         "grows from {have} to {want} nodes", "if none comes, " + _CLOUD_ERROR),
    *worded(("Scale-up: setting group <group> size to <want>", "Scale-up: group <group> size set to <want>"),
         CLUSTER_AUTOSCALER, "{group} grows to {want} nodes", "if none comes, " + _CLOUD_ERROR),
    Text("Max total nodes in cluster reached: <most>. Current number of ready nodes: <have>", CLUSTER_AUTOSCALER,
         "the cluster has {have} nodes, and the autoscaler may run {most}", "raise --max-nodes-total"),
    Text("Max total nodes in cluster reached: <most>", CLUSTER_AUTOSCALER, "the cluster has as many nodes as the "
         "autoscaler may run: {most}", "raise --max-nodes-total"),
    Text("Not attempting scale-up due to all-or-nothing strategy: not all pods would be accommodated",
         CLUSTER_AUTOSCALER, "the pods are to get nodes all at once, and not all would"),
    Text("Failed to find readiness information for <group>", CLUSTER_AUTOSCALER, "the autoscaler knows no nodes of "
         "{group} yet", "wait; if it stays, see that its machines become nodes"),
    Text("Cluster is unhealthy", CLUSTER_AUTOSCALER, "too many nodes are not ready, and the autoscaler does nothing "
         "until they are", "kubectl get nodes"),
    Text("Cluster has no ready nodes", CLUSTER_AUTOSCALER, "no node is ready, and the autoscaler does nothing until "
         "one is", "kubectl get nodes"),
    Text("Failed to scale up: Could not compute total resources: No node info for: <group>", CLUSTER_AUTOSCALER,
         "the autoscaler does not know what a node of {group} is like, and adds no node at all", "see that its nodes "
         "are ready, or that the cloud tells its template"),
    Text("Failed to scale up: <fault>", CLUSTER_AUTOSCALER, "the autoscaler adds no node: {fault}"),
    Text("could not scale up: <fault>", CLUSTER_AUTOSCALER, "the autoscaler adds no node: {fault}"),
    Text("Unschedulable pod ignored in scale-up loop, because it's consuming ProvisioningRequest <name> that is in "
         "<state> state", CLUSTER_AUTOSCALER, "the nodes of the pod come by ProvisioningRequest {name} ({state}), not "
         "one by one", "kubectl describe provisioningrequest"),
    Text("Unschedulable pod ignored in scale-up loop, because it's consuming ProvisioningRequest <name>",
         CLUSTER_AUTOSCALER, "the nodes of the pod come by ProvisioningRequest {name}, not one by one",
         "kubectl describe provisioningrequest"),
    Text("Provisioning Request's pods cannot be scheduled in the nodepool. <details>", CLUSTER_AUTOSCALER, "the pods "
         "of the ProvisioningRequest fit in no node pool: {details}", "kubectl describe provisioningrequest"),
    Text("Capacity is not found, CA will try to find it later", CLUSTER_AUTOSCALER, "there is no room yet for the pods "
         "of the ProvisioningRequest", "wait; kubectl describe provisioningrequest"),
    Text("CA could not find requested capacity", CLUSTER_AUTOSCALER, "there is no room for the pods of the "
         "ProvisioningRequest", "kubectl describe provisioningrequest"),
    Text("Capacity reservation time is expired", CLUSTER_AUTOSCALER, "the room that the ProvisioningRequest had was "
         "not used in time and is free for others"),
    Text("ProvisioningRequest is expired", CLUSTER_AUTOSCALER, "the ProvisioningRequest did not get its nodes in time",
         "create another"),
    Text("capacity buffer <count> fake pods didn't trigger scale-up: <details>", CLUSTER_AUTOSCALER, "the places that "
         "a CapacityBuffer keeps free cannot be made: {details}", "kubectl describe capacitybuffers"),
    Text("Best option to resize: <group>", CLUSTER_AUTOSCALER, "the autoscaler has chosen {group} to grow"),
    Text("Final scale-up plan: <details>", CLUSTER_AUTOSCALER, "these groups grow, from and to how many nodes: "
         "{details}", "if no node comes, look for the cloud's error"),
    Text("Filtered out <count> pods using hints", CLUSTER_AUTOSCALER, "{count} of the pending pods fit on nodes "
         "there are or that are coming, as far as the autoscaler can tell, so that it adds none for them"),
    Text("Filtered out <count> daemon set pods, <number> unschedulable pods left", CLUSTER_AUTOSCALER,
         "{count} of the pending pods are a DaemonSet's, for which no node is added; {number} others are left"),
    Text("No schedulable pods", CLUSTER_AUTOSCALER, "none of the pending pods fits on the nodes there are or that "
         "are coming"),
    Text("Schedulable pods present", CLUSTER_AUTOSCALER, "some of the pending pods fit on nodes there are or that "
         "are coming"),
    Text("No unschedulable pods", CLUSTER_AUTOSCALER, "the autoscaler sees no pending pod that a node could help",
         "a pod counts once the scheduler has said that it is unschedulable; pods of DaemonSets, and of a priority "
         "below the cutoff, do not count"),
    Text("failed to find place for <pod> based on similar pods scheduling", CLUSTER_AUTOSCALER,
         "like other pods of its controller, {pod} fits on no node there is"),
    Text("failed to find place for <pod>: <fault>", CLUSTER_AUTOSCALER, "{pod} fits on no node there is: {fault}"),
    Text("Pod <pod> has priority below <most> (<have>) and will scheduled when enough resources is free. Ignoring "
         "in scale up", CLUSTER_AUTOSCALER, "{pod} has priority {have}, and the autoscaler adds no nodes for pods "
         "below {most}", "see --expendable-pods-priority-cutoff"),
    Text("Ignoring unschedulable pod <pod> as it consumes ProvisioningRequest: <name>", CLUSTER_AUTOSCALER,
         "the nodes of {pod} come by ProvisioningRequest {name}, not one by one", "kubectl describe "
         "provisioningrequest"),
    Text("Pod can't be scheduled, predicate checking: <fault>", CLUSTER_AUTOSCALER, "a node group would not take "
         "the pod: {fault}"),
    Text("No info about pods passing predicates found for group <group>, skipping it from scale-up "
         "consideration<details>", CLUSTER_AUTOSCALER, "no pending pod fits on a new node of {group}"),
    Text("Some pods can't fit to <group>, giving up due to all-or-nothing scale-up strategy", CLUSTER_AUTOSCALER,
         "{group} is passed over, as not all the pods that belong together would fit"),
    Text("Only <count> nodes can be added to <group> due to <why>", CLUSTER_AUTOSCALER,
         "{group} may grow by {count} nodes only, by {why}"),
    Text("Capping scale-up of <group> from <want> to <have> nodes due to quota", CLUSTER_AUTOSCALER,
         "{group} grows by {have} nodes in place of {want}, by a quota"),
    Text("Capping size to max cluster total size (<most>)", CLUSTER_AUTOSCALER, "the cluster may have {most} nodes",
         "raise --max-nodes-total"),
    Text("Capping size to <details>", CLUSTER_AUTOSCALER, "fewer nodes are added than would be needed: {details}"),
    Text("Disabling scale-up for node group <group> until <time>", CLUSTER_AUTOSCALER, "{group} has failed to grow "
         "and is left alone until {time}", "look for the cloud's error: quota, or no capacity"),
    *worded(("Instance group <group> cannot provision any more nodes!",
         "Instance group <group> cannot provision any more nodes"), CLUSTER_AUTOSCALER, "the cloud has no machine left "
         "for {group}", _CLOUD_ERROR),
    Text("AWS cannot provision any more instances for this node group", CLUSTER_AUTOSCALER,
         "the cloud has no machine left for the group", "allow other zones or machine types, or wait"),
    Text("Azure failed to provision a node for this node group", CLUSTER_AUTOSCALER, "the cloud has not made the "
         "machine", "see the scale set's own log"),
    Text('virtualMachineScaleSetsClient.<call> for scale set "<group>" failed: <fault>', CLUSTER_AUTOSCALER,
         "Azure refused to change scale set {group}: {fault}", "look for the cloud's error: quota, or no capacity"),
    Text('Failed to increase capacity for scale set "<group>" to <want>: <fault>', CLUSTER_AUTOSCALER,
         "Azure refused to let scale set {group} grow to {want}: {fault}", "look for the cloud's error: quota, or "
         "no capacity"),
    Text("could not create server type <type> in region <where>: <fault>", CLUSTER_AUTOSCALER,
         "Hetzner has not made a machine of type {type} in {where}: {fault}", "allow other regions or types, or wait"),
    Text("Setting asg <group> size to <want>", CLUSTER_AUTOSCALER, "{group} is to have {want} machines"),
    Text("Setting mig size <group> to <want>", CLUSTER_AUTOSCALER, "{group} is to have {want} machines"),
    Text("Cluster is not ready for autoscaling<details>", CLUSTER_AUTOSCALER, "the autoscaler does nothing at the "
         "moment{details}", "kubectl get nodes"),
    Text("Failed to get node infos for groups: <fault>", CLUSTER_AUTOSCALER, "the autoscaler cannot tell what "
         "nodes of a group are like, and does nothing: {fault}"),
    Text("Removing unregistered node <node>", CLUSTER_AUTOSCALER, "the machine {node} did not become a node in time "
         "and is given up", "see the machine's own log, and whether it can reach the cluster"),
    Text("Scale-down: node <node> removed with drain", CLUSTER_AUTOSCALER, "{node} was little used and is removed; "
         "its pods were evicted"),
    Text("Scale-down: empty node <node> removed", CLUSTER_AUTOSCALER, "{node} had no pods of its own and is removed"),
    Text("Scale-down: removing empty node <node>", CLUSTER_AUTOSCALER, "{node} has no pods of its own and is removed"),
    Text("Scale-down: removing node <node>, utilization: <details>", CLUSTER_AUTOSCALER,
         "{node} is little used and is removed; its pods are evicted. Use: {details}"),
    Text("marked the node as toBeDeleted/unschedulable", CLUSTER_AUTOSCALER, "the autoscaler is about to remove "
         "the node"),
    Text("node removed by cluster autoscaler", CLUSTER_AUTOSCALER, "the node is removed by the autoscaler"),
    Text("failed to drain the node, aborting ScaleDown", CLUSTER_AUTOSCALER, "the node stays, as not all of its "
         "pods could be evicted", "kubectl get poddisruptionbudgets"),
    Text("failed to delete pod for ScaleDown", CLUSTER_AUTOSCALER, "the pod could not be evicted, so that its node "
         "stays", "kubectl get poddisruptionbudgets"),
    Text("No candidates for scale down", CLUSTER_AUTOSCALER, "no node can be removed"),
    Text("Skipping <node> - node group min size reached<details>", CLUSTER_AUTOSCALER,
         "{node} stays, as its group is at its minimum{details}"),
    Text("Pod <pod> marked as unschedulable can be scheduled on <where>. Ignoring<details>", CLUSTER_AUTOSCALER,
         "{pod} fits on {where}, as far as the autoscaler can tell, so that no node is added for it"),
    *LOG_TEXTS,
)

GKE = "GKE's cluster autoscaler"
_NAP = "node auto-provisioning"

#: What GKE's log of the autoscaler's decisions says, by its messageId.
GKE_MESSAGES: tuple[Text, ...] = tuple(
    Text(f"{message}{parameters}", GKE, meaning + (": {details}" if parameters else ""), check)
    for parameters in (": <details>", "")
    for message, meaning, check in (
        ("no.scale.up.in.backoff", "it failed to add nodes recently, and waits before it tries again", _CLOUD_ERROR),
        ("no.scale.up.mig.skipped", "the node pool is passed over, for instance at its maximum", ("see the parameters "
         "beside it; raise the maximum of the node pool")),
        ("no.scale.up.mig.failing.predicate", "the pod would not fit on a new node of the pool", ("compare the pod "
         "with the labels, taints and size of the node pool")),
        ("no.scale.up.nap.disabled", f"no node pool would do, and {_NAP} is off", f"enable {_NAP}, or add a node pool"),
        ("no.scale.up.nap.no.locations.available", f"{_NAP} has no zone where it may make nodes",
         "see its locations"),
        ("no.scale.up.nap.pod.gpu.no.limit.defined", f"{_NAP} has no limit for this kind of GPU, so it makes none",
         "set a resource limit for the GPU"),
        ("no.scale.up.nap.pod.gpu.type.not.supported", f"{_NAP} does not make nodes with this kind of GPU",
         "ask for another, or add a node pool"),
        ("no.scale.up.nap.pod.gpu.other.error", f"{_NAP} cannot make a node for the pod's GPUs", ("see the pod's "
         "selectors of GPUs")),
        ("no.scale.up.nap.pod.tpu.no.limit.defined", f"{_NAP} has no limit for this kind of TPU, so it makes none",
         "set a resource limit for the TPU"),
        ("no.scale.up.nap.pod.zonal.resources.exceeded", (f"a node for the pod would exceed the limits of {_NAP}, or "
         "no machine type there is large enough"), f"raise the resource limits of {_NAP}, or request less"),
        ("no.scale.up.nap.pod.zonal.resource.pool.exhausted", "the zone has no such machines left", ("allow other "
         "zones or machine types, or wait")),
        ("no.scale.up.nap.pod.zonal.failing.predicates", ("the pod would not fit on a node that could be made in the "
         "zone"), "compare the pod's selectors and tolerations with the zone"),
        ("scale.up.error.out.of.resources", "the cloud has no machine of this type left in the zone", ("allow other "
         "zones or machine types, or wait")),
        ("scale.up.error.quota.exceeded", "the project's quota is used up", "raise the quota in the cloud"),
        ("scale.up.error.waiting.for.instances.timeout", "the machines did not become nodes in time", ("see the "
         "machines' serial logs")),
        ("scale.up.error.ip.space.exhausted", "the subnet has no addresses left for the node or its pods",
         "add a range of pod addresses, or lower the pods per node"),
        ("scale.up.error.service.account.deleted", "the service account of the node pool was deleted", "restore it"),
        ("no.scale.down.in.backoff", ("no node is removed for a while, as nodes were added or could not be removed "
         "recently"), ""),
        ("no.scale.down.node.scale.down.disabled.annotation", ("the node stays by its annotation "
         "cluster-autoscaler.kubernetes.io/scale-down-disabled"), ""),
        ("no.scale.down.node.node.group.min.size.reached", "the node stays, as its pool is at its minimum", ""),
        ("no.scale.down.node.minimal.resource.limits.exceeded", ("the node stays, as the cluster would fall below "
         "its least resources"), ""),
        ("no.scale.down.node.no.place.to.move.pods", "the node stays, as its pods fit on no other", ""),
        ("no.scale.down.node.pod.not.backed.by.controller", "the node stays, as it has a pod without a controller",
         ""),
        ("no.scale.down.node.pod.not.safe.to.evict.annotation", ("the node stays, as a pod has the annotation "
         "safe-to-evict: false"), ""),
        ("no.scale.down.node.pod.kube.system.unmovable", "the node stays, as it has a pod of kube-system",
         "a PodDisruptionBudget for that pod lets it move"),
        ("no.scale.down.node.pod.not.enough.pdb", "the node stays, as a PodDisruptionBudget allows no pod to leave",
         ""),
        ("no.scale.down.node.pod.controller.not.found", "the node stays, as the controller of a pod does not exist",
         ""),
        ("no.scale.down.node.pod.unexpected.error", "the node stays, as a pod could not be judged", ""),
        ("scale.down.error.failed.to.mark.to.be.deleted", "the node could not be marked for removal", ""),
        ("scale.down.error.failed.to.delete.node.min.size.reached", "the node stays, as its pool is at its minimum",
         ""),
        ("scale.down.error.failed.to.evict.pods", "the node stays, as not all of its pods could be evicted", ""),
    )
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
