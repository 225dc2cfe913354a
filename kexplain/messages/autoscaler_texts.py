"""What autoscalers say of a pod that waits for a node: cluster-autoscaler, also as clouds run it, and Karpenter.

Source: cluster-autoscaler's `SkippedReasons`, `RejectedReasons` and status processors since 1.12; Karpenter's
`NodeClaim.CanAdd`, `InstanceTypeFilterError`, `Scheduler` and `VolumeTopology` since 0.21.
"""

from __future__ import annotations

from kexplain.messages.text import Text

CLUSTER_AUTOSCALER = "cluster-autoscaler"
KARPENTER = "karpenter"

_SIZES = "request less, or allow larger instance types"
_REQUIREMENTS = "compare the pod's node affinity with the requirements of the NodePool"
_CLOUD_ERROR = "look for the cloud's error: quota, or no capacity"

# Tables, a text a row, as compact as they read.
# fmt: off

CLUSTER_AUTOSCALER_TEXTS: tuple[Text, ...] = (
    Text("max node group size reached", CLUSTER_AUTOSCALER, "the node group may not grow any further",
         "raise the maximum size of the node group"),
    Text("max limit reached", CLUSTER_AUTOSCALER, "the node group may not grow any further", "raise the maximum size "
         "of the node group"),
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
    Text("pod triggered scale-up: <groups>", CLUSTER_AUTOSCALER, "new nodes are on their way: {groups}",
         "if none comes, " + _CLOUD_ERROR),
    Text("pod triggered scale-up, group: <groups>", CLUSTER_AUTOSCALER, "new nodes are on their way: {groups}",
         "if none comes, " + _CLOUD_ERROR),
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
    Text("No expansion options", CLUSTER_AUTOSCALER, "no node group can grow for the pending pods", "see what the log "
         "says of each node group"),
    Text("No expansion optiions", CLUSTER_AUTOSCALER, "no node group can grow for the pending pods", "see what the log "
         "says of each node group"),
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
    Text("Failed adding <count> nodes to group <group> due to <fault>", CLUSTER_AUTOSCALER, "the cloud did not add "
         "nodes to {group}: {fault}", _CLOUD_ERROR),
    Text("Failed adding <count> nodes (<number> unseen previously) to group <group> due to <fault>", CLUSTER_AUTOSCALER,
         "the cloud did not add nodes to {group}: {fault}", _CLOUD_ERROR),
    Text("Scale-up failed for group <group>: <fault>", CLUSTER_AUTOSCALER, "the cloud refused to let {group} grow: "
         "{fault}", _CLOUD_ERROR),
    Text("Scale-up timed out for node group <group> after <time>", CLUSTER_AUTOSCALER, "machines of node group {group} "
         "were asked for and did not become nodes within {time}", "see the machines' own logs, and whether they can "
         "reach the cluster"),
    Text("Scale-up: setting group <group> size to <want> instead of <have> (max: <most>)", CLUSTER_AUTOSCALER,
         "{group} grows from {have} to {want} nodes", "if none comes, " + _CLOUD_ERROR),
    Text("Scale-up: group <group> size set to <want> instead of <have> (max: <most>)", CLUSTER_AUTOSCALER,
         "{group} grows from {have} to {want} nodes", "if none comes, " + _CLOUD_ERROR),
    Text("Scale-up: setting group <group> size to <want>", CLUSTER_AUTOSCALER, "{group} grows to {want} nodes",
         "if none comes, " + _CLOUD_ERROR),
    Text("Scale-up: group <group> size set to <want>", CLUSTER_AUTOSCALER, "{group} grows to {want} nodes",
         "if none comes, " + _CLOUD_ERROR),
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

_INSTANCE_TYPES: tuple[tuple[str, str, str], ...] = (
    ("met the scheduling requirements or had enough resources or had a required offering", ("none has the labels that "
     "are asked for, none is large enough, and none is on offer as asked for"), _REQUIREMENTS),
    ("met the scheduling requirements or had enough resources", ("none has the labels that are asked for, and none is "
     "large enough"), _REQUIREMENTS),
    ("met the scheduling requirements or had a required offering", ("none has the labels that are asked for, and none "
     "is on offer in that zone and capacity type"), _REQUIREMENTS),
    ("had enough resources or had a required offering", ("none is large enough, and none is on offer in that zone and "
     "capacity type"), _SIZES),
    ("met all requirements", "none has the labels that are asked for", _REQUIREMENTS),
    ("has enough resources", "none is large enough for the pod and the DaemonSets", _SIZES),
    ("has the required offering", "none is on offer in that zone and capacity type", ("allow other zones or capacity "
     "types")),
    ("which met the scheduling requirements and had enough resources, had a required offering", ("those that would do "
     "are not on offer in that zone and capacity type"), "allow other zones or capacity types"),
    ("which had enough resources and the required offering met the scheduling requirements", ("those that are large "
     "enough and on offer lack the labels that are asked for"), _REQUIREMENTS),
    ("which met the scheduling requirements and the required offering had the required resources", ("those that would "
     "do are too small for the pod and the DaemonSets"), _SIZES),
    ("met the requirements/resources/offering tuple", "none has the labels, the size and an offering all at once",
     _REQUIREMENTS),
)

_LIMITS = "raise spec.limits of the NodePool"
_CLAIM = "kubectl describe pvc"

KARPENTER_TEXTS: tuple[Text, ...] = (
    Text("Pod should schedule on: <place>", KARPENTER, "Karpenter has a node for the pod, or adds one: {place}",
         "kubectl get nodeclaims"),
    Text("Pod should schedule on <place>", KARPENTER, "Karpenter has a node for the pod, or adds one: {place}",
         "kubectl get nodeclaims"),
    Text("no nodepools found", KARPENTER, "there is no NodePool that could make a node", "kubectl get nodepools"),
    Text("no dynamic nodepools found", KARPENTER, "there is no NodePool that makes nodes on demand; static ones do not "
         "grow for a pod", "kubectl get nodepools"),
    Text("Failed to find instance type option(s) for <pods>", KARPENTER, "no instance type that the Provisioner allows "
         "has room for the pods {pods}", "compare their requests with the instance types of the Provisioner"),
    Text("Excluding instance type <type> because there are not enough resources for daemons", KARPENTER, "the "
         "DaemonSets' pods alone are too big for {type}"),
    Text("no provisioners found", KARPENTER, "there is no Provisioner that could make a node",
         "kubectl get provisioners"),
    Text("did not tolerate taint (taint=<taint>)", KARPENTER, "nodes of the NodePool have the taint {taint}, which the "
         "pod does not tolerate", "add a toleration, or another NodePool"),
    Text("did not tolerate <tainted>", KARPENTER, "nodes of the NodePool have the taint {tainted}, which the pod does "
         "not tolerate", "add a toleration, or another NodePool"),
    Text("all available instance types exceed limits for nodepool<where>", KARPENTER, "one more node would exceed the "
         "limits of the NodePool", _LIMITS),
    Text("all available instance types exceed limits for provisioner<where>", KARPENTER, "one more node would exceed "
         "the limits of the Provisioner", "raise spec.limits of the Provisioner"),
    Text("<count> out of <number> instance types were excluded because they would breach <kind>limits", KARPENTER,
         "with {count} of {number} instance types, one more node would exceed the limits of the pool", _LIMITS),
    Text("all available instance types exceed provisioner limits", KARPENTER, "one more node would exceed the limits "
         "of the Provisioner", "raise spec.limits of the Provisioner"),
    Text("node limits have been exhausted for nodepool<where>", KARPENTER, "the NodePool has as many nodes as its "
         "limits allow", _LIMITS),
    Text('incompatible requirements, label "<label>" does not have known values<hint>', KARPENTER,
         "the pod selects label {label}, which the NodePool does not set", "add the label to the NodePool's template"),
    Text('label "<label>" does not have known values<hint>', KARPENTER,
         "the pod selects label {label}, which the NodePool does not set", "add the label to the NodePool's template"),
    Text("incompatible requirements, key <key>, <wanted> not in <offered>", KARPENTER, "the pod wants {wanted}; the "
         "NodePool offers {offered}", "change the pod's node affinity or the NodePool"),
    Text("incompatible volume requirements, key <key>, <wanted> not in <offered>", KARPENTER, "the pod's volume is "
         "where {wanted}; the NodePool offers {offered}", "let the NodePool make nodes in the volume's zone"),
    Text("incompatible dynamic resource requirements, key <key>, <wanted> not in <offered>", KARPENTER, "the pod's "
         "devices are where {wanted}; the NodePool offers {offered}", "change the claim or the NodePool"),
    Text("key <key>, <wanted> not in <offered>", KARPENTER, "the pod wants {wanted}; the NodePool offers {offered}",
         "change the pod's node affinity or the NodePool"),
    Text("matched <have>/<want> provisioners, tried <details>", KARPENTER, "{have} of {want} Provisioners would do: "
         "{details}", "change the pod's node selector or a Provisioner"),
    Text("invalid nodeSelector <fault>", KARPENTER, "the pod's node selector excludes the Provisioner: {fault}",
         "change the pod's node selector or the Provisioner"),
    Text("incompatible requirements, <fault>", KARPENTER, "the pod's node affinity excludes the NodePool: {fault}",
         "change the pod's node affinity or the NodePool"),
    Text("incompatible volume requirements, <fault>", KARPENTER, "the place of the pod's volume excludes the NodePool: "
         "{fault}", "let the NodePool make nodes in the volume's zone"),
    Text("incompatible dynamic resource requirements, <fault>", KARPENTER, "the place of the pod's devices excludes "
         "the NodePool: {fault}", "change the claim or the NodePool"),
    *(Text(f"no instance type {words}, <details>", KARPENTER, f"of the NodePool's instance types, {meaning}: "
           "{details}", check) for words, meaning, check in _INSTANCE_TYPES),
    *(Text(f"no instance type {words}", KARPENTER, f"of the NodePool's instance types, {meaning}", check)
      for words, meaning, check in _INSTANCE_TYPES),
    Text("no instance type satisfied resources <resources> and requirements <requirements> (<reason>)", KARPENTER,
         "no instance type of the pool can take the pod: {reason}", _SIZES),
    Text("no instance type satisfied resources <resources> and requirements <requirements>", KARPENTER,
         "no instance type of the pool has {resources} and meets all requirements", _SIZES),
    Text("no instance type satisfies both scheduling and dynamic resource requirements", KARPENTER, "no instance type "
         "of the NodePool has both the size and the devices", "allow other instance types"),
    Text("no instance type satisfied resources", KARPENTER, "no instance type of the pool is as large as the pod and "
         "the DaemonSets need, and meets all requirements", _SIZES),
    Text("daemonset overhead={<value>}", KARPENTER, "the pool cannot take the pod; the message ends before it says "
         "why", "see the log of Karpenter"),
    Text("nodepool requirements filtered out all available instance types", KARPENTER, "the NodePool's own "
         "requirements leave no instance type", "loosen its requirements"),
    Text("minValues requirement is not met for <labels>", KARPENTER, "fewer instance types are left than the NodePool "
         "demands at least (minValues of {labels})", "lower minValues, or allow more instance types"),
    Text("validating minValues, <fault>", KARPENTER, "fewer instance types are left than the NodePool demands at least "
         "(minValues)", "lower minValues, or allow more instance types"),
    Text("pod didn't schedule because NodePool <where>couldn't meet minValues requirements<fault>", KARPENTER,
         "fewer instance types are left than the NodePool requires (minValues)",
         "lower minValues, or allow more instance types"),
    Text("one or more instance types with compatible reserved offerings are available, but could not be reserved",
         KARPENTER, "the reserved capacity that would do is taken by nodes that are just being made", "wait: Karpenter "
         "tries again"),
    Text("satisfying updated nodeclaim constraints would remove all compatible reserved offering options", KARPENTER,
         "with this pod, the node that is being made could not use its reservation", "wait: Karpenter tries again"),
    Text("unsatisfiable topology constraint for <kind>, <fault>", KARPENTER, "no new node could satisfy the pod's "
         "{kind} constraint", "loosen the constraint"),
    Text("pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter", KARPENTER,
         "the pod has ResourceClaims, and this Karpenter does not make nodes for those", "add a node with the devices "
         "yourself, or let Karpenter consider claims"),
    Text("allocating dynamic resources, <fault>", KARPENTER, "the pod's ResourceClaims cannot be met by a new node: "
         "{fault}", "kubectl get resourceslices,deviceclasses"),
    Text('resourceclaim "<claim>" not found', KARPENTER, "ResourceClaim {claim} does not exist",
         "kubectl get resourceclaims"),
    Text('getting resourceclaim "<claim>", <fault>', KARPENTER, "ResourceClaim {claim} cannot be read: {fault}",
         "kubectl get resourceclaims"),
    Text("checking host port usage, <fault>", KARPENTER, "a host port of the pod is taken on the node", "use another "
         "hostPort, or none"),
    Text("pod hostport conflicts with existing hostport configuration<details>", KARPENTER, "a DaemonSet's pod uses "
         "the same host port on every node", "use another hostPort, or none"),
    Text("<port> conflicts with existing HostPort configuration <taken>", KARPENTER, "a DaemonSet's pod uses the same "
         "host port on every node ({taken})", "use another hostPort, or none"),
    Text("checking volume usage, <fault>", KARPENTER, "the node cannot attach as many volumes as the pod would add: "
         "{fault}"),
    Text("would exceed volume limit<details>", KARPENTER, "the node cannot attach as many volumes as the pod would "
         "add"),
    Text("would exceed node volume limits", KARPENTER, "the node cannot attach as many volumes as the pod would add"),
    Text("exceeds node resources", KARPENTER, "the node has too little left for the pod"),
    Text("failed scheduling pod to <nodes_of>", KARPENTER, "the pod does not fit on {nodes_of}"),
    Text("ignoring pod, label <label> is restricted; specify a well known label<details>", KARPENTER, "the pod selects "
         "label {label}, which no Provisioner may set", "select another label"),
    Text("ignoring pod, <cause>", KARPENTER, "Karpenter makes no node for the pod"),
    Text("node selector term with matchFields is not supported", KARPENTER, "the pod is for nodes by name "
         "(matchFields), and Karpenter makes no node for such a pod", "select nodes by labels"),
    Text("configured to not run on a Karpenter provisioned node<details>", KARPENTER, "the pod's node affinity "
         "excludes every node of Karpenter (karpenter.sh/nodepool DoesNotExist)", "drop that term, or add a node "
         "yourself"),
    Text("persistentvolumeclaim is being deleted<details>", KARPENTER, "a claim of the pod is being deleted", _CLAIM),
    Text("persistentvolumeclaim bound to non-existent persistentvolume<details>", KARPENTER, "a claim of the pod is "
         "bound to a volume that no longer exists", _CLAIM),
    Text("persistentvolume is being deleted", KARPENTER, "a volume of the pod is being deleted", "kubectl get pv"),
    Text("unbound pvc must define a storage class<details>", KARPENTER, "a claim of the pod is not bound and names no "
         "storage class", _CLAIM),
    Text("failed to validate pvc<details>", KARPENTER, "a claim of the pod stands in the way{details}", _CLAIM),
    Text("pvc is considered unbound because it does not contain annotation<details>", KARPENTER, "a claim of the pod "
         "is not bound completely", _CLAIM),
    Text("getting persistent volume claim <details>", KARPENTER, "a claim of the pod cannot be read: {details}",
         _CLAIM),
    Text("getting storage class<details>", KARPENTER, "the storage class of a claim cannot be read{details}",
         "kubectl get storageclass"),
    Text("getting persistent volume<details>", KARPENTER, "the volume of a claim cannot be read{details}",
         "kubectl get pv"),
    Text("discovering persistent volume claim<details>", KARPENTER, "a claim of the pod cannot be read{details}",
         _CLAIM),
    Text("creating instance, insufficient capacity, <details>", KARPENTER, "the cloud has no such machine left: "
         "{details}", "allow more instance types, zones or capacity types, or wait"),
    Text("insufficient capacity, <details>", KARPENTER, "the cloud has no such machine left: {details}",
         "allow more instance types, zones or capacity types, or wait"),
    Text("all requested instance types were unavailable during launch", KARPENTER, "the cloud has none of the machines "
         "left that would do", "allow more instance types, zones or capacity types, or wait"),
    Text("NodeClaim <name> event: <cause>", KARPENTER, "the machine of NodeClaim {name} cannot be made"),
    Text("Failed resolving NodeClass", KARPENTER, "the node class that the NodePool names is not there",
         "kubectl get nodeclasses,ec2nodeclasses"),
    Text("NodePool not ready", KARPENTER, "the NodePool is not ready", "kubectl describe nodepool"),
    Text("creating instance, <fault>", KARPENTER, "the cloud did not make the machine: {fault}", "see the NodeClaim "
         "and the node class"),
    Text("launching nodeclaim, <cause>", KARPENTER, "the machine of a NodeClaim cannot be made"),
    Text("Evicted pod: <why>", KARPENTER, "Karpenter evicted the pod, as its node is being replaced or removed: "
         "{why}", "kubectl get nodeclaims"),
    Text("Deleting the pod to accommodate the terminationTime <details>", KARPENTER, "Karpenter deletes the pod: the "
         "node's time to terminate has come, whatever budgets say", "see terminationGracePeriod of the NodePool"),
)

FARGATE = "fargate-scheduler"

#: Source: what the scheduler of AWS Fargate reports; it is not public.
FARGATE_TEXTS: tuple[Text, ...] = (
    Text("Pod not supported on Fargate: <fault>", FARGATE, "Fargate cannot run such a pod: {fault}", "change the pod, "
         "or let another profile or a node take it"),
    Text("Misconfigured Fargate Profile: <fault>", FARGATE, "the Fargate profile cannot start pods: {fault}",
         "correct the profile, often its pod execution role"),
    Text("Pod provisioning timed out (will retry) for pod: <pod>", FARGATE, "Fargate has not started a machine for the "
         "pod in time, and tries again", "see that the profile's subnets have addresses and reach the cluster"),
    Text("Pod provisioning timed out (will retry)", FARGATE, "Fargate has not started a machine for the pod in time, "
         "and tries again", "see that the profile's subnets have addresses and reach the cluster"),
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
