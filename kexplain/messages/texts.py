"""Every text that kube-scheduler 1.22 to 1.37 puts into an event or a condition of a pod.

Source: the reasons in kube-scheduler's plugins, framework and preemption. The texts of kexplain's own plugins are
checked against this table in the tests.
"""

from msgspec.structs import replace

from kexplain.messages.text import Eviction, Releases, Text, worded
from kexplain.objects.well_known import NODE_CONDITIONS, UNINITIALIZED

HELPS, NO = Eviction.HELPS, Eviction.NO

SCHEDULER = "kube-scheduler"

_CLAIM_CHECK = "kubectl describe pvc/{claim}"
_FORM_OF_CLAIMS = Releases("1.34")

#: How releases name the first taint that a pod does not tolerate.
_TAINTED = (
    ("node(s) had untolerated taint {<taint>}", Releases("1.24", "1.34")),
    ("node(s) had taint {<taint>}, that the pod didn't tolerate", Releases("", "1.23")),
)

# Tables, a text a row, as compact as they read.
# fmt: off

_CONDITIONS_CHECK = "kubectl describe node shows its conditions; repair the node"
_AGENT_CHECK = "wait; if it stays, look at that agent's pod on the node"
_AUTOSCALER_CHECK = "wait: the autoscaler removes the node, and adds another if the pod needs one"

#: Taints that machines set and take away again, with what they say of the node, and what to do about it: never to
#: tolerate them, nor to remove them by hand. The longest come first.
_MACHINE_TAINTS: tuple[tuple[str, str, str], ...] = (
    *((taint, f"the node {condition}", _CONDITIONS_CHECK) for taint, condition in NODE_CONDITIONS.items()
      if taint != UNINITIALIZED),
    (UNINITIALIZED, "the node is not initialized yet", "wait; if it stays, look at the cloud's controller manager"),
    ("node.kubernetes.io/unschedulable", "the node is cordoned", ("kubectl uncordon, once it is known why the node was "
     "cordoned")),
    ("node.kubernetes.io/out-of-service", "somebody has declared the node out of service", ("look at who set the "
     "taint: it moves pods and volumes away from a node that is shut down for good")),
    ("node.kubernetes.io/<condition>", "the node is {condition}", _CONDITIONS_CHECK),
    ("node.cloudprovider.kubernetes.io/shutdown", "the cloud has shut the node down", ("start the machine, or remove "
     "the node")),
    ("node.cloudprovider.kubernetes.io/<condition>", "the cloud's controller manager says of the node: {condition}",
     "wait; if it stays, look at the cloud's controller manager"),
    ("ToBeDeletedByClusterAutoscaler", "cluster-autoscaler is about to delete the node", _AUTOSCALER_CHECK),
    ("DeletionCandidateOfClusterAutoscaler", "cluster-autoscaler may delete the node soon", _AUTOSCALER_CHECK),
    ("karpenter.sh/disrupted", "Karpenter is about to replace or remove the node", _AUTOSCALER_CHECK),
    ("karpenter.sh/disruption", "Karpenter is about to replace or remove the node", _AUTOSCALER_CHECK),
    ("karpenter.sh/unregistered", "the node has only just started: Karpenter has not registered it yet", ("wait; if it "
     "stays, kubectl describe nodeclaim")),
    ("node.cilium.io/agent-not-ready", "Cilium's agent is not ready on the node", _AGENT_CHECK),
    ("<agent>/agent-not-ready", "the agent of {agent} is not ready on the node", _AGENT_CHECK),
    ("startup-taint.cluster-autoscaler.kubernetes.io/<agent>", "the node is still starting: {agent} is not ready",
     _AGENT_CHECK),
    ("ignore-taint.cluster-autoscaler.kubernetes.io/<agent>", "the node is still starting: {agent} is not ready",
     _AGENT_CHECK),
)

#: There the node is to be mended or waited for, and the pod is as it should be.
_CONDITION_TEXTS = tuple(
    Text(template.replace("<taint>", f"{taint}: <value>"), "TaintToleration", meaning, check, eviction=NO,
         releases=releases)
    for template, releases in _TAINTED
    for taint, meaning, check in _MACHINE_TAINTS
)

