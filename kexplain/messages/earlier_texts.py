"""What kube-scheduler 1.4 to 1.21 said in other words than its successors.

Source: `predicates/error.go` and `FitError.Error` of those releases. Until 1.9 a message names the predicate, from
1.10 on it says what is wrong with the nodes.
"""

from msgspec.structs import replace

from kexplain.messages.text import Eviction, Releases, Text, worded
from kexplain.messages.texts import NODE_TEXTS

HELPS, NO = Eviction.HELPS, Eviction.NO
_NAMES = Releases("1.4", "1.10")
_UNTIL_1_21 = Releases("", "1.21")
_CONDITIONS = "see Conditions in kubectl describe node"
_LABELS = "kubectl get nodes --show-labels"

# Tables, a text a row, as compact as they read.
# fmt: off

_DRIVER = "look at the controller of the claim's driver; kubectl describe resourceclaim"

#: While controllers of drivers allocated claims.
_BY_DRIVERS: tuple[tuple[str, str, str], ...] = (
    ("waiting for resource driver to allocate resource", "the claim's driver has not allocated it yet", _DRIVER),
    ("skipping allocation for unsuitable selected node", ("the claim's driver has nothing free on the node that the "
     "scheduler chose, which is to choose another"), _DRIVER),
    ("waiting for resource driver to provide information", "the claim's driver has not said yet which nodes would do",
     _DRIVER),
    ('waiting for dynamic resource controller to create the resourceclaim "<claim>"', "claim {claim} is not there yet",
     "wait a moment; otherwise check that the template exists"),
    ("waiting for resource driver", "the claim's driver has not answered yet", _DRIVER),
    ("unallocated immediate resourceclaim", "a claim that is allocated before any pod uses it is not yet", _DRIVER),
    ("excluded by resource class node filter", "the resource class of a claim excludes the node",
     "kubectl get resourceclasses -o yaml"),
    ("resourceclaim cannot be allocated for the node (unsuitable)", "the claim's driver has no device free on the node",
     _DRIVER),
    ("resource class <device_class> does not exist", "ResourceClass {device_class} of a claim does not exist",
     "kubectl get resourceclasses"),
    ("class parameters <name> not found", "the parameters of a resource class, {name}, do not exist",
     "kubectl get resourceclasses -o yaml"),
    ("claim parameters <name> not found", "the parameters of a claim, {name}, do not exist",
     "kubectl get resourceclaims -o yaml"),
    ("generated class parameters for <name> not found", "the driver has not translated {name} yet", _DRIVER),
    ("generated claim parameters for <name> not found", "the driver has not translated {name} yet", _DRIVER),
    ("checking structured parameters failed: <fault>", "a claim of the pod cannot be read: {fault}", _DRIVER),
)

#: What is said today in other words: the words of then, those of today, and the releases.
_AS_TODAY: tuple[tuple[str, str, Releases], ...] = (
    ("Insufficient pods", "Too many pods", Releases("", "1.18")),
    ("node(s) didn't match node selector", "node(s) didn't match Pod's node affinity/selector", Releases("", "1.19")),
    ("node(s) didn't match Pod's node affinity", "node(s) didn't match Pod's node affinity/selector", _UNTIL_1_21),
    ("node(s) didn't match node selector/affinity", "node(s) didn't match Pod's node affinity/selector", _UNTIL_1_21),
    ("node(s) didn't match the requested hostname", "node(s) didn't match the requested node name", _UNTIL_1_21),
    ("pod has unbound PersistentVolumeClaims", "pod has unbound immediate PersistentVolumeClaims", _UNTIL_1_21),
    ("node(s) had volume node affinity conflict(s)", "node(s) had volume node affinity conflict", _UNTIL_1_21),
    ("pvc(s) bound to non-existent pv(s)", ("node(s) unavailable due to one or more pvc(s) bound to non-existent "
     "pv(s)"), _UNTIL_1_21),
    ("PodFitsPorts", "node(s) didn't have free ports for the requested pod ports", _NAMES),
    ("PodFitsHostPorts", "node(s) didn't have free ports for the requested pod ports", _NAMES),
    ("MatchNodeSelector", "node(s) didn't match Pod's node affinity/selector", _NAMES),
    ("PodToleratesNodeTaints", "node(s) had taints that the pod didn't tolerate", _NAMES),
    ("node(s) had untolerated taint", "node(s) had taints that the pod didn't tolerate", Releases()),
    ("PodAffinityRulesNotMatch", "node(s) didn't match pod affinity rules", _NAMES),
    ("PodAntiAffinityRulesNotMatch", "node(s) didn't match pod anti-affinity rules", _NAMES),
    ("ExistingPodsAntiAffinityRulesNotMatch", "node(s) didn't satisfy existing pods anti-affinity rules", _NAMES),
    ("NoVolumeZoneConflict", "node(s) had no available volume zone", _NAMES),
    ("NoVolumeNodeConflict", "node(s) had volume node affinity conflict", _NAMES),
    ("VolumeNodeAffinityConflict", "node(s) had volume node affinity conflict", _NAMES),
    ("VolumeBindingNoMatch", "node(s) didn't find available persistent volumes to bind", _NAMES),
    ("NoDiskConflict", "node(s) had no available disk", _NAMES),
    ("MaxVolumeCount", "node(s) exceed max volume count", _NAMES),
    ("HostName", "node(s) didn't match the requested node name", _NAMES),
    ("CheckNodeLabelPresence", "node(s) didn't have the requested labels", _NAMES),
    ("CheckServiceAffinity", "node(s) didn't match service affinity", _NAMES),
    ("NodeUnschedulable", "node(s) were unschedulable", _NAMES),
    ("NodeNotReady", "node(s) were not ready", _NAMES),
    ("NodeOutOfDisk", "node(s) were out of disk space", _NAMES),
    ("NodeNetworkUnavailable", "node(s) had unavailable network", _NAMES),
)

