"""What kubelets and the controllers around them say of a pod that has a node, or waits for a volume.

Source: kubelet `lifecycle/predicate.go` and `handlers.go`, `cm/admission`, `cm/topologymanager`, `eviction/helpers.go`,
`preemption`, `nodeshutdown`, `volumemanager`, `images`, `kuberuntime`; taint eviction and resource claim controllers;
attach/detach controller `reconciler`; persistent volume controller `pv_controller.go`; external provisioner;
deployment controller `util/deployment_util.go`; kubectl `rollout_status.go` and `wait`; helm `install` and `upgrade`.
"""

from kexplain.messages.text import Text, worded

KUBELET = "kubelet"
_ATTACH, _VOLUMES, _PROVISIONER = "attachdetach-controller", "persistentvolume-controller", "external-provisioner"
_TAINTS, _CONTROLLERS = "taint-eviction-controller", "kube-controller-manager"
_NODE = "kubectl describe node"
_ATTACHMENTS = "kubectl get volumeattachments"
_PLUGIN = "look at the device plugin's pod on the node"
_PROVISIONERS = "look at that provisioner's pods"
_IMAGE = "check the image's name and tag, and imagePullSecrets"

#: What kubelets of today, and those before 1.29, put before why they turn a pod away.
_BEFORE = ("Pod was rejected: ", "Pod ")

# Tables, a text a row, as compact as they read.
# fmt: off

#: Why a kubelet does not take a pod that a scheduler sent it.
_TURNED_AWAY: tuple[Text, ...] = (
    Text("Node didn't have enough resource: <resource>, requested: <requested>, used: <have>, capacity: <want>",
         KUBELET, "when the pod came, the kubelet counted {have} of {want} {resource} in use, and the pod asks for "
         "{requested}; a scheduler would have seen that, so look for pods that were started past it, or two schedulers",
         _NODE),
    Text("Node didn't have enough capacity: <resource>, requested: <requested>, capacity: <want>", KUBELET, "the node "
         "has {want} {resource} in all, and {requested} are asked for", _NODE),
    Text("Resources cannot be allocated with Topology locality", KUBELET, "the node has enough, but not on the NUMA "
         "nodes that the kubelet's topology manager asks for", "see its topologyManagerPolicy"),
    Text("SMT Alignment Error: <reason>", KUBELET, "the kubelet gives out whole cores only: {reason}", "request a "
         "multiple of the threads of a core"),
    Text("Predicate NodeAffinity failed: <reason>", KUBELET, "the node's labels do not match the pod any longer: "
         "{reason}", "kubectl get node --show-labels"),
    Text("Predicate NodeAffinity failed", KUBELET, "the node's labels do not match the pod any longer",
         "kubectl get node --show-labels"),
    Text("Predicate <name> failed: <reason>", KUBELET, "the kubelet does not take the pod: {reason}", _NODE),
    Text("Predicate <name> failed", KUBELET, "the kubelet does not take the pod", _NODE),
    Text("Allocate failed due to requested number of devices unavailable for <resource>. Requested: <requested>, "
         "Available: <have>, which is unexpected", KUBELET, "of the node's {resource}, {have} can be given out now, "
         "and the pod asks for {requested}: devices became unhealthy, or the kubelet or the plugin has just restarted",
         _PLUGIN),
    Text("Allocate failed due to can't allocate unregistered device <resource>, which is unexpected", KUBELET, "the "
         "plugin of {resource} has not registered with the kubelet, as after a restart of either", _PLUGIN),
    Text("Allocate failed due to no healthy devices present; cannot allocate unhealthy devices <resource>, which is "
         "unexpected", KUBELET, "all {resource} of the node are unhealthy", _PLUGIN),
    *worded(("Allocate failed due to <reason>, which is unexpected", "Allocate failed due to <reason>"), KUBELET, "the "
         "kubelet got no devices for the pod: {reason}", _PLUGIN),
    Text("Update plugin resources failed due to <reason>, which is unexpected", KUBELET, "the kubelet could not ask "
         "the device plugins: {reason}", _PLUGIN),
    Text("Unexpected error while attempting to recover from admission failure: <reason>", KUBELET, "the pod is "
         "critical, and the kubelet found no pods to give up for it: {reason}", _NODE),
    Text("GeneralPredicates failed due to <reason>, which is unexpected", KUBELET, "the kubelet does not take the "
         "pod: {reason}", _NODE),
    Text("The node had condition: [<conditions>]", KUBELET, "the node was under pressure: {conditions}", _NODE),
    Text("Cannot enforce AppArmor: <reason>", KUBELET, "the node cannot enforce the pod's AppArmor profile: {reason}"),
    Text("forbidden sysctl: <reason>", KUBELET, "the pod sets a sysctl that the kubelet does not allow: {reason}",
         "see allowedUnsafeSysctls of the kubelet"),
    Text("Pod requires node features that are not available: <features>", KUBELET, "the node lacks {features}", _NODE),
    Text("SupplementalGroupsPolicy=<value> is not supported in this node", KUBELET, "the node's runtime does not "
         "support the pod's supplementalGroupsPolicy"),
    Text("Failed to admit pod as the <label> label doesn't match node", KUBELET, "the pod selects another {label} than "
         "the node has"),
    *worded(("Pod was rejected as the node is shutting down", "Pod was rejected because the node is shutting down",
         "Pod was terminated in response to imminent node shutdown", "Node is shutting, evicting pods",
         "Node is in progress of shutting down, not admitting any new pods"), KUBELET, "the node is shutting down",
         "wait: the pod's controller makes another"),
)