#: What filters say of nodes, and PreFilter of all nodes at once.
NODE_TEXTS: tuple[Text, ...] = (
    # -------------------------------------------------------------------------------------------------------- resources
    Text("Insufficient cpu", "NodeResourcesFit", "the CPU that the pod requests exceeds what is free on the node",
         "compare the pod's requests with the Allocated resources in kubectl describe node", eviction=HELPS),
    Text("Insufficient memory", "NodeResourcesFit", "the memory that the pod requests exceeds what is free on the node",
         "compare the pod's requests with the Allocated resources in kubectl describe node", eviction=HELPS),
    Text("Insufficient <resource>", "NodeResourcesFit", "the {resource} that the pod requests exceeds what is free on "
         "the node, or the node has none", "compare the pod's requests with the Allocatable and Allocated resources in "
         "kubectl describe node", eviction=HELPS),
    Text("Too many pods", "NodeResourcesFit", "the node runs as many pods as its kubelet allows",
         "see Allocatable pods in kubectl describe node", eviction=HELPS),
    Text("Pod has a restartable init container and the SidecarContainers feature is disabled", "NodeResourcesFit",
         "the pod has a sidecar (an init container with restartPolicy Always), and the scheduler's feature gate for "
         "sidecars is off", "enable SidecarContainers, or turn the sidecar into a container", eviction=NO,
         releases=Releases("1.28")),
    # -------------------------------------------------------------------------------------------- taints, labels, names
    Text("node(s) had untolerated taint(s)", "TaintToleration", "the node has a taint with effect NoSchedule or "
         "NoExecute that the pod does not tolerate; this release does not name it", "kubectl get nodes -o "
         "custom-columns=NAME:.metadata.name,TAINTS:.spec.taints", eviction=NO, releases=Releases("1.35")),
    *_CONDITION_TEXTS,
    *(Text(template, "TaintToleration", "the node has the taint {taint}, which the pod does not tolerate; the node may "
           "have further taints", "add a toleration to the pod, or remove the taint", eviction=NO, releases=releases)
      for template, releases in _TAINTED),
    Text("node(s) had taints that the pod didn't tolerate", "TaintToleration", "the node has a taint that the pod does "
         "not tolerate", "kubectl describe node", eviction=NO, releases=Releases("", "1.22")),
    Text("node(s) were unschedulable", "NodeUnschedulable", "the node is cordoned", "kubectl uncordon, once it is "
         "known why the node was cordoned", eviction=NO),
    Text("node(s) had unknown conditions", "NodeUnschedulable", "the scheduler found no information about the node",
         "kubectl get node", eviction=NO),
    Text("node(s) didn't match the requested node name", "NodeName", "spec.nodeName of the pod names another node",
         "leave out spec.nodeName", eviction=NO),
    Text("node(s) didn't match Pod's node affinity/selector", "NodeAffinity", "the node's labels do not meet the pod's "
         "nodeSelector or required node affinity", "kubectl get nodes --show-labels", eviction=NO),
    Text("node(s) didn't match scheduler-enforced node affinity", "NodeAffinity", "the node's labels do not meet "
         "addedAffinity in the scheduler's configuration", "see the NodeAffinity arguments of the scheduler's profile",
         eviction=NO),
    Text("pod affinity terms conflict", "NodeAffinity", "the names in the pod's node affinity exclude one another, so "
         "no node can match", "see matchFields of the pod's node affinity", eviction=NO, releases=Releases("1.26")),
    Text("node(s) didn't match Pod's required features", "NodeDeclaredFeatures", "the pod needs a feature that the "
         "node's kubelet does not declare", "see declaredFeatures in the node's status", eviction=NO,
         releases=Releases("1.35")),
    Text("node(s) didn't have the requested labels", "NodeLabel", "the scheduler's Policy asks for labels, or the "
         "absence of labels, that the node does not meet", "see the Policy of the scheduler", eviction=NO,
         releases=Releases("", "1.22")),
    Text("node(s) didn't match service affinity", "ServiceAffinity", "pods of the same Service run on nodes with other "
         "labels", "see the Policy of the scheduler", eviction=NO, releases=Releases("", "1.22")),
    Text("node(s) had <kind> pressure", "CheckNodeCondition", "the node reports {kind} pressure",
         "see Conditions in kubectl describe node", eviction=NO, releases=Releases("", "1.22")),
    Text("node(s) were not ready", "CheckNodeCondition", "the node is not ready", "see Conditions in kubectl describe "
         "node", eviction=NO, releases=Releases("", "1.22")),
    Text("node(s) were out of disk space", "CheckNodeCondition", "the node is out of disk space",
         "see Conditions in kubectl describe node", eviction=NO, releases=Releases("", "1.22")),
    Text("node(s) had unavailable network", "CheckNodeCondition", "the node's network is not set up",
         "see Conditions in kubectl describe node", eviction=NO, releases=Releases("", "1.22")),
    # ------------------------------------------------------------------------------------- ports, other pods, spreading
    Text("node(s) didn't have free ports for the requested pod ports", "NodePorts", "a pod on the node already uses a "
         "host port that this pod asks for", "use another hostPort, or none (a Service is usually enough)",
         eviction=HELPS),
    Text("node(s) didn't match pod affinity rules", "InterPodAffinity", "no pod that the required pod affinity selects "
         "runs in the node's topology domain", "check the selector, namespaces and topologyKey of the pod's "
         "podAffinity", eviction=NO),
    Text("node(s) didn't match pod anti-affinity rules", "InterPodAffinity", "a pod that the required pod "
         "anti-affinity selects runs in the node's topology domain", "check the selector and topologyKey of the pod's "
         "podAntiAffinity", eviction=HELPS),
    Text("node(s) didn't satisfy existing pods anti-affinity rules", "InterPodAffinity", "a pod in the node's topology "
         "domain has an anti-affinity that selects this pod", "look for podAntiAffinity that selects this pod's labels",
         eviction=HELPS),
    Text("node(s) didn't match pod topology spread constraints (missing required label)", "PodTopologySpread",
         "the node lacks the label that a topology spread constraint of the pod spreads over",
         "label the node, or check topologyKey", eviction=NO),
    Text("node(s) didn't match pod topology spread constraints", "PodTopologySpread", "the pod would make the pods "
         "that a spread constraint counts more uneven than maxSkew allows", "see topologySpreadConstraints; "
         "whenUnsatisfiable: ScheduleAnyway makes it a preference", eviction=HELPS),
    # ---------------------------------------------------------------------------------------------------------- storage
    Text("node(s) had no available disk", "VolumeRestrictions", "another pod on the node has mounted the same disk",
         "use a claim of its own for each pod", eviction=HELPS),
    Text("node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another "
         "pod", "VolumeRestrictions", "another pod uses a ReadWriteOncePod claim of this pod",
         "wait until that pod is gone, or use the access mode ReadWriteOnce", eviction=HELPS,
         releases=Releases("1.34")),
    Text("node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
         "VolumeRestrictions", "another pod uses a ReadWriteOncePod claim of this pod", "wait until that pod is gone, "
         "or use the access mode ReadWriteOnce", eviction=HELPS, releases=Releases("", "1.33")),
    Text("<driver> CSI driver is not installed on the node", "NodeVolumeLimits", "the node does not have the CSI "
         "driver {driver}, and the driver wants no pods where it is missing", "see its drivers in kubectl describe "
         "csinode", eviction=HELPS, releases=Releases("1.35")),
    Text("node(s) exceed max volume count", "NodeVolumeLimits", "the node cannot attach as many volumes as the pod "
         "would add", "see the limits in kubectl describe csinode", eviction=HELPS),
    Text("node(s) had volume node affinity conflict", "VolumeBinding", "the volume behind a claim of the pod can be "
         "reached only from other nodes", "compare the node affinity of the PersistentVolume with the node's labels, "
         "often its zone", eviction=NO, releases=Releases("", "1.32")),
    Text("node(s) didn't match PersistentVolume's node affinity", "VolumeBinding", "the volume behind a claim of the "
         "pod can be reached only from other nodes", "compare the node affinity of the PersistentVolume with the "
         "node's labels, often its zone", eviction=NO, releases=Releases("1.33")),
    Text("node(s) didn't find available persistent volumes to bind", "VolumeBinding", "no free volume fits a claim of "
         "the pod on this node, and its class provisions none here", "kubectl get pv,storageclass",
         eviction=NO),
    Text("node(s) did not have enough free storage", "VolumeBinding", "the storage driver reports too little capacity "
         "for a claim of the pod on this node", "kubectl get csistoragecapacities -A", eviction=NO),
    Text("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)", "VolumeBinding",
         "a claim of the pod is bound to a volume that no longer exists", "kubectl get pvc,pv", eviction=NO),
    Text("pod has unbound immediate PersistentVolumeClaims", "VolumeBinding", "a claim of the pod must be bound before "
         "the pod can be scheduled, and is not", "kubectl describe pvc; it says what the claim waits for", eviction=NO),
    Text('waiting for ephemeral volume controller to create the persistentvolumeclaim "<claim>"', "VolumeBinding",
         "kube-controller-manager has not yet created the claim {claim} of a generic ephemeral volume",
         "wait a moment; otherwise check kube-controller-manager and the namespace's quota", eviction=NO),
    Text('persistentvolumeclaim "<claim>" not found', "VolumeBinding", "the claim {claim} does not exist in the pod's "
         "namespace", "kubectl get pvc; create the claim, or correct its name in the pod", eviction=NO),
    Text('persistentvolumeclaim "<claim>" is being deleted', "VolumeBinding", "the claim {claim} is being deleted",
         _CLAIM_CHECK, eviction=NO),
    Text('persistentvolumeclaim "<claim>" bound to non-existent persistentvolume "<volume>"', "VolumeBinding",
         "the claim {claim} is bound to volume {volume}, which no longer exists", _CLAIM_CHECK, eviction=NO),
    Text("PVC <claim> was not created for pod <pod> (pod is not owner)", "VolumeBinding", "the claim {claim} has the "
         "name of the pod's ephemeral volume but belongs to something else", "delete that claim, or rename the pod",
         eviction=NO),
    Text("node(s) had no available volume zone", "VolumeZone", "a volume of the pod is in another zone than the node",
         "compare the zone labels of the PersistentVolume and the node", eviction=NO),
    Text("PersistentVolumeClaim had no pv name and storageClass name", "VolumeZone", "a claim of the pod names neither "
         "a volume nor a storage class", "kubectl describe pvc", eviction=NO),
    Text("PersistentVolumeClaim had no name", "VolumeZone", "a volume of the pod refers to a claim without naming it",
         "see spec.volumes of the pod", eviction=NO),
    Text("PersistentVolume had no name", "VolumeZone", "a claim of the pod is not bound to a volume yet",
         "kubectl describe pvc", eviction=NO),
    Text('persistentvolume "<volume>" not found', "VolumeZone", "volume {volume}, which a claim of the pod is bound "
         "to, does not exist", "kubectl get pv", eviction=NO),
    Text('storageclass.storage.k8s.io "<storage_class>" not found', "VolumeZone", "storage class {storage_class} of a "
         "claim does not exist", "kubectl get storageclass", eviction=NO),
    Text('VolumeBindingMode not set for StorageClass "<storage_class>"', "VolumeZone", "storage class {storage_class} "
         "has no volumeBindingMode", "kubectl get storageclass/{storage_class} -o yaml", eviction=NO),
    # ---------------------------------------------------------------------------------------------------------- devices
    Text("cannot allocate all claims", "DynamicResources", "the node has no free devices that meet all requests of the "
         "pod's ResourceClaims", "kubectl get resourceslices, and the selectors of the claims and their device classes",
         eviction=NO, releases=Releases("1.30")),
    Text("resourceclaim not available on the node", "DynamicResources", "a ResourceClaim of the pod is allocated "
         "already, to devices that this node cannot reach", "kubectl describe resourceclaim", eviction=NO),
    Text("resourceclaim in use", "DynamicResources", "as many pods as can share a ResourceClaim use it already",
         "kubectl describe resourceclaim", eviction=NO),
    Text("invalid resource pools were encountered", "DynamicResources", "a driver's ResourceSlices contradict each "
         "other, so that its devices cannot be used", "kubectl get resourceslices; the driver publishes them",
         eviction=NO, releases=Releases("1.35")),
    Text("cannot schedule extended resource claim", "DynamicResources", "the claim made for the pod's extended "
         "resources belongs to another node", "", eviction=NO, releases=Releases("1.34")),
    Text("cannot fit resource", "DynamicResources", "an extended resource of the pod can be met neither by the node "
         "itself nor by devices", "kubectl get deviceclasses,resourceslices", eviction=NO, releases=Releases("1.34")),
    Text("pod level request for <resource> is insufficient to cover the aggregated container and node-allocatable DRA "
         "requests", "DynamicResources", "the pod requests less {resource} in spec.resources than its containers and "
         "what its claims take of the node together", "raise spec.resources.requests", eviction=NO),
    Text("pod level limit for <resource> is insufficient to cover the aggregated container and node-allocatable DRA "
         "limits", "DynamicResources", "the pod is limited to less {resource} in spec.resources than its containers "
         "and what its claims take of the node together", "raise spec.resources.limits", eviction=NO),
    Text("pod level limit for <resource> is insufficient to cover the limit and DRA overhead for container <name>",
         "DynamicResources", "container {name} may use more {resource}, with what its claims take of the node, than "
         "spec.resources lets the pod", "raise spec.resources.limits", eviction=NO),
    Text("request <request>: device class <device_class> does not exist", "DynamicResources",
         "device class {device_class}, which request {request} of a claim names, does not exist",
         "kubectl get deviceclasses", eviction=NO),
    Text("resource claim <claim>, request <request>: unknown request type", "DynamicResources",
         "the scheduler does not know the form of request {request} in claim {claim}", "upgrade the scheduler",
         eviction=NO),
    Text("resource claim <claim>, request <request>: has subrequests, but the DRAPrioritizedList feature is disabled",
         "DynamicResources", "request {request} of claim {claim} lists alternatives, and the feature gate is off",
         "enable DRAPrioritizedList", eviction=NO),
    Text("resource claim <claim> is in the process of being allocated", "DynamicResources", "claim {claim} is being "
         "allocated for another pod", "wait a moment", eviction=NO),
    Text("resourceclaim must be reallocated", "DynamicResources", "a claim's allocation was given up and must be made "
         "anew", "wait a moment", eviction=NO, releases=Releases("", "1.31")),
    *worded(('could not find ResourceClaim "<claim>"', 'resourceclaim "<claim>" not found'), "DynamicResources",
         "claim {claim} does not exist", "kubectl get resourceclaims", eviction=NO),
    Text('pod "<pod>": ResourceClaim not created yet', "DynamicResources", "kube-controller-manager has not yet "
         "created a claim from the pod's ResourceClaimTemplate", "wait a moment; otherwise check that the template "
         "exists", eviction=NO),
    Text("PodGroup <group>: ResourceClaim not created yet", "DynamicResources", "kube-controller-manager has not yet "
         "created a claim from the ResourceClaimTemplate of group {group}", "wait a moment; otherwise check that the "
         "template exists", eviction=NO),
    Text('resourceclaim "<claim>" is being deleted', "DynamicResources", "claim {claim} is being deleted",
         "kubectl describe resourceclaim/{claim}", eviction=NO),
    Text("ResourceClaim <claim> was not created for pod <pod> (pod is not owner)", "DynamicResources",
         "claim {claim} has the name of the pod's generated claim but belongs to something else",
         "delete that claim, or rename the pod", eviction=NO, releases=Releases("", "1.34")),
    Text("ResourceClaim <claim> was not created for Pod <pod> (Pod is not owner)", "DynamicResources",
         "claim {claim} has the name of the pod's generated claim but belongs to something else",
         "delete that claim, or rename the pod", eviction=NO, releases=Releases("1.35")),
    Text("resourceclaim depends on disabled DRAControlPlaneController feature", "DynamicResources",
         "a claim of the pod names a controller that is to allocate it, and the feature gate is off",
         "remove spec.controller from the claim, or enable DRAControlPlaneController", eviction=NO,
         releases=Releases("1.31", "1.31")),
    # ---------------------------------------------------------------------------------------------- framework and cycle
    Text("node(s) didn't satisfy plugin(s) [<plugin>] simultaneously", "", "the plugins each allow some nodes, but "
         "none that all of them allow", "see the pod's node affinity and claims", eviction=NO),
    Text("node(s) didn't satisfy plugin(s) [<plugin>]", "", "the plugin narrowed the search down to other nodes before "
         "any was looked at, usually because the pod's node affinity names nodes", "see matchFields of the pod's node "
         "affinity", eviction=NO, releases=Releases("1.30")),
    Text("node(s) didn't satisfy plugin <plugin>", "", "the plugin allows no node at all", "see the pod's node "
         "affinity", eviction=NO),
    Text("node is filtered out by the prefilter result", SCHEDULER, "a plugin narrowed the search down to other nodes "
         "before this one was looked at, usually because the pod's node affinity names nodes",
         "see matchFields of the pod's node affinity", eviction=NO, releases=Releases("1.27", "1.31")),
    Text("node affinity: <fault>", "NodeAffinity", "the pod's node affinity cannot be read: {fault}",
         "correct the pod's node affinity", eviction=NO),
    *worded(("parsing pod: <fault>", "failed to parse pod: <fault>"), "InterPodAffinity", "the pod's affinity cannot "
         "be read: {fault}", "correct the pod's affinity", eviction=NO),
    Text("get constraints from pod: <fault>", "PodTopologySpread", "the pod's spread constraints cannot be read: "
         "{fault}", "correct topologySpreadConstraints", eviction=NO),
)