_TODAY = {text.template: text for text in NODE_TEXTS}

EARLIER_NODE_TEXTS: tuple[Text, ...] = (
    Text("Node didn't have enough resource: <resource>, requested: <requested>, used: <have>, capacity: <want>",
         "NodeResourcesFit", "the pod asks for {requested} {resource}, and {have} of {want} are requested there",
         "see Allocated resources in kubectl describe node", eviction=HELPS, releases=Releases("", "1.3")),
    Text("node(s) didn't match pod affinity/anti-affinity rules", "InterPodAffinity", "pod affinity or anti-affinity "
         "keeps the pod off the node; another reason says which", "see affinity of the pod", eviction=Eviction.UNSAID,
         releases=Releases("1.20", "1.21")),
    Text("node(s) didn't match pod affinity/anti-affinity", "InterPodAffinity", "pod affinity or anti-affinity keeps "
         "the pod off the node; another reason says which", "see affinity of the pod", eviction=Eviction.UNSAID,
         releases=Releases("", "1.19")),
    *(Text(words, "DynamicResources", meaning, check, eviction=NO, releases=Releases("1.26", "1.31"))
      for words, meaning, check in _BY_DRIVERS),
    *(replace(_TODAY[today], template=words, releases=releases) for words, today, releases in _AS_TODAY),
    Text("node(s) were not available", "NodeUnschedulable", "the node could not be used", _CONDITIONS, eviction=NO,
         releases=_UNTIL_1_21),
    Text("node(s) had taint {<taint>}", "TaintToleration", "the node has the taint {taint}, which the pod does not "
         "tolerate", "kubectl describe node", eviction=NO, releases=_UNTIL_1_21),
    Text("PodFitsResources", "NodeResourcesFit", "the node has too little left of something that the pod requests",
         "see Allocated resources in kubectl describe node", eviction=HELPS, releases=_NAMES),
    Text("MatchInterPodAffinity", "InterPodAffinity", "pod affinity or anti-affinity keeps the pod off the node",
         "see affinity of the pod", releases=_NAMES),
    Text("NodeUnderMemoryPressure", "CheckNodeCondition", "the node is short of memory", _CONDITIONS, eviction=NO,
         releases=_NAMES),
    Text("NodeUnderDiskPressure", "CheckNodeCondition", "the node is short of disk", _CONDITIONS, eviction=NO,
         releases=_NAMES),
    Text("NodeUnknownCondition", "CheckNodeCondition", "the node's conditions are unknown", _CONDITIONS,
         eviction=NO, releases=_NAMES),
    Text("CheckNodeCondition", "CheckNodeCondition", "a condition of the node keeps pods away", _CONDITIONS,
         eviction=NO, releases=_NAMES),
)

_EXTENSIONS = (
    ("filter", "an error while the plugin looked at nodes"),
    ("prefilter", "an error before any node was looked at"),
    ("prebind", "a node was found, then preparing to bind failed"),
    ("<extension>", "an error in the attempt"),
)
#: How an attempt failed, in the words of 1.14 to 1.22, each followed by its cause.
_ATTEMPTS: tuple[tuple[str, str], ...] = (
    *((f'{before}running "<plugin>" {extension} plugin for pod "<pod>": ', meaning) for before in ("error while ", "")
      for extension, meaning in _EXTENSIONS),
    ('error while running score plugin for pod "<pod>": ', "an error while the nodes were scored"),
    ('error while running normalize score plugin for pod "<pod>": ', "an error while the scores were normalized"),
    ('error while applying score defaultWeights for pod "<pod>": ', "an error while scores were weighted"),
    ('error while running AddPod for plugin "<plugin>" while scheduling pod "<pod>": ', ("an error while nominated "
     "pods were counted")),
    ('error while running RemovePod for plugin "<plugin>" while scheduling pod "<pod>": ', ("an error while the "
     "scheduler tried out evictions")),
    ('error while running Reserve in "<plugin>" reserve plugin for pod "<pod>": ', ("a node was found, then reserving "
     "failed")),
    ('prefilter plugin "<plugin>" failed for pod "<pod>": ', "an error before any node was looked at"),
    ('plugin "<plugin>" failed to bind pod "<pod>": ', "a node was found, then binding failed"),
    ('bind plugin "<plugin>" failed to bind pod "<pod>": ', "a node was found, then binding failed"),
    ('rejected pod "<pod>" by permit plugin "<plugin>": ', "a node was found, then the plugin refused it"),
    ('rejected by "<plugin>" at <extension>: ', "the plugin refused the pod"),
    ("rejected while waiting at permit: ", "a node was found, then a plugin refused"),
    ('error received while waiting on permit for pod "<pod>": ', "a node was found, then a plugin failed"),
    ('error received while waiting at permit for pod "<pod>": ', "a node was found, then a plugin failed"),
    ("scheduler cache FinishBinding failed: ", "the pod has a node, which the scheduler could not note down"),
    ("Failed to bind volumes: ", "a node was found, then its volumes could not be bound"),
    ("Bind failure, code: <code>: ", "a node was found, then binding failed"),
)

