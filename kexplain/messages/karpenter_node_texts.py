"""What Karpenter says of its rounds, of the machines that it makes, and of nodes that it replaces or leaves alone.

Source: every event and log of Karpenter 0.1 to 1.14 and of its provider for AWS that says why a pod has, or will have,
a node or none.
"""

from kexplain.messages.text import Row, Text, rows

KARPENTER = "karpenter"
_CLASSES = "kubectl describe ec2nodeclasses,aksnodeclasses"

# Tables, a text a row, as compact as they read: the text, what it means, and what to look at.
# fmt: off

_ROWS: tuple[Row, ...] = (
    ("found provisionable pod(s)", "Karpenter has seen pending pods and works out which nodes they need"),
    ("computed new nodeclaim(s) to fit pod(s)", "Karpenter makes nodes for the pending pods",
     "kubectl get nodeclaims"),
    ("computed new machine(s) to fit pod(s)", "Karpenter makes nodes for the pending pods", "kubectl get machines"),
    ("computed new node(s) to fit pod(s)", "Karpenter makes nodes for the pending pods", "kubectl get nodes"),
    ("computed unready node(s) will fit pod(s)", "the pending pods are to run on nodes that are not ready yet",
     "wait; kubectl get nodeclaims"),
    (("computing scheduling decision for provisionable pod(s)", "computing pod scheduling..."),
     "Karpenter works out which nodes the pending pods need"),
    ("Computed packing of <count> node(s) for <number> pod(s) with instance type option(s) <types>",
     "Karpenter makes {count} nodes for {number} pending pods, of one of the types {types}"),
    ("Computed packing for <number> pod(s) with instance type option(s) <types>", ("Karpenter makes nodes for "
     "{number} pending pods, of one of the types {types}")),
    ("Waiting for unschedulable pods", "Karpenter sees no pending pod"),
    ("Excluding instance type <type> because there are not enough resources for kubelet and system overhead",
     "what the system needs is more than {type} has"),
    ("Failed to compute packing, pod(s) <pods> did not fit in instance type option(s) <types>",
     "the pods {pods} fit on none of the types {types}", ("compare their requests with the instance types of the "
     "Provisioner")),
    ("Could not pack pods, <fault>", "Karpenter found no nodes for the pending pods: {fault}"),
    ("Could not launch node, <fault>", "the machine could not be made: {fault}"),
    ("Failed to provision new node, <fault>", "the machine could not be made: {fault}"),
    ("Provisioning failed, <fault>", "Karpenter makes no nodes: {fault}"),
    ("Unable to schedule pod <pod>, <fault>", "Karpenter makes no node for {pod}: {fault}"),
    (('Provisioner <name> not found. Create the "default" provisioner or specify an alternative using the '
     "nodeSelector <key>"), "there is no Provisioner for the pod", "kubectl get provisioners"),
    ("Retrieving provisioner, create a default provisioner, or specify an alternative using the nodeSelector <key>",
     "there is no Provisioner for the pod", "kubectl get provisioners"),
    ("Ignored pod <pod> when allocating for provisioner <name>, <fault>", ("Provisioner {name} makes no node for "
     "{pod}: {fault}")),
    ("Ignored pod <pod> due to invalid constraints, <fault>", "Karpenter makes no node for {pod}: {fault}",
     "correct the pod's node selector or affinity"),
    ("Relaxing soft constraints for pod since it previously failed to schedule, <details>",
     "no node would meet all preferences of the pod; Karpenter leaves some out: {details}"),
    ("Relaxing soft constraints for <pod> since it previously failed to schedule, <details>",
     "no node would meet all preferences of {pod}; Karpenter leaves some out: {details}"),
    ("Relaxing soft constraints for pod since it previously failed to schedule", ("no node would meet all "
     "preferences of the pod, so that Karpenter leaves some out")),
    ("label <label> is restricted; specify a well known label<details>", ("the pod selects label {label}, which no "
     "pool may set"), "select another label"),
    ("label is restricted; specify a well known label<details>", "the pod selects a label that no pool may set",
     "select another label"),
    ("key <key> has an unsupported operator <details>", ("the pod's node affinity has an operator that Karpenter "
     "does not know, at {key}"), "use In, NotIn, Exists, DoesNotExist, Gt or Lt"),
    ("pod affinity is not supported", "early versions of Karpenter make no node for a pod with pod affinity",
     "upgrade Karpenter"),
    ("pod anti-affinity is not supported", "early versions of Karpenter make no node for a pod with pod anti-affinity",
     "upgrade Karpenter"),
    ("no amis exist given constraints", "no machine image fits the pool's requirements",
     "kubectl describe ec2nodeclasses; see its image selector"),
    ("no instance types satisfy requirements of amis <details>", ("no instance type can run the machine images of "
     "the node class: {details}"), "kubectl describe ec2nodeclasses"),
    ("no capacity offerings are currently available given the constraints", ("the cloud has none of the machines "
     "left that would do"), "allow more instance types, zones or capacity types, or wait"),
    ("no subnets matched selector <details>", "no subnet has the tags that are asked for: {details}",
     "correct the subnet selector, or tag the subnets"),
    ("no subnets exist given constraints", "no subnet would do", "correct the subnet selector, or tag the subnets"),
    ("no security groups exist given constraints", "no security group has the tags that are asked for",
     "correct the selector, or tag the security groups"),
    ("with fleet error(s), <fault>", "the cloud refused the machines: {fault}", ("allow more instance types, "
     "zones or capacity types, or wait")),
    (("creating fleet <fault>", "Error creating fleet request: <fault>"), "the cloud refused the machines: {fault}"),
    ("creating node claim, <fault>", "the NodeClaim could not be made: {fault}"),
    ("skipping, no resolved instance types found<details>", ("the pool is passed over, as no instance type is left "
     "for it"), "loosen its requirements; kubectl describe its node class"),
    ("skipping, nodepool requirements filtered out all instance types<details>", ("the pool is passed over, as its "
     "requirements leave no instance type"), "loosen its requirements"),
    ("skipping, unable to resolve instance types<details>", ("the pool is passed over, as its instance types "
     "cannot be read{details}"), "kubectl describe nodepool"),
    ("skipping, awaiting nodeoverlay evaluation", "the pool is passed over until its NodeOverlays are read",
     "wait; kubectl describe nodeoverlays"),
    ("skipping, node overlays are not applied", "the pool is passed over, as its NodeOverlays are not applied",
     "kubectl describe nodeoverlays"),
    ("ignoring nodepool, not ready: <cause>", "the pool is passed over, as it is not ready"),
    ("ignoring nodepool, not ready", "the pool is passed over, as it is not ready", "kubectl describe nodepool"),
    ("nodepool node limit reached", "a static pool has as many nodes as its limits allow",
     "raise spec.limits of the NodePool"),
    ("NodePool requirements filtered out all compatible available instance types<details>",
     "the pool's requirements leave no instance type{details}", "loosen its requirements"),
    ("NodePool requirements filtered out all compatible available instance type", ("the pool's requirements leave "
     "no instance type"), "loosen its requirements"),
    ("instance types were excluded because they would breach limits", ("with some instance types, one more node "
     "would exceed the limits of the pool"), "raise spec.limits of the NodePool"),
    (("deferring scheduling decision for provisionable pod(s) to future simulation due to limited reserved "
     "offering capacity"), "reserved capacity is being taken by other nodes at this moment",
     "wait: Karpenter tries again"),
    (("pod(s) have a preferred Anti-Affinity which can prevent consolidation",
     "pod(s) have a preferred TopologySpreadConstraint which can prevent consolidation"),
     "preferences of pods may keep nodes from being replaced by fewer or cheaper ones"),
    ("skipping pod with Dynamic Resource Allocation requirements, not yet supported by Karpenter",
     "the pod has ResourceClaims, and this Karpenter makes no nodes for those", ("add a node with the devices "
     "yourself")),
    ("waiting on cluster sync", "Karpenter waits until it has read all of the cluster"),
    ("failed getting volume topology requirements: <cause>", "the zone of the pod's volume cannot be told"),
    ("scheduling simulation timed out", ("Karpenter had too little time for all pending pods, and goes on in the "
     "next round")),
    ("provisioner is unknown", "the pool of the node no longer exists", "kubectl get provisioners"),
    ("created nodeclaim", "Karpenter asks for a new machine", "kubectl get nodeclaims"),
    ("launched nodeclaim", "the cloud is starting the machine", "wait; kubectl get nodeclaims"),
    ("registered nodeclaim", "the machine has become a node"),
    ("initialized nodeclaim", "the node is ready for pods"),
    ("Launched instance: <details>", "the cloud has started a machine: {details}", ("if no node comes of it, see "
     "the machine's own log")),
    ("launched new instance", "the cloud has started a machine"),
    ("failed launching nodeclaim: <cause>", "the machine of a NodeClaim cannot be made"),
    ("terminating due to registration ttl", "the machine did not become a node in time and is given up",
     "see the machine's own log, and whether it can reach the cluster"),
    ("terminating due to timeout", "the machine was not launched, or did not become a node, in time and is given up",
     "see the machine's own log, and whether it can reach the cluster"),
    ("Triggering termination for node that failed to <what>", ("the machine did not become a ready node in time "
     "({what}) and is given up"), "see the machine's own log"),
    ("NodeClass not found on cluster", "the node class that the NodePool names does not exist",
     "kubectl get nodeclasses,ec2nodeclasses,aksnodeclasses"),
    ("NodeClassReady=False", "the node class of the NodePool is not ready", ("kubectl describe "
     "ec2nodeclasses,aksnodeclasses")),
    ("SubnetSelector did not match any Subnets", "no subnet has the tags that the node class asks for",
     "correct subnetSelectorTerms, or tag the subnets"),
    ("SecurityGroupSelector did not match any SecurityGroups", ("no security group has the tags that the node "
     "class asks for"), "correct securityGroupSelectorTerms, or tag the groups"),
    ("AMISelector did not match any AMIs", "no machine image is as the node class asks for",
     "correct amiSelectorTerms"),
    ("Awaiting AMI, Instance Profile, Security Group, and Subnet resolution", "the node class is being looked up",
     "wait"),
    ("Failed to resolve subnets", "the node class is not ready, for want of its subnets",
     "kubectl describe ec2nodeclasses"),
    ("Failed to resolve security groups", "the node class is not ready, for want of its security groups",
     "kubectl describe ec2nodeclasses"),
    ("Failed to resolve AMIs", "the node class is not ready, for want of its AMIs", "kubectl describe ec2nodeclasses"),
    ("Failed to resolve instance profile", "the node class is not ready, for want of its instance profile",
     "kubectl describe ec2nodeclasses"),
    ("NodeClassRef not ready, <fault>", "the node class is not ready: {fault}", ("kubectl describe "
     "ec2nodeclasses,aksnodeclasses")),
    (("Missing <taint_of> taint which prevents registration related race conditions on Karpenter-managed nodes",
     "Invariant violated, <taint_of> taint must be present on Karpenter-managed nodes",
     "<taint_of> taint must be present on Karpenter-managed nodes"), ("the machine came without the taint {taint_of}, "
     "which Karpenter's own startup script sets"), "see the user data of the node class"),
    ("expected <want> of resource <resource>, but found <have> <details>", ("the node has {have} {resource}, and "
     "Karpenter counted on {want}"), "kubectl get node -o yaml; check the device plugin"),
    (("more than <most> nodes are unhealthy in the <what>", "more then <most> nodes are unhealthy in the <what>"),
     "too many nodes are unhealthy for Karpenter to replace any ({most})", "kubectl get nodes"),
    ("no nodepools or provisioners found", "there is no pool that could make a node", "kubectl get nodepools"),
    ("Found <count> provisionable pod(s)", "Karpenter has seen {count} pending pods and works out their nodes"),
    ("Computed <count> new node(s) will fit <number> pod(s)", "{count} nodes for {number} pending pods are made"),
    ("Failed to schedule <count> pods", "Karpenter makes no node for {count} pods", "see what the log says before"),
    ("launching machine with <details>", "Karpenter asks for a new machine: {details}", "kubectl get machines"),
    ("launched machine", "the cloud is starting the machine", "wait; kubectl get machines"),
    ("skipped nodePools, not ready", "NodePools that are not ready are passed over", "kubectl get nodepools"),
    ("nodepool failed validation", "the NodePool is not valid", "kubectl describe nodepools"),
    ("creating nodeclaims, <fault>", "the NodeClaims could not be made: {fault}"),
    ("removing offering from offerings", ("the cloud has no such machine left there, and Karpenter leaves it out for "
     "three minutes"), "allow more instance types, zones or capacity types"),
    ("<why> for offering { instanceType: <type>, zone: <where>, capacityType: <kind> }, avoiding for <time>",
     "the cloud has no {kind} machine of type {type} left in {where} ({why}), and Karpenter leaves it out for {time}",
     "allow more instance types, zones or capacity types"),
    ("marking capacity reservation unavailable", "the capacity reservation is used up"),
    ("Attempted to launch a spot instance but failed due to \"<fault>\"", "the cloud gave no spot machine: {fault}",
     "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com"),
    ("compatible with nodepool \"<pool>\" but failed to add pod while adhering to reservation fallback policy, <cause>",
     "NodePool {pool} would do, but not with its reservations"),
    ("unsatisfiable topology constraint for key <key>", "no new node could satisfy the pod's constraint on {key}",
     "loosen the constraint"),
    ("failed to validate storage class, <fault>", "the storage class of a claim of the pod stands in the way: {fault}",
     "kubectl get storageclasses"),
    ("resolving node class, <fault>", "the node class of the pool cannot be used: {fault}", _CLASSES),
    ("listing instance types for <pool>, <fault>", "pool {pool} can make no nodes: {fault}", _CLASSES),
    ("Status condition transitioned, Type: <kind>, Status: <have> -> <want>, Reason: <why>",
     "condition {kind} is {want} now, where it was {have}: {why}"),
    ("Status condition transitioned, Type: <kind>, Status: <have> -> <want>", ("condition {kind} is {want} now, where "
     "it was {have}")),
    ("Error getting launch template configs: <fault>", ("the machine could not be made, for want of a launch template: "
     "{fault}"), "kubectl describe ec2nodeclasses"),
    ("Error resolving instance types", "the machine could not be made, as no instance type was left", _CLASSES),
    ("Error getting subnets", "the machine could not be made, for want of a subnet", _CLASSES),
    ("Launch templates not found when creating fleet request<fault>", ("the machine could not be made, as its launch "
     "template is gone; Karpenter tries again"), "wait"),
    (("Failed to construct CreateFleet request while respecting minValues",
     "Failed to filter instance types while respecting minValues"), ("fewer instance types are left than the NodePool "
     "demands at least (minValues)"), "lower minValues, or allow more instance types"),
    ("Controller isn't authorized to call <call>", "Karpenter's role may not call {call}",
     "add the permission to the policy of Karpenter's controller role"),
    ("Failed to detect the cluster CIDR", ("the node class is not ready, as the cluster cannot be asked for its "
     "addresses"), _CLASSES),
    ("Failed to resolve placement group", "the node class is not ready, for want of its placement group", _CLASSES),
    ("Placement group \"<name>\" not found", "placement group {name} of the node class does not exist", _CLASSES),
    ("NodeClass is in Ready=Unknown", "the node class is being looked up", "wait; " + _CLASSES),
    ("NodeClass is Terminating", "the node class is being deleted", _CLASSES),
    ("Failed resolving AWSNodeTemplate", "the AWSNodeTemplate that the Provisioner names is not there",
     "kubectl get awsnodetemplates"),
    ("DRA driver \"<name>\" has not published a complete resource pool", ("the node is not ready for claims: {name} "
     "does not offer its devices yet"), "look at that driver's pod on the node"),
    ("Waiting on deletion to continue <what>", "Karpenter waits until the node is gone", "wait"),
    ("Deprovisioning node via <why>", "Karpenter replaces or removes the node: {why}"),
    ("Consolidation candidate: <details>", "the node may be replaced or removed: {details}"),
    ("Consolidation rejected: <why>", "Karpenter leaves the node as it is: {why}"),
    ("This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
     "the pod has several PodDisruptionBudgets, so that nobody may evict it", "kubectl get poddisruptionbudgets"),
    ("Can't replace spot node with a cheaper spot node", "the node is a spot node, and no cheaper one would do"),
    ("Spot interruption warning was triggered", "the cloud takes the spot machine back in two minutes",
     "wait: Karpenter replaces it"),
    ("Spot rebalance recommendation was triggered", "the cloud may take the spot machine back soon"),
    ("Node <node> event: <what>", "{node}: {what}"),
    ("Machine <node> event: <cause>", "the machine {node} cannot be made"),
    ("Instance is stopping", "the machine is being stopped"),
    ("Instance is terminating", "the machine is being removed"),
    ("An unhealthy warning was triggered for the instance", ("the cloud says that the machine is about to be out "
     "of order"), "wait: Karpenter replaces it"),
    ("Interruption triggered termination for the <what>", ("the cloud takes the machine back, and Karpenter "
     "replaces the node"), "wait"),
    ("evicting pod violates a PDB<details>", "a PodDisruptionBudget keeps the pod on a node that is to go{details}",
     "kubectl get poddisruptionbudgets"),
    (("evicting pod <pod> violates a PDB", "Failed to evict pod <pod> due to PDB violation"),
     "a PodDisruptionBudget keeps {pod} on a node that is to go", "kubectl get poddisruptionbudgets"),
    ("Failed to drain node, <details>", "a node that is to go still has pods: {details}",
     "kubectl get poddisruptionbudgets; look for karpenter.sh/do-not-disrupt"),
    ("All pods will be deleted by <time>", "the node goes at {time} whatever budgets say",
     "see terminationGracePeriod of the NodePool"),
    ("tainted node", "the node takes no new pods, as it is to go"),
    ("deleted node", "the node is gone"),
    ("deleted nodeclaim", "the machine is gone"),
    ("disrupting node(s)", "Karpenter replaces or removes nodes", "see reason and decision in the same line"),
    (("disrupting nodeclaim(s) via <details>", "disrupting via <details>", "deprovisioning via <details>"),
     "Karpenter replaces or removes nodes: {details}"),
    ("Disrupting Node: <why>", "Karpenter replaces or removes the node: {why}", "kubectl get nodeclaims"),
    ("Disrupting NodeClaim: <why>", "Karpenter replaces or removes the node: {why}", "kubectl get nodeclaims"),
    ("Launching NodeClaim: <why>", "Karpenter makes a machine in place of another: {why}", "kubectl get nodeclaims"),
    ("Waiting on readiness to continue <what>", "the node goes once the one in its place is ready", "wait"),
    ("marking disrupted, <fault>", "the node could not be marked as one that is to go: {fault}"),
    (("Cannot disrupt Node: <cause>", "Cannot disrupt NodeClaim: <cause>", "Cannot deprovision Node: <cause>",
     "Cannot deprovision NodeClaim: <cause>", "Cannot deprovision Machine: <cause>",
     "Cannot deprovision node due to <cause>", "Cannot deprovision machine due to <cause>"),
     "Karpenter leaves the node as it is"),
    ("No allowed disruptions due to blocking budget", "the pool's budget allows no node to be replaced now",
     "see spec.disruption.budgets of the NodePool"),
    ("No allowed disruptions for disruption reason <why> due to blocking budget", ("the pool's budget allows no "
     "node to be replaced now, as far as the reason is {why}"), "see spec.disruption.budgets of the NodePool"),
    ("abandoning <what> consolidation <details>", "Karpenter leaves the nodes as they are this time: {details}"),
    ("Node not registered with cluster", "the machine has not become a node yet", ("if it stays, see the "
     "machine's own log, and whether it can reach the cluster")),
    ("Node not launched", "the machine is not there yet", "kubectl describe nodeclaim"),
    ("Node status is NotReady", "the machine has become a node, which is not ready", "kubectl describe node"),
    ("object is awaiting reconciliation", "Karpenter has not got to it yet", "wait"),
    ('StartupTaint "<name>" still exists', ("the node still has its startup taint {name}, which somebody else "
     "takes away"), "look at who sets and removes that taint"),
    ('KnownEphemeralTaint "<name>" still exists', "the node still has the taint {name} of nodes that are starting",
     "wait; kubectl describe node"),
    ('Resource "<resource>" was requested but not registered', "the node does not offer {resource} yet",
     "look at the device plugin's pod on the node"),
    ("Invariant violated, matched multiple nodes", "two nodes have the machine's provider ID",
     "kubectl get nodes -o yaml"),
    ("AuthFailure.ServiceLinkedRoleCreationNotPermitted: <fault>", ("AWS refuses spot machines, as the account "
     "lacks the role for them: {fault}"), "aws iam create-service-linked-role --aws-service-name spot.amazonaws.com"),
    # ------------------------------------------------------------------------------- why it leaves a node as it is
    (("state node is marked for deletion", "node is deleting or marked for deletion", "candidate is deleting",
     "Node in the process of deletion"), "the node is being removed already"),
    (("candidate is being <what>", "candidate is already being <what>"), "the node is being {what} already"),
    ("state node doesn't contain both a node and a <kind>", ("the node's {kind}, or its node, is not there yet, "
     "or no more")),
    ("nodeclaim does not have an associated node", "the node's machine has not become a node"),
    (("state node isn't initialized", "node isn't initialized", "machine is not initialized"),
     "the node is not ready yet"),
    ("state node is nominated<details>", "a pending pod is to run there{details}"),
    (("node is nominated for a pending pod", "Nominated for a pending pod", "machine is nominated"),
     "a pending pod is to run there"),
    ("node isn't managed by karpenter", "the node is none of Karpenter's"),
    (('disruption is blocked through the "<key>" annotation', 'Disruption is blocked with the "<key>" annotation',
     "<key> annotation exists"), "the node's annotation {key} forbids it"),
    ('pdb "<name>" prevents pod evictions', "PodDisruptionBudget {name} allows no pod to leave"),
    ("pdb <name> prevents pod evictions", "PodDisruptionBudget {name} allows no pod to leave"),
    ("pdb prevents pod evictions<details>", "a PodDisruptionBudget allows no pod to leave{details}"),
    ("eviction does not support multiple PDBs<details>", ("a pod has several PodDisruptionBudgets, so that nobody "
     "may evict it{details}")),
    ('Pod "<pod>" has "<key>" annotation', "{pod} may not be moved, by its annotation {key}"),
    ('Pod "<pod>" has do not evict annotation', "{pod} may not be moved, by its annotation"),
    ("pod <pod> has do not evict annotation", "{pod} may not be moved, by its annotation"),
    ('pod has "<key>" annotation<details>', "a pod may not be moved, by its annotation {key}{details}"),
    ("node doesn't have required label<details>", "the node lacks a label of Karpenter's{details}"),
    ("state node doesn't have required label <label>", "the node lacks label {label}"),
    ("required label \"<label>\" doesn't exist", "the node lacks label {label}"),
    (('Owning nodepool "<name>" not found', "NodePool not found (NodePool=<name>)", 'NodePool "<name>" not found'),
     "the node's NodePool {name} no longer exists"),
    ("nodepool \"<name>\" can't be resolved for state node", "the node's NodePool {name} cannot be read"),
    ('Instance type "<type>" not found', "the node's instance type {type} is not known"),
    ("Scheduling simulation failed to schedule all pods<details>", ("some of the node's pods would have no "
     "place{details}")),
    ("not all pods would schedule, <details>", "some of the node's pods would have no place: {details}"),
    ("Can't remove without creating <count> candidates", "the node's pods would need {count} other nodes"),
    ("Can't remove without creating <count> nodes", "the node's pods would need {count} other nodes"),
    ("Can't replace with a cheaper node", "no cheaper node would do"),
    ("Can't replace a spot node with a spot node", ("the node is a spot node, and spot nodes are not replaced by "
     "others")),
    ("SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node",
     "the node is a spot node, and SpotToSpotConsolidation is off"),
    (("SpotToSpotConsolidation requires <count> cheaper instance type options than the current candidate to "
     "consolidate, got <have>"), ("{have} cheaper types would do, and {count} are asked for where a spot node "
     "replaces another")),
    ('NodePool "<name>" has consolidation disabled', "NodePool {name} keeps its nodes as they are"),
    ('NodePool "<name>" has non-empty consolidation disabled', "NodePool {name} removes empty nodes only"),
    ('NodePool "<name>" has consolidation policy WhenEmpty, but node is not empty', ("NodePool {name} removes "
     "empty nodes only")),
    ("provisioner <name> has consolidation disabled", "Provisioner {name} keeps its nodes as they are"),
)

NODE_TEXTS: tuple[Text, ...] = tuple(rows(KARPENTER, _ROWS))