#: What PostFilter plugins say, after they looked for a way to make room.
POST_FILTER_TEXTS: tuple[Text, ...] = (
    Text("ResourceClaim unreserved for PodGroup", "DynamicResources", "a claim of the pod's group was allocated where "
         "the pod cannot run, and is free again", "wait until the pod is tried again", eviction=NO),
    Text("no new claims to deallocate", "DynamicResources", "no ResourceClaim of the pod is held back by an allocation "
         "that could be given up; without claims, this means nothing",
         releases=replace(_FORM_OF_CLAIMS, last="1.36")),
    Text("still not schedulable", "DynamicResources", "giving up allocations of the pod's ResourceClaims would not "
         "help", releases=Releases("1.26", "1.36")),
    Text("deallocation of ResourceClaim completed", "DynamicResources", "the scheduler gave up the allocation of a "
         "claim of the pod and will try the pod again", "wait: the pod is tried again", releases=_FORM_OF_CLAIMS),
    Text("deletion of ResourceClaim completed", "DynamicResources", "the scheduler deleted the claim it had made for "
         "the pod's extended resources and will try the pod again", "wait: the pod is tried again",
         releases=_FORM_OF_CLAIMS),
    Text("plugin disabled", "DynamicResources", "dynamic resource allocation is switched off in this scheduler"),
    Text("not found", SCHEDULER, "the search for room came to nothing, because the pod itself was rejected before any "
         "node was looked at", releases=Releases("1.34")),
    Text("All PostFilter plugins are skipped", SCHEDULER, "the profile has no plugin that could make room"),
    Text("found a potential placement for pod on node <node>, preempting <count> victims", "DefaultPreemption",
         "{count} pods are evicted from {node} to make room for the pod", "wait for the victims' grace period",
         releases=Releases("1.37")),
    Text("no candidate node for preemption", "DefaultPreemption", "there is no node where evicting pods would help"),
    Text("No preemption victims found for incoming pod", "DefaultPreemption", "no pod on the node has a lower priority "
         "than this one, so there is nothing to evict", "a higher priorityClassName would let the pod evict others",
         eviction=NO, releases=Releases("1.24")),
    Text("No preemption victims found for incoming preemptor", "DefaultPreemption", "no pod on the node has a lower "
         "priority, so there is nothing to evict", eviction=NO, releases=Releases("1.36")),
    Text("No victims found on node <node> for preemptor pod <pod>", "DefaultPreemption", "no pod on {node} has a lower "
         "priority, so there is nothing to evict", eviction=NO, releases=Releases("", "1.23")),
    Text("Preemption is not helpful for scheduling", "DefaultPreemption", "evicting pods would not help on this node: "
         "what stops the pod there is not other pods", eviction=NO, releases=Releases("1.23")),
    Text("not eligible due to preemptionPolicy=Never", "DefaultPreemption", "the pod's priority class does not let it "
         "evict others", "see preemptionPolicy of its PriorityClass"),
    Text("not eligible due to a terminating pod on the nominated node", "DefaultPreemption", "the scheduler has "
         "already evicted pods for this one and waits until they are gone", "wait for the victim's grace period; "
         "kubectl get pod -o wide, which names the nominated node"),
    Text("not eligible due to <reason>", "DefaultPreemption", "the pod may not evict others: {reason}"),
    Text('pods "<pod>" not found', "DefaultPreemption", "pod {pod}, which was to be evicted, was gone already; the "
         "scheduler tries again"),
    Text("waiting for the preemption for this pod to be finished", "DefaultPreemption", "the scheduler is evicting "
         "pods for this one", "wait for the victims' grace period", releases=Releases("1.32")),
    Text("waiting for the preemption for this pod group to be finished", "DefaultPreemption", "the scheduler is "
         "evicting pods for this pod's group", "wait for the victims' grace period", releases=Releases("1.36")),
    Text("pod group for pod not found", "DefaultPreemption", "the pod's PodGroup does not exist",
         releases=Releases("1.36")),
    Text("default preemption plugin is not registered, workload aware preemption is disabled", "DefaultPreemption",
         "the profile lacks the plugin that could make room for the pod's group", releases=Releases("1.36")),
    Text("failed to get pod group object: <fault>", "DefaultPreemption", "the pod's group cannot be read: {fault}",
         "kubectl get podgroups", releases=Releases("1.36")),
    Text("workload aware preemption is not supported for pod groups with scheduling constraints", "DefaultPreemption",
         "no pods are evicted for a group whose nodes must share a label", releases=Releases("1.36")),
    Text("no nodes available", "DefaultPreemption", "the cluster has no nodes"),
    Text('expected at least one victim pod on node "<node>"', "DefaultPreemption", "an extender left no victims on "
         "{node}; this is a fault of the extender"),
)

