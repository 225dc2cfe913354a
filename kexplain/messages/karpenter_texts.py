"""What Karpenter says of pods that wait for a node.

Source: Karpenter's `NodeClaim.CanAdd`, `InstanceTypeFilterError`, `Scheduler` and `VolumeTopology` since 0.21.
"""

from kexplain.messages.karpenter_node_texts import KARPENTER, NODE_TEXTS
from kexplain.messages.text import Text, worded

_SIZES = "request less, or allow larger instance types"
_REQUIREMENTS = "compare the pod's node affinity with the requirements of the NodePool"

# Tables, a text a row, as compact as they read.
# fmt: off

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
    *worded(("Pod should schedule on: <place>", "Pod should schedule on <place>"), KARPENTER, "Karpenter has a node "
         "for the pod, or adds one: {place}", "kubectl get nodeclaims"),
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
    *worded(('incompatible requirements, label "<label>" does not have known values<hint>',
         'label "<label>" does not have known values<hint>'), KARPENTER, "the pod selects label {label}, which the "
         "NodePool does not set", "add the label to the NodePool's template"),
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
    Text("daemonset overhead={<overhead>}", KARPENTER, "the pool cannot take the pod; the message ends before it says "
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
    *worded(("would exceed volume limit<details>", "would exceed node volume limits"), KARPENTER, "the node cannot "
         "attach as many volumes as the pod would add"),
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
    *worded(("creating instance, insufficient capacity, <details>", "insufficient capacity, <details>"), KARPENTER,
         "the cloud has no such machine left: {details}", "allow more instance types, zones or capacity types, or "
         "wait"),
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
    *NODE_TEXTS,
)