#: Pods that had to leave.
_EVICTED: tuple[Text, ...] = (
    Text("The node was low on resource: <resource>. Threshold quantity: <most>, available: <have>. <details>", KUBELET,
         "the kubelet evicted the pod: the node had {have} {resource} left, and {most} is the threshold. {details}",
         "raise the requests of what uses most, so that pods are spread by it"),
    Text("The node was low on resource: <resource>. <details>", KUBELET, "the kubelet evicted the pod, as the node ran "
         "out of {resource}: {details}", _NODE),
    Text("The node was low on resource: <resource>", KUBELET, "the kubelet evicted the pod, as the node ran out of "
         "{resource}", _NODE),
    Text("Pod ephemeral local storage usage exceeds the total limit of containers <most>", KUBELET, "the pod wrote "
         "more than {most} to its local storage and was evicted", "raise the limit of ephemeral-storage, or write to "
         "a volume"),
    Text("Container <name> exceeded its local ephemeral storage limit \"<most>\"", KUBELET, "container {name} wrote "
         "more than {most} to its local storage, and the pod was evicted", "raise the limit of ephemeral-storage"),
    Text("Usage of EmptyDir volume \"<name>\" exceeds the limit \"<most>\"", KUBELET, "emptyDir {name} grew beyond "
         "its sizeLimit {most}, and the pod was evicted", "raise sizeLimit"),
    Text("Preempted in order to admit critical pod", KUBELET, "the kubelet gave the pod's room to a critical pod",
         _NODE),
    Text("Marking for deletion Pod <pod>", _TAINTS, "{pod} is evicted, as its node has a NoExecute taint that it does "
         "not tolerate (often not-ready or unreachable)", _NODE),
    Text("Cancelling deletion of Pod <pod>", _TAINTS, "{pod} stays: the taint of its node is gone"),
    Text("Taint manager: deleting due to NoExecute taint", _TAINTS, "the pod is evicted, as its node has a NoExecute "
         "taint that it does not tolerate (often not-ready or unreachable)", _NODE),
    Text("PodGC: node no longer exists", "pod-garbage-collector", "the pod's node is gone"),
    Text("Eviction API: evicting", "eviction API", "somebody evicted the pod, as kubectl drain and autoscalers do"),
    Text("Node is not ready", "node-controller", "the pod's node is not ready", _NODE),
)

