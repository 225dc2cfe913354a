"""Labels, taints and names that Kubernetes itself gives a meaning to.

Source: `k8s.io/api/core/v1/well_known_labels.go` and `well_known_taints.go`, `k8s.io/api/apps/v1` and `batch/v1`.
"""

from kexplain.tables import table, words

#: The domain of the resources, labels and taints of Kubernetes itself.
NATIVE_DOMAIN = "kubernetes.io/"
#: What the implicit resource of a device class begins with.
DEVICE_CLASS_PREFIX = "deviceclass.resource.kubernetes.io/"
#: More devices than this no claim can be given. Source: `AllocationResultsMaxSize`.
MOST_DEVICES = 32

#: Who places pods that name nobody.
DEFAULT_SCHEDULER_NAME = "default-scheduler"
#: Where objects are that name no namespace.
DEFAULT_NAMESPACE = "default"
#: The condition that an API server gives a pod with gates; no scheduler ever says more about it.
GATED = "Scheduling is blocked due to non-empty scheduling gates"

# Labels of nodes.
HOSTNAME = "kubernetes.io/hostname"
ZONE = "topology.kubernetes.io/zone"
REGION = "topology.kubernetes.io/region"
INSTANCE_TYPE = "node.kubernetes.io/instance-type"
OLD_ZONE = "failure-domain.beta.kubernetes.io/zone"
OLD_REGION = "failure-domain.beta.kubernetes.io/region"
OLD_INSTANCE_TYPE = "beta.kubernetes.io/instance-type"
#: Labels and taints of control plane nodes; the second one until 1.24.
CONTROL_PLANE = "node-role.kubernetes.io/control-plane"
OLD_CONTROL_PLANE = "node-role.kubernetes.io/master"
#: Labels of nodes by their old names, which newer nodes lack.
RENAMED_LABELS = table("retired-node-labels", dict[str, str])

# Taints of nodes.
NOT_READY = "node.kubernetes.io/not-ready"
UNREACHABLE = "node.kubernetes.io/unreachable"
UNSCHEDULABLE = "node.kubernetes.io/unschedulable"
MEMORY_PRESSURE = "node.kubernetes.io/memory-pressure"
DISK_PRESSURE = "node.kubernetes.io/disk-pressure"
PID_PRESSURE = "node.kubernetes.io/pid-pressure"
NETWORK_UNAVAILABLE = "node.kubernetes.io/network-unavailable"
UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized"
#: Taints that stand for a node's condition: the node is to be repaired, not the pod.
NODE_CONDITIONS = table("node-conditions", dict[str, str])

# Labels that controllers give their pods.
POD_TEMPLATE_HASH = "pod-template-hash"
#: The same on the pods of a Rollout.
ROLLOUTS_POD_TEMPLATE_HASH = "rollouts-pod-template-hash"
POD_TEMPLATE_GENERATION = "pod-template-generation"
CONTROLLER_REVISION_HASH = "controller-revision-hash"
STATEFUL_SET_POD_NAME = "statefulset.kubernetes.io/pod-name"
POD_INDEX = "apps.kubernetes.io/pod-index"
JOB_NAME_LABELS = ("job-name", "batch.kubernetes.io/job-name")
JOB_UID_LABELS = ("controller-uid", "batch.kubernetes.io/controller-uid")
#: Those that stand in no template.
OF_CONTROLLERS = frozenset((
    CONTROLLER_REVISION_HASH, POD_TEMPLATE_GENERATION, POD_TEMPLATE_HASH, ROLLOUTS_POD_TEMPLATE_HASH,
    POD_INDEX, STATEFUL_SET_POD_NAME, *JOB_NAME_LABELS, *JOB_UID_LABELS,
))  # fmt: skip
#: The finalizer of pods of a Job, which its controller takes off.
JOB_TRACKING = "batch.kubernetes.io/job-tracking"

#: Kinds that are in no namespace.
WITHOUT_NAMESPACE = words("without-namespace")
