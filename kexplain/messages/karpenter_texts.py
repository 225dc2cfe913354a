"""What Karpenter says of pods that wait for a node.

Source: Karpenter's `NodeClaim.CanAdd`, `InstanceTypeFilterError`, `Scheduler` and `VolumeTopology` since 0.21.
"""

from kexplain.messages.karpenter_node_texts import KARPENTER, NODE_TEXTS
from kexplain.messages.text import Row, Text, rows

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
_MORE_TYPES = "allow more instance types, zones or capacity types, or wait"
_CLAIM = "kubectl describe pvc"

_ROWS: tuple[Row, ...] = (
    (("Pod should schedule on: <place>", "Pod should schedule on <place>"), ("Karpenter has a node for the pod, or "
     "adds one: {place}"), "kubectl get nodeclaims"),
    ("no nodepools found", "there is no NodePool that could make a node", "kubectl get nodepools"),
    ("no dynamic nodepools found", "there is no NodePool that makes nodes on demand; static ones do not grow for a pod",
     "kubectl get nodepools"),
    ("Failed to find instance type option(s) for <pods>", ("no instance type that the Provisioner allows has room for "
     "the pods {pods}"), "compare their requests with the instance types of the Provisioner"),
    ("Excluding instance type <type> because there are not enough resources for daemons",
     "the DaemonSets' pods alone are too big for {type}"),
    ("no provisioners found", "there is no Provisioner that could make a node", "kubectl get provisioners"),
    ("did not tolerate taint (taint=<taint>)", ("nodes of the NodePool have the taint {taint}, which the pod does not "
     "tolerate"), "add a toleration, or another NodePool"),
    ("did not tolerate <tainted>", "nodes of the NodePool have the taint {tainted}, which the pod does not tolerate",
     "add a toleration, or another NodePool"),
    (("all available instance types exceed limits for nodepool<where>", "all available instance types exceed limits"),
     "one more node would exceed the limits of the NodePool", _LIMITS),
    (("all available instance types exceed limits for provisioner<where>",
     "all available instance types exceed provisioner limits"), ("one more node would exceed the limits of the "
     "Provisioner"), "raise spec.limits of the Provisioner"),
    ("<count> out of <number> instance types were excluded because they would breach <kind>limits",
     "with {count} of {number} instance types, one more node would exceed the limits of the pool", _LIMITS),
    ("node limits have been exhausted for nodepool<where>", "the NodePool has as many nodes as its limits allow",
     _LIMITS),
    (('incompatible requirements, label "<label>" does not have known values<hint>',
     'label "<label>" does not have known values<hint>'), ("the pod selects label {label}, which the NodePool does not "
     "set"), "add the label to the NodePool's template"),
    (("incompatible requirements, key <key>, <wanted> not in <offered>", "key <key>, <wanted> not in <offered>"),
     "the pod wants {wanted}; the NodePool offers {offered}", "change the pod's node affinity or the NodePool"),
    ("incompatible volume requirements, key <key>, <wanted> not in <offered>",
     "the pod's volume is where {wanted}; the NodePool offers {offered}", ("let the NodePool make nodes in the "
     "volume's zone")),
    ("incompatible dynamic resource requirements, key <key>, <wanted> not in <offered>",
     "the pod's devices are where {wanted}; the NodePool offers {offered}", "change the claim or the NodePool"),
    ("matched <have>/<want> provisioners, tried <details>", "{have} of {want} Provisioners would do: {details}",
     "change the pod's node selector or a Provisioner"),
    ("invalid nodeSelector <fault>", "the pod's node selector excludes the Provisioner: {fault}",
     "change the pod's node selector or the Provisioner"),
    ("incompatible requirements, <fault>", "the pod's node affinity excludes the NodePool: {fault}",
     "change the pod's node affinity or the NodePool"),
    ("incompatible volume requirements, <fault>", "the place of the pod's volume excludes the NodePool: {fault}",
     "let the NodePool make nodes in the volume's zone"),
    ("incompatible dynamic resource requirements, <fault>", ("the place of the pod's devices excludes the NodePool: "
     "{fault}"), "change the claim or the NodePool"),
    ("no instance type satisfied resources <resources> and requirements <requirements> (<reason>)",
     "no instance type of the pool can take the pod: {reason}", _SIZES),
    ("no instance type satisfied resources <resources> and requirements <requirements>",
     "no instance type of the pool has {resources} and meets all requirements", _SIZES),
    ("no instance type satisfies both scheduling and dynamic resource requirements",
     "no instance type of the NodePool has both the size and the devices", "allow other instance types"),
    (("no instance type satisfied resources", "no instance type satisfied resources and requirements"),
     "no instance type of the pool is as large as the pod and the DaemonSets need, and meets all requirements", _SIZES),
    ("daemonset overhead={<overhead>}", "the pool cannot take the pod; the message ends before it says why",
     "see the log of Karpenter"),
    ("nodepool requirements filtered out all available instance types", ("the NodePool's own requirements leave no "
     "instance type"), "loosen its requirements"),
    ("minValues requirement is not met for <labels>", ("fewer instance types are left than the NodePool demands at "
     "least (minValues of {labels})"), "lower minValues, or allow more instance types"),
    ("validating minValues, <fault>", "fewer instance types are left than the NodePool demands at least (minValues)",
     "lower minValues, or allow more instance types"),
    ("pod didn't schedule because NodePool <where>couldn't meet minValues requirements<fault>",
     "fewer instance types are left than the NodePool requires (minValues)",
     "lower minValues, or allow more instance types"),
    ("one or more instance types with compatible reserved offerings are available, but could not be reserved",
     "the reserved capacity that would do is taken by nodes that are just being made", "wait: Karpenter tries again"),
    ("satisfying updated nodeclaim constraints would remove all compatible reserved offering options",
     "with this pod, the node that is being made could not use its reservation", "wait: Karpenter tries again"),
    ("unsatisfiable topology constraint for <kind>, <fault>", "no new node could satisfy the pod's {kind} constraint",
     "loosen the constraint"),
    ("pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter",
     "the pod has ResourceClaims, and this Karpenter does not make nodes for those",
     "add a node with the devices yourself, or let Karpenter consider claims"),
    ("allocating dynamic resources, <fault>", "the pod's ResourceClaims cannot be met by a new node: {fault}",
     "kubectl get resourceslices,deviceclasses"),
    ('resourceclaim "<claim>" not found', "ResourceClaim {claim} does not exist", "kubectl get resourceclaims"),
    ('getting resourceclaim "<claim>", <fault>', "ResourceClaim {claim} cannot be read: {fault}",
     "kubectl get resourceclaims"),
    ("checking host port usage, <fault>", "a host port of the pod is taken on the node",
     "use another hostPort, or none"),
    ("pod hostport conflicts with existing hostport configuration<details>",
     "a DaemonSet's pod uses the same host port on every node", "use another hostPort, or none"),
    ("<port> conflicts with existing HostPort configuration <taken>", ("a DaemonSet's pod uses the same host port on "
     "every node ({taken})"), "use another hostPort, or none"),
    ("checking volume usage, <fault>", "the node cannot attach as many volumes as the pod would add: {fault}"),
    (("would exceed volume limit<details>", "would exceed node volume limits"),
     "the node cannot attach as many volumes as the pod would add"),
    ("exceeds node resources", "the node has too little left for the pod"),
    ("failed scheduling pod to <nodes_of>", "the pod does not fit on {nodes_of}"),
    ("ignoring pod, label <label> is restricted; specify a well known label<details>",
     "the pod selects label {label}, which no Provisioner may set", "select another label"),
    ("ignoring pod, <cause>", "Karpenter makes no node for the pod"),
    ("node selector term with matchFields is not supported", ("the pod is for nodes by name (matchFields), and "
     "Karpenter makes no node for such a pod"), "select nodes by labels"),
    ("configured to not run on a Karpenter provisioned node<details>", ("the pod's node affinity excludes every node "
     "of Karpenter (karpenter.sh/nodepool DoesNotExist)"), "drop that term, or add a node yourself"),
    ("persistentvolumeclaim is being deleted<details>", "a claim of the pod is being deleted", _CLAIM),
    ("persistentvolumeclaim bound to non-existent persistentvolume<details>",
     "a claim of the pod is bound to a volume that no longer exists", _CLAIM),
    ("persistentvolume is being deleted", "a volume of the pod is being deleted", "kubectl get pv"),
    ("unbound pvc must define a storage class<details>", "a claim of the pod is not bound and names no storage class",
     _CLAIM),
    ("failed to validate pvc<details>", "a claim of the pod stands in the way{details}", _CLAIM),
    ("pvc is considered unbound because it does not contain annotation<details>",
     "a claim of the pod is not bound completely", _CLAIM),
    ("getting persistent volume claim <details>", "a claim of the pod cannot be read: {details}", _CLAIM),
    ("getting storage class<details>", "the storage class of a claim cannot be read{details}",
     "kubectl get storageclass"),
    ("getting persistent volume<details>", "the volume of a claim cannot be read{details}", "kubectl get pv"),
    ("discovering persistent volume claim<details>", "a claim of the pod cannot be read{details}", _CLAIM),
    (("creating instance, insufficient capacity, <details>", "insufficient capacity, <details>"),
     "the cloud has no such machine left: {details}", _MORE_TYPES),
    (("all requested instance types were unavailable during launch", "all requested instance types were unavailable"),
     "the cloud has none of the machines left that would do", _MORE_TYPES),
    ("NodeClaim <name> event: <cause>", "the machine of NodeClaim {name} cannot be made"),
    ("Failed resolving NodeClass", "the node class that the NodePool names is not there",
     "kubectl get nodeclasses,ec2nodeclasses"),
    ("NodePool not ready", "the NodePool is not ready", "kubectl describe nodepool"),
    ("creating instance, <fault>", "the cloud did not make the machine: {fault}",
     "see the NodeClaim and the node class"),
    ("launching nodeclaim, <cause>", "the machine of a NodeClaim cannot be made"),
    ("Evicted pod: <why>", "Karpenter evicted the pod, as its node is being replaced or removed: {why}",
     "kubectl get nodeclaims"),
    ("Deleting the pod to accommodate the terminationTime <details>", ("Karpenter deletes the pod: the node's time to "
     "terminate has come, whatever budgets say"), "see terminationGracePeriod of the NodePool"),
)

KARPENTER_TEXTS: tuple[Text, ...] = (
    *(Text(f"no instance type {words}{end}", KARPENTER, f"of the NodePool's instance types, {meaning}{told}", check)
      for end, told in ((", <details>", ": {details}"), ("", "")) for words, meaning, check in _INSTANCE_TYPES),
    *rows(KARPENTER, _ROWS),
    *NODE_TEXTS,
)