_UNTIL_1_2 = Releases("", "1.2")

EARLIER_POD_TEXTS: tuple[Text, ...] = (
    *worded(("No nodes are available that match all of the predicates",
         "No nodes are available that match all of the following predicates"), "kube-scheduler", "no node would take "
         "the pod; this message does not say why", releases=Releases("1.7", "1.9")),
    Text("Failed for reason <cause> and possibly others", "", "one predicate that turned nodes away was", releases=
         _UNTIL_1_2),
    Text("no nodes are registered to the cluster", "kube-scheduler", "the cluster has no node", "kubectl get nodes",
         releases=Releases("1.6", "1.11")),
    Text("Cannot schedule pods: <cause>", "", "Google Cloud's console says of what stops the pods"),
    *worded(("failed to find a fit for pod: <details>", "failed to fit in any node"), "kube-scheduler", "no node would "
         "take the pod; this message does not say why", releases=_UNTIL_1_2),
    Text('SchedulerPredicates failed due to PersistentVolumeClaim is not bound: "<claim>", which is unexpected.',
         "VolumeZone", "claim {claim} is not bound to a volume yet", "kubectl describe pvc/{claim}",
         releases=Releases("1.4", "1.10")),
    Text('PersistentVolumeClaim is not bound: "<claim>"', "VolumeZone", "claim {claim} is not bound to a volume yet",
         "kubectl describe pvc/{claim}", releases=Releases("1.4", "1.18")),
    Text("SchedulerPredicates failed due to <cause>, which is unexpected.", "", "an error while nodes were looked at",
         releases=Releases("1.4", "1.10")),
    *(Text(f"{words}<cause>", "" if "<plugin>" in words else "kube-scheduler", meaning,
           releases=Releases("1.14", "1.22")) for words, meaning in _ATTEMPTS),
    Text('pod "<pod>" rejected due to timeout after waiting <time> at permit', "kube-scheduler", "a node was found, "
         "then a plugin made the pod wait, and after {time} nothing had come of it", "look at what it waits for, often "
         "the other pods of a group", releases=Releases("1.15", "1.18")),
    Text('StorageClass "<storage_class>" claimed by PersistentVolumeClaim "<claim>" not found', "VolumeZone", "storage "
         "class {storage_class} of claim {claim} does not exist", "kubectl get storageclass", releases=_UNTIL_1_21),
    *worded(('PersistentVolumeClaim was not found: "<claim>"', 'PersistentVolumeClaim not found: "<claim>"'),
         "VolumeZone", "the claim {claim} does not exist in the pod's namespace", "kubectl get pvc",
         releases=_UNTIL_1_21),
    *worded(('PersistentVolume was not found: "<volume>"', 'PersistentVolume not found: "<volume>"'), "VolumeZone",
         "volume {volume}, which a claim of the pod is bound to, does not exist", "kubectl get pv",
         releases=_UNTIL_1_21),
    Text("PVC <claim> is not owned by pod", "VolumeBinding", "the claim {claim} has the name of the pod's ephemeral "
         "volume but belongs to something else", "delete that claim, or rename the pod", releases=_UNTIL_1_21),
    Text("Binding rejected: <cause>", "kube-scheduler", "a node was found, then binding failed",
         releases=_UNTIL_1_21),
    Text("AssumePod failed: <cause>", "kube-scheduler", "a node was found, then the scheduler could not note it down",
         releases=_UNTIL_1_21),
    Text("AssumePodVolumes failed: <cause>", "VolumeBinding", "a node was found, then its volumes could not be "
         "reserved", releases=_UNTIL_1_21),
    Text("Preempted by <pod> on node <node>", "DefaultPreemption", "the pod was evicted from {node} to make room for "
         "{pod}, whose priority is higher", "compare the priorityClassName of both", releases=_UNTIL_1_21),
    Text("by <pod> on node <node>", "DefaultPreemption", "the pod was evicted from {node} to make room for {pod}, "
         "whose priority is higher", "compare the priorityClassName of both", releases=Releases("", "1.15")),
)
