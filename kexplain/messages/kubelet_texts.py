"""What kubelets, the attach/detach controller and provisioners say of a pod that has a node, or is about to get one.

Source: kubelet `lifecycle/predicate.go`, `cm/topologymanager`, `eviction/helpers.go`, `allocation`; attach/detach
controller `reconciler`; persistent volume controller `pv_controller.go`; external provisioner.
"""

from __future__ import annotations

from kexplain.messages.text import Text

KUBELET = "kubelet"
_ATTACH, _VOLUMES = "attachdetach-controller", "persistentvolume-controller"
_NODE = "kubectl describe node"

# A table, a text a row, as compact as it reads.
# fmt: off

KUBELET_TEXTS: tuple[Text, ...] = (
    Text("Pod was rejected: Node didn't have enough resource: <resource>, requested: <requested>, used: <have>, "
         "capacity: <want>", KUBELET, "when the pod came, the kubelet counted {have} of {want} {resource} in use, and "
         "the pod asks for {requested}", _NODE),
    Text("Pod was rejected: Resources cannot be allocated with Topology locality", KUBELET, "the node has enough, but "
         "not on the NUMA nodes that the kubelet's topology manager asks for", "see its topologyManagerPolicy"),
    Text("Pod was rejected: Predicate NodeAffinity failed: <reason>", KUBELET, "the node's labels do not match the pod "
         "any longer: {reason}", _NODE),
    Text("Pod was rejected: Predicate <name> failed: <reason>", KUBELET, "the kubelet does not take the pod: {reason}",
         _NODE),
    Text("Pod was rejected: Allocate failed due to <reason>", KUBELET, "the kubelet got no devices for it: {reason}",
         "look at the device plugin's pod on the node"),
    Text("Pod was rejected: The node had condition: <reason>", KUBELET, "the node was under pressure: {reason}", _NODE),
    Text("Pod was rejected: <reason>", KUBELET, "the kubelet does not take the pod: {reason}", _NODE),
    Text("Node didn't have enough resource: <resource>, requested: <requested>, used: <have>, capacity: <want>",
         KUBELET, "the kubelet counts {have} of {want} {resource} in use, and {requested} are asked for", _NODE),
    Text("Node didn't have enough capacity: <resource>, requested: <requested>, capacity: <want>", KUBELET, "the node "
         "has {want} {resource} in all, and {requested} are asked for", "kubectl describe node"),
    Text("The node was low on resource: <resource>. <details>", KUBELET, "the kubelet evicted the pod, as the node ran "
         "out of {resource}: {details}", _NODE),
    Text('Multi-Attach error for volume "<volume>" Volume is already exclusively attached to one node and can\'t be '
         "attached to another", _ATTACH, "{volume} is still attached to another node", "kubectl get volumeattachments"),
    Text('Multi-Attach error for volume "<volume>" Volume is already used by pod(s) <details>', _ATTACH, "{volume} is "
         "in use by {details}", "kubectl get volumeattachments"),
    Text('AttachVolume.Attach failed for volume "<volume>" : <reason>', _ATTACH, "the driver does not attach {volume}: "
         "{reason}", "kubectl describe volumeattachments"),
    Text("waiting for a volume to be created either by the external provisioner '<name>' or manually by the system "
         "administrator<details>", _VOLUMES, "the claim waits for {name} to make its volume", "look at that "
         "provisioner's pods"),
    Text("waiting for a volume to be created, either by external provisioner \"<name>\" or manually created by system "
         "administrator", _VOLUMES, "the claim waits for {name} to make its volume", "look at that provisioner's pods"),
    Text("waiting for first consumer to be created before binding", _VOLUMES, "the claim's class waits for a pod that "
         "uses it"),
    Text("no persistent volumes available for this claim and no storage class is set", _VOLUMES, "the claim names no "
         "class, there is no default one, and no volume fits", "kubectl get storageclasses,pv"),
    Text('failed to provision volume with StorageClass "<name>": <reason>', "external-provisioner", "the provisioner "
         "of class {name} fails: {reason}", "look at that provisioner's pods"),
)
