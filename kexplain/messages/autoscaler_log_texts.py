"""What cluster-autoscaler's log and its status events say of its rounds, beside what it says of a single pod.

Source: every log and event of cluster-autoscaler 0.5 to 1.36 that says why a node comes, or comes not.
"""

from kexplain.messages.text import Text

CLUSTER_AUTOSCALER = "cluster-autoscaler"
_CLOUD_ERROR = "look for the cloud's error: quota, or no capacity"
_MACHINES = "see the machines' own logs, and whether they can reach the cluster"
_MAXIMUM = "raise the maximum size of the node group"

# Tables, a text a row, as compact as they read: the text, what it means, and what to look at.
# fmt: off

_ROWS: tuple[tuple[str, ...], ...] = (
    ("<count> other pods are also unschedulable", "{count} further pods wait for a node"),
    ("<count> other pods can't be scheduled on <group>.", "node group {group} takes {count} further pods neither"),
    ("<count> pods marked as unschedulable can be scheduled.", ("{count} of the pending pods fit on nodes there are "
     "or that are coming, so that no node is added for them")),
    ("<count> other pods marked as unschedulable can be scheduled.", ("{count} further pods fit on nodes there are "
     "or that are coming, so that no node is added for them")),
    ("Pod <pod> is <time> seconds old, too new to consider unschedulable", ("the autoscaler waits before it adds a "
     "node for {pod}"), "see --new-pod-scale-up-delay"),
    ("Unschedulable pods are very new, waiting one iteration for more", ("the autoscaler waits a moment for more "
     "pending pods before it adds nodes"), "wait"),
    ("No need for any nodes in <group>", "the pending pods need no node of {group}"),
    ("Requested scale-up (<want>) exceeds node group set capacity, capping to <have>", ("{want} nodes would be needed, "
     "and the groups may grow by {have} only"), _MAXIMUM),
    ("Ignoring node group <group> when balancing: <why>", "{group} does not grow with the others: {why}"),
    ("Expander filtered out all options, valid options: <count>", ("the expander turned away all {count} node groups "
     "that would do"), "see the autoscaler's --expander"),
    ("Priority expander: no priorities info found for any of the expansion options. <details>", ("the priorities name "
     "none of the node groups that would do"), "see ConfigMap cluster-autoscaler-priority-expander"),
    ("Max autoprovisioned node group count reached", "the autoscaler may make no further node groups",
     "see --max-autoprovisioned-node-group-count"),
    ("Can only create a new node group with max <have> nodes, need <want> nodes", ("{want} nodes would be needed, and "
     "a new node group may have {have}"), _MAXIMUM),
    ("Can only add <have> nodes due to node group limits, need <want> nodes", ("{want} nodes would be needed, and the "
     "group may grow by {have} only"), _MAXIMUM),
    ("Capping binpacking after exceeding <details>", "not all pending pods are looked at in this round: {details}",
     "wait: the next round goes on"),
    ("max node total count already reached", "the cluster has as many nodes as the autoscaler may run",
     "raise --max-nodes-total"),
    ("max cores already reached", "the cluster has as many CPUs as the autoscaler may run", "raise --cores-total"),
    ("max memory already reached", "the cluster has as much memory as the autoscaler may run", "raise --memory-total"),
    ("Capping scale-up size due to limit for resource <resource>", ("fewer nodes are added than would be needed, by "
     "the cluster's limit on {resource}"), "raise the autoscaler's resource limits"),
    ("Skipping <count> upcoming nodes for backed-off node group <group>: <why>", ("the {count} nodes that {group} "
     "still owes are not counted on: {why}"), _CLOUD_ERROR),
    ("Found <count> instances with errorCode <fault> in nodeGroup <group>", ("the cloud did not make {count} machines "
     "of {group}: {fault}"), _CLOUD_ERROR),
    ("Deleting <count> from <group> node group because of create errors", ("{count} machines of {group} could not be "
     "made and are given up"), _CLOUD_ERROR),
    ("ASG <group> scaling failed with <fault>", "AWS did not add machines to {group}: {fault}",
     _CLOUD_ERROR),
    ("Instance group <group> has only <have> instances created while requested count is <want>. <details>",
     "{group} is to have {want} machines, and the cloud has made {have}", _CLOUD_ERROR),
    ("Removed unregistered node <node>", "the machine {node} did not become a node in time and was given up",
     _MACHINES),
    ("Failed to fix node group sizes: <fault>", ("machines that were asked for and never came cannot be taken off the "
     "books: {fault}"), _CLOUD_ERROR),
    ("Decreasing size of <group>, expected=<want> current=<have> delta=<delta>", ("{group} was to have {want} nodes, "
     "has {have}, and is set back"), _CLOUD_ERROR),
    ("Can't build node from template for <group>, won't be able to scale from 0: <fault>",
     "the autoscaler cannot tell what a node of {group} is like: {fault}"),
    ("Cluster has no nodes", "the cluster has no node, and the autoscaler does nothing", "kubectl get nodes"),
    ("NodeAutoprovisioning: attempt to create node group <group> failed: <fault>", ("node group {group} could not be "
     "made: {fault}"), _CLOUD_ERROR),
    ("ProvisioningRequest is accepted by ClusterAutoscaler", "the autoscaler looks for room for the request", "wait"),
    ("Capacity is found in the cluster", "there is room for the pods of the ProvisioningRequest"),
    ("Failed to check pre-existing capacity in the cluster", ("the autoscaler could not tell whether there is room for "
     "the ProvisioningRequest"), "see the autoscaler's log"),
    ("CapacityBuffer is not ready for provisioning", "the CapacityBuffer cannot be used yet",
     "kubectl describe capacitybuffers"),
)

LOG_TEXTS: tuple[Text, ...] = tuple(Text(template, CLUSTER_AUTOSCALER, *rest) for template, *rest in _ROWS)