#: Pods that have a node and do not start.
_NOT_STARTED: tuple[Text, ...] = (
    Text('Unable to attach or mount volumes: unmounted volumes=[<missing>], unattached volumes=[<others>]: timed out '
         "waiting for the condition", KUBELET, "volumes {missing} were not there in time", "see the pod's events of "
         "attaching and mounting; " + _ATTACHMENTS),
    Text('Unable to attach or mount volumes: unmounted volumes=[<missing>]<details>', KUBELET, "volumes {missing} were "
         "not there in time", "see the pod's events of attaching and mounting; " + _ATTACHMENTS),
    Text('Unable to mount volumes for pod "<pod>": <reason>', KUBELET, "the volumes of {pod} were not there in time",
         "see the pod's events of attaching and mounting; " + _ATTACHMENTS),
    *(text for kind, listing in (("ConfigMap", "kubectl get configmaps"), ("Secret", "kubectl get secrets"))
      for text in worded((
        f'MountVolume.SetUp failed for volume "<volume>" : {kind.lower()} "<name>" not found',
        f'Error: {kind.lower()} "<name>" not found'), KUBELET, f"{kind} {{name}} does not exist in the pod's namespace",
        listing)),
    Text('MountVolume.SetUp failed for volume "<volume>" : references non-existent config key: <key>', KUBELET, "the "
         "ConfigMap of volume {volume} has no key {key}", "kubectl get configmap -o yaml"),
    Text('MountVolume.<step> failed for volume "<volume>" : <reason>', KUBELET, "volume {volume} cannot be mounted "
         "({step}): {reason}", "look at the CSI driver's pod on the node"),
    Text('MapVolume.<step> failed for volume "<volume>" : <reason>', KUBELET, "volume {volume} cannot be mapped as a "
         "device ({step}): {reason}", "look at the CSI driver's pod on the node"),
    Text('Multi-Attach error for volume "<volume>" Volume is already exclusively attached to one node and can\'t be '
         "attached to another", _ATTACH, "{volume} is still attached to another node, where the pod ran before or "
         "another pod uses it", _ATTACHMENTS + "; wait until the old pod is gone and the volume is detached (six "
         "minutes if its node is gone)"),
    Text('Multi-Attach error for volume "<volume>" Volume is already used by pod(s) <details>', _ATTACH, "{volume} is "
         "in use on another node by {details}", "wait until that pod is gone; a rolling update of a Deployment with "
         "such a volume needs strategy Recreate"),
    Text('Multi-Attach error for volume "<volume>" Volume is already exclusively attached to one node', _ATTACH,
         "{volume} is still attached to another node", _ATTACHMENTS),
    Text('AttachVolume.<step> failed for volume "<volume>" : <reason>', _ATTACH, "the driver does not attach {volume}: "
         "{reason}", "kubectl describe volumeattachments"),
    *worded(("Failed to create pod sandbox: <reason>", "Failed create pod sandbox: <reason>"), KUBELET, "the pod's "
         "sandbox, mostly its network, cannot be set up: {reason}", "look at the network plugin's pod on the node"),
    Text("network is not ready: <reason>", KUBELET, "the node has no network yet: {reason}",
         "look at the network plugin's pod on the node"),
    Text("Failed to prepare dynamic resources: <reason>", KUBELET, "the driver does not prepare the pod's devices: "
         "{reason}", "look at the DRA driver's pod on the node"),
    Text('Failed to pull image "<name>": <reason>', KUBELET, "image {name} cannot be had: {reason}", _IMAGE),
    Text('Back-off pulling image "<name>": <reason>', KUBELET, "image {name} cannot be had, and the kubelet waits "
         "before it tries again: {reason}", _IMAGE),
    Text('Back-off pulling image "<name>"', KUBELET, "image {name} cannot be had, and the kubelet waits before it "
         "tries again", "see the event Failed beside it, which says why"),
    Text("Error: ErrImagePull", KUBELET, "an image cannot be had", "see the event Failed beside it, which says why"),
    Text("Error: ImagePullBackOff", KUBELET, "an image cannot be had, and the kubelet waits before it tries again",
         "see the event Failed beside it, which says why"),
    Text("Error: couldn't find key <key> in <kind> <name>", KUBELET, "{kind} {name} has no key {key}", "kubectl "
         "describe {kind}"),
    Text("Back-off restarting failed container<details>", KUBELET, "the pod has a node; its container ends again and "
         "again", "kubectl logs --previous"),
    Text("PodResourceClaim <name>: failed to create ResourceClaim <claim>: <cause>", "resource-claim-controller",
         "the claim {claim} of the pod cannot be made"),
    Text("PodResourceClaim <name>: <reason>", "resource-claim-controller", "the pod's claim {name} cannot be made: "
         "{reason}", "kubectl get resourceclaimtemplates"),
    Text("ephemeral volume <name>: <reason>", "ephemeral-volume-controller", "the claim of volume {name} cannot be "
         "made: {reason}", "kubectl describe pvc"),
)