#: What kube-scheduler says of a pod as well.
OF_ANY_PROGRAM: tuple[Text, ...] = (
    Text("timed out waiting for the condition", "", "any program may say this; from kube-scheduler it means that "
         "the volumes of the pod were not bound in time", "kubectl describe pvc; check the provisioner"),
    Text("context deadline exceeded", "", "any program may say this; from kube-scheduler it means that the API "
         "server, or an extender, did not answer in time"),
)

#: What is said of a pod as a whole: kept out of the queue, or failed on the way.
POD_TEXTS: tuple[Text, ...] = (
    Text("no nodes available to schedule pods", SCHEDULER, "the cluster has no nodes", "kubectl get nodes"),
    Text("waiting for scheduling gates: [<gates>]", "SchedulingGates", "the pod's scheduling gates keep it out of the "
         "queue: {gates}", "the controller that set the gates must remove them", releases=Releases("1.26")),
    Text("Scheduling is blocked due to non-empty scheduling gates", "SchedulingGates", "the pod's scheduling gates "
         "keep it out of the queue", "kubectl get pod -o jsonpath={{.spec.schedulingGates}}",
         releases=Releases("1.26")),
    Text('waiting for <whose> pod group "<group>" to appear in scheduling queue', "GangScheduling",
         "PodGroup {group} does not exist yet", "kubectl get podgroups", releases=Releases("1.36")),
    Text("minCount (<want>) cannot be satisfied: <counts>", "GangScheduling", "too few pods of the group are left for "
         "its minCount of {want} ({counts})", "kubectl describe the group's other pods", releases=Releases("1.37")),
    Text("waiting for minCount pods from a gang to appear in scheduling queue", "GangScheduling",
         "the pod's group has fewer pods than its minCount", "create the rest of the group's pods",
         releases=Releases("1.35")),
    Text('waiting for pods\'s workload "<workload>" to appear in scheduling queue', "GangScheduling",
         "Workload {workload} does not exist yet", "kubectl get workloads", releases=Releases("1.35", "1.35")),
    Text('pod group "<group>" doesn\'t exist for a workload "<workload>"', "GangScheduling",
         "Workload {workload} has no group {group}", "kubectl get workloads -o yaml",
         releases=Releases("1.35", "1.35")),
    Text('podgroup.scheduling.k8s.io "<group>" not found', "GangScheduling", "PodGroup {group} is gone",
         "kubectl get podgroups", releases=Releases("1.36")),
    *worded(("pod group is unschedulable", "pod group is unschedulable, <cause>"), SCHEDULER, "the pods of the pod's "
         "group were tried together, and too few of them have a node", "kubectl describe the other pods of the group",
         releases=Releases("1.36")),
    Text("0/<count> placements are available, first placement status: <cause>", SCHEDULER, "among the nodes of none of "
         "{count} values of the group's label enough of its pods fit", "kubectl describe podgroup",
         releases=Releases("1.36")),
    Text("no feasible placements found", "TopologyPlacementGenerator", "no value of the group's label has nodes for it",
         "kubectl get nodes --show-labels", releases=Releases("1.36")),
    Text("cannot determine domain for already scheduled pods: <fault>", "TopologyPlacementGenerator", "pods of the "
         "group run already, and their nodes do not say where the others must go: {fault}",
         "kubectl get nodes --show-labels", releases=Releases("1.36")),
    Text("failed to schedule other pod from a pod group: <cause>", SCHEDULER, "an error while another pod of the group "
         "was tried", releases=Releases("1.36")),
    Text("no pods from pod group are assigned to any of the candidate placements", "PodGroupPodsCount",
         "none of the group's pods has a node among those that were tried", releases=Releases("1.36")),
    *worded(("waiting for minCount pods from a gang to be scheduled",
         "waiting for minCount pods from a gang to be waiting on permit"), "GangScheduling", "the pod has a node and "
         "waits until enough pods of its group have one", releases=Releases("1.35")),
    Text('Operation cannot be fulfilled on <kind> "<pod>": pod <name> is already assigned to node "<node>"', SCHEDULER,
         "the pod has a node already, {node}: another scheduler, or another replica of this one, was faster",
         "see that no two schedulers of one name run"),
    Text('Operation cannot be fulfilled on <kind> "<pod>": <fault>', SCHEDULER, "{pod} was changed by somebody else in "
         "the meantime; the scheduler tries again"),
    *worded(("rejected due to timeout after waiting <time> at plugin <plugin>",
         'pod "<pod>" rejected due to timeout after waiting <time> at plugin <plugin>'), "", "a node was found, then "
         "{plugin} made the pod wait, and after {time} nothing had come of it", "look at what it waits for, often the "
         "other pods of a group"),
    Text("Preempted by <kind> <key> on node <node>", "DefaultPreemption", "the pod was evicted from {node} to make "
         "room for one of higher priority: the {kind} with uid {key}", "kubectl get pods -A --sort-by=.spec.priority "
         "-o wide", releases=Releases("1.26")),
    Text("Preempted by <pod> on node <node>", "DefaultPreemption", "the pod was evicted from {node} to make room for "
         "{pod}, whose priority is higher", "compare the priorityClassName of both", releases=Releases("", "1.25")),
    Text("<name>: preempting to accommodate a higher priority <kind>", "DefaultPreemption", "{name} evicted the pod to "
         "make room for a {kind} of higher priority", "see the pod's event Preempted, which names it",
         releases=Releases("1.26")),
    Text("waiting for binding conditions for device on node <node>", "DynamicResources", "a node was found, {node}, "
         "and a device there is being made ready", "wait; kubectl describe resourceclaim", releases=Releases("1.34")),
    Text("pod group is waiting for preemption to complete", SCHEDULER, "pods are being evicted for the pod's group",
         "wait for the victims' grace period", releases=Releases("1.37")),
    Text("Successfully assigned <pod> to <node>", SCHEDULER, "the pod has a node: {node}"),
    Text("pod <pod> is in the cache, so can't be assumed", SCHEDULER, "the scheduler believes that the pod has a node "
         "already", "if it stays, restart the scheduler"),
    Text('nodeinfo not found for node name "<node>"', SCHEDULER, "{node} disappeared during the attempt"),
    Text('node "<node>" not found', SCHEDULER, "{node} disappeared during the attempt"),
    *OF_ANY_PROGRAM,
    Text("skip schedule deleting pod: <pod>", SCHEDULER, "the pod is being deleted, so it is not scheduled any more"),
    Text('profile not found for scheduler name "<name>"', SCHEDULER, "no profile of the scheduler is called {name}",
         "see spec.schedulerName of the pod"),
    Text('running "<plugin>" filter plugin: <cause>', "", "an error while the plugin looked at nodes"),
    Text('running PreFilter plugin "<plugin>": <cause>', "", "an error before any node was looked at"),
    Text('running AddPod on PreFilter plugin "<plugin>": <cause>', "", "an error while nominated pods were counted"),
    Text('running RemovePod on PreFilter plugin "<plugin>": <cause>', "", "an error while the scheduler tried out "
         "evictions"),
    Text('running <extension> on PreFilter plugin "<plugin>": <cause>', "", "an error while other pods were counted"),
    Text('running PreScore plugin "<plugin>": <cause>', "", "an error before the nodes were scored"),
    Text('running Score plugins: plugin "<plugin>" failed with: <cause>', "", "an error while the nodes were scored"),
    Text("running Score plugins: <cause>", SCHEDULER, "an error while the nodes were scored"),
    Text("running NormalizePlacementScore on PlacementScore plugins: <cause>", SCHEDULER, "an error while the places "
         "for the group were scored"),
    Text('running Normalize on Score plugins: plugin "<plugin>" failed with: <cause>', "", "an error while the scores "
         "were normalized"),
    Text('applying score defaultWeights on Score plugins: plugin "<plugin>" returns an invalid score <score>, it '
         'should in the range of [<lowest>, <highest>] after normalizing', "", "the plugin's score {score} is outside "
         "{lowest} to {highest}, so the attempt failed"),
    Text("applying score defaultWeights on Score plugins: <cause>", SCHEDULER, "an error while scores were weighted"),
    Text('reserve: running Reserve plugin "<plugin>": <cause>', "", "a node was found, then reserving failed"),
    Text('running Reserve plugin "<plugin>": <cause>', "", "a node was found, then reserving failed"),
    Text('running Permit plugin "<plugin>": <cause>', "", "a node was found, then the plugin refused it"),
    Text('running PreBind plugin "<plugin>": <cause>', "", "a node was found, then preparing to bind failed"),
    Text('running Bind plugin "<plugin>": <cause>', "", "a node was found, then binding failed"),
    Text("binding rejected: <cause>", SCHEDULER, "a node was found, then binding failed"),
    Text("waiting on permit for pod: <cause>", SCHEDULER, "a node was found, then a plugin refused or timed out"),
    Text('pod "<pod>" rejected while waiting on permit: <cause>', SCHEDULER, "a node was found, then a plugin refused"),
    *worded(("failed to <action> with extender at URL <address>, code <code>",
         "failed <action> with extender at URL <address>, code <code>"), "extender", "the extender answered with "
         "HTTP status {code}", "check the extender"),
    Text('Post "<address>": <cause>', "extender", "the extender could not be asked", "check the extender"),
)