#: Claims that wait for their volume.
_CLAIMS: tuple[Text, ...] = (
    Text("waiting for a volume to be created either by the external provisioner '<name>' or manually by the system "
         "administrator<details>", _VOLUMES, "the claim waits for {name} to make its volume", _PROVISIONERS),
    Text("waiting for a volume to be created, either by external provisioner \"<name>\" or manually created by system "
         "administrator", _VOLUMES, "the claim waits for {name} to make its volume", _PROVISIONERS),
    Text("Waiting for a volume to be created either by the external provisioner '<name>' or manually by the system "
         "administrator<details>", _VOLUMES, "the claim waits for {name} to make its volume", _PROVISIONERS),
    Text("waiting for first consumer to be created before binding", _VOLUMES, "the claim's class waits for a pod that "
         "uses it (WaitForFirstConsumer); nothing is wrong with the claim itself"),
    Text("waiting for pod <pod> to be scheduled", _VOLUMES, "the claim waits until {pod} has a node", "look at why the "
         "pod is pending"),
    Text("no persistent volumes available for this claim and no storage class is set", _VOLUMES, "the claim names no "
         "class, there is no default one, and no volume fits", "kubectl get storageclasses,pv"),
    Text('storageclass.storage.k8s.io "<name>" not found', _VOLUMES, "storage class {name} of the claim does not exist",
         "kubectl get storageclasses"),
    Text('volume "<volume>" already bound to a different claim', _VOLUMES, "the volume that the claim names belongs "
         "to another claim", "kubectl get pv"),
    Text("Volume's size is smaller than requested or volume's class does not match with claim", _VOLUMES, "the volume "
         "that the claim names is too small, or of another class", "kubectl get pv"),
    Text('Cannot bind to requested volume "<volume>": <reason>', _VOLUMES, "the claim names volume {volume}, which "
         "does not fit: {reason}", "kubectl describe pv"),
    Text("Bound claim has lost <what>. Data on the volume is lost!", _VOLUMES, "the volume of the claim is gone",
         "kubectl get pv"),
    Text('External provisioner is provisioning volume for claim "<claim>"', _PROVISIONER, "the volume of {claim} is "
         "being made", "wait; if it stays, look at that provisioner's pods"),
    Text('failed to provision volume with StorageClass "<name>": <reason>', _PROVISIONER, "the provisioner of class "
         "{name} fails: {reason}", _PROVISIONERS),
)

_PODS = "look at why its pods wait: kubectl describe pod"

#: What is said of workloads whose pods do not come up, by their controllers and by those who wait for them.
_ROLLOUTS: tuple[Text, ...] = (
    Text("Deployment does not have minimum availability", _CONTROLLERS, "fewer pods of the Deployment are available "
         "than it is to have", _PODS),
    Text("Does not have minimum availability", "GKE's console", "fewer pods of the workload are available than it is "
         "to have", _PODS),
    Text("Pod errors: Unschedulable", "GKE's console", "a pod of the workload fits on no node", _PODS),
    Text('ReplicaSet "<name>" has timed out progressing', _CONTROLLERS, "for progressDeadlineSeconds, no further pod "
         "of ReplicaSet {name} has become available", _PODS),
    Text('Deployment "<name>" has timed out progressing', _CONTROLLERS, "for progressDeadlineSeconds, no further pod "
         "of Deployment {name} has become available", _PODS),
    Text('deployment "<name>" exceeded its progress deadline', "kubectl", "for progressDeadlineSeconds, no further pod "
         "of Deployment {name} has become available", _PODS),
    Text('Waiting for deployment "<name>" rollout to finish: <details>', "kubectl", "Deployment {name} is not there "
         "yet: {details}", _PODS),
    Text('Waiting for daemon set "<name>" rollout to finish: <details>', "kubectl", "DaemonSet {name} is not there "
         "yet: {details}", _PODS),
    Text("timed out waiting for the condition on <details>", "kubectl", "{details} did not become what was waited for",
         "kubectl describe {details}"),
    Text("timed out waiting for the condition", "kubectl", "what was waited for did not come", _PODS),
    *worded(("INSTALLATION FAILED: <cause>", "UPGRADE FAILED: <cause>"), "helm", "the release did not become ready: "
         "{cause}", "look at why its pods wait: kubectl get pods"),
)

KUBELET_TEXTS: tuple[Text, ...] = (
    *(text.behind(words) for words in _BEFORE for text in _TURNED_AWAY),
    Text("Pod was rejected: <reason>", KUBELET, "the kubelet does not take the pod: {reason}", _NODE),
    *_TURNED_AWAY,
    *_EVICTED,
    *_NOT_STARTED,
    *_CLAIMS,
    *_ROLLOUTS,
)