#: The causes behind errors.
CAUSE_TEXTS: tuple[Text, ...] = (
    Text("waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin "
         "rejected pod", "GangScheduling", "the group has fewer pods with a node than its minCount",
         releases=Releases("1.36")),
    *worded(('reading "<key>" from cycleState: not found', 'error reading "<key>" from cycleState: not found',
         'failed to read "<key>" from cycleState: not found', 'error reading "<key>" from cycle-state: not found'),
         SCHEDULER, "the profile enables the plugin here but not at the extension point that prepares its data ({key})",
         "see the plugins of the scheduler's profile"),
    Text('cannot read "<key>" from cycleState', SCHEDULER, "the plugin's data ({key}) were not prepared for this pod; "
         "a fault of this release"),
    Text("claim <claim>, request <request>: asks for all devices, but resource pool <pool> is currently being updated",
         "DynamicResources", "the driver of pool {pool} is just publishing its devices", "wait a moment"),
    Text("claim <claim>, request <request>: asks for all devices, but resource pool <pool> is currently invalid",
         "DynamicResources", "the devices of pool {pool} contradict each other", "check the driver"),
    Text("claim <claim>, request <request>: cannot add device <device> because a claim constraint would not be "
         "satisfied", "DynamicResources", "request {request} asks for all devices, and {device} breaks a constraint of "
         "claim {claim}", "loosen the claim's constraints"),
    Text("claim <claim>: number of requested devices <requested> exceeds the claim limit of <limit>",
         "DynamicResources", "claim {claim} asks for {requested} devices; a claim may have {limit}", "split the claim"),
    Text("claim <claim>: selector #<number> on device <device>: CEL runtime error: <fault>", "DynamicResources",
         "selector {number} of claim {claim} failed on {device}: {fault}", 'test for the attribute first, as in '
         '"model" in device.attributes[...]', releases=Releases("1.37")),
    Text("claim <claim>: selector #<number>: CEL runtime error: <fault>", "DynamicResources", "selector {number} of "
         "claim {claim} failed on a device: {fault}", 'test for the attribute first, as in "model" in '
         'device.attributes[...]'),
    Text("request <request>: unsupported request type", "DynamicResources", "the scheduler does not know the form of "
         "request {request}", "upgrade the scheduler"),
    Text("looking up PVC <claim>: <fault>", "NodeVolumeLimits", "claim {claim} cannot be read: {fault}",
         "kubectl describe pvc"),
    Text("converting volume(<volume>) from inline to csi: <fault>", "NodeVolumeLimits", "volume {volume} cannot be "
         "read as one of its CSI driver: {fault}", "see spec.volumes of the pod"),
    Text("calculating preScoreState: <fault>", "PodTopologySpread", "the pod's spread constraints cannot be read: "
         "{fault}", "correct topologySpreadConstraints"),
    Text("error creating internal label selector for claim: <claim>: <fault>", "VolumeBinding",
         "the selector of claim {claim} cannot be read: {fault}", "kubectl get pvc -o yaml"),
    Text("could not translate pv: <fault>", "VolumeBinding", "a volume cannot be read as one of its CSI driver: "
         "{fault}", "kubectl get pv -o yaml"),
    Text("number of allocations <have> is smaller than number of claims needing allocation", "DynamicResources",
         "not every claim of the pod was allocated"),
    Text("number of allocations <have> is smaller than number of claims <want>", "DynamicResources",
         "a fault of 1.35: the pod has a claim that is allocated and one that is not", "upgrade the scheduler",
         releases=Releases("1.35", "1.35")),
    *worded(("device binding failed: claim=<claim>, reason=<reason>, message=<fault>",
         "claim <claim> binding failed: reason=<reason>, message=<fault>"), "DynamicResources", "a device of claim "
         "{claim} was not made ready: {reason}, {fault}", "look at the DRA driver's pod"),
    *worded(("device binding timeout: claim=<claim>", "claim <claim> binding timeout"), "DynamicResources", "a device "
         "of claim {claim} was not made ready in time", "look at the DRA driver's pod"),
    Text("claim <claim>: <fault>", "DynamicResources", "claim {claim} cannot be allocated: {fault}"),
    Text("class <device_class>: <fault>", "DynamicResources", "device class {device_class} cannot be used: {fault}"),
    Text("node <node>: timed out trying to allocate devices", "DynamicResources", "the search for devices on {node} "
         "took too long", "ask for fewer devices, or loosen the constraints"),
    Text('error parsing ResourceVersion "<version>" for <kind> "<name>": <fault>', "VolumeBinding",
         "{kind} {name} has no resource version, which only happens outside a real API server"),
    Text('Operation cannot be fulfilled on <kind> "<name>": <fault>', SCHEDULER, "{name} was changed by somebody else "
         "in the meantime; the scheduler tries again"),
    Text("rejected due to timeout after waiting <time> at plugin <plugin>", "", "{plugin} made the pod wait, and after "
         "{time} nothing had come of it", "look at what it waits for, often the other pods of a group"),
    Text("binding volumes: <fault>", "VolumeBinding", "the volumes were not bound in time: {fault}",
         "kubectl describe pvc; check the provisioner"),
    *(Text(f"{brackets}<number>].match<fault>", "NodeAffinity", "a term of the pod's preferred node affinity cannot be "
           "read: term {number}, match{fault}", "correct the pod's node affinity") for brackets in ("[", "[[")),
)

EVERY_TEXT = (*NODE_TEXTS, *POST_FILTER_TEXTS, *POD_TEXTS, *CAUSE_TEXTS)
