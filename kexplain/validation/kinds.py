"""Which kinds are validated, and by what; which versions of them an API server serves no longer, or not by default.

Source: kube-apiserver 1.36: the create strategies, `legacyscheme`, and `DefaultAPIResourceConfigSource`.
"""

from collections.abc import Mapping
from importlib import import_module

from msgspec import Struct

from kexplain.tables import table
from kexplain.validation.field import Field
from kexplain.validation.rows import Row, judge


class _Check(Struct, frozen=True):
    """A table or a function of a module, which is imported when the first object of its kind is checked."""

    module: str
    name: str

    def __call__(self, obj: Field) -> None:
        row: Row = getattr(import_module(f"{__package__}.{self.module}"), self.name)
        judge(obj, row)


#: The validation of each kind that there is a schema for; that of pods needs to know where they go.
CHECKS: Mapping[str, _Check] = {
    "v1/ConfigMap": _Check("config_maps", "check_config_map"),
    "v1/Endpoints": _Check("endpoints", "ENDPOINTS"),
    "v1/Event": _Check("events", "check_core_event"),
    "v1/LimitRange": _Check("cluster_objects", "check_limit_range"),
    "v1/Namespace": _Check("cluster_objects", "NAMESPACE"),
    "v1/Node": _Check("nodes", "check_node"),
    "v1/PersistentVolume": _Check("persistent_volumes", "check_persistent_volume"),
    "v1/PersistentVolumeClaim": _Check("cluster_objects", "PERSISTENT_VOLUME_CLAIM"),
    "v1/PodTemplate": _Check("workloads", "POD_TEMPLATE"),
    "v1/ReplicationController": _Check("workloads", "check_replication_controller"),
    "v1/ResourceQuota": _Check("cluster_objects", "check_resource_quota"),
    "v1/Secret": _Check("config_maps", "check_secret"),
    "v1/Service": _Check("services", "check_service"),
    "v1/ServiceAccount": _Check("metadata", "check_metadata_only"),
    "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": _Check("admission_policies", "check_mutating_policy"),
    "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": _Check("admission_policies", "MUTATING_BINDING"),
    "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": _Check("webhooks", "WEBHOOKS"),
    "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": _Check(
        "admission_policies", "check_validating_policy"
    ),
    "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": _Check(
        "admission_policies", "VALIDATING_BINDING"
    ),
    "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": _Check("webhooks", "WEBHOOKS"),
    "apiextensions.k8s.io/v1/CustomResourceDefinition": _Check("extensions", "check_definition"),
    "apiregistration.k8s.io/v1/APIService": _Check("extensions", "check_api_service"),
    "apps/v1/ControllerRevision": _Check("workloads", "CONTROLLER_REVISION"),
    "apps/v1/DaemonSet": _Check("workloads", "check_daemon_set"),
    "apps/v1/Deployment": _Check("workloads", "check_deployment"),
    "apps/v1/ReplicaSet": _Check("workloads", "REPLICA_SET"),
    "apps/v1/StatefulSet": _Check("workloads", "check_stateful_set"),
    "autoscaling/v1/HorizontalPodAutoscaler": _Check("autoscalers", "AUTOSCALER"),
    "autoscaling/v2/HorizontalPodAutoscaler": _Check("autoscalers", "AUTOSCALER"),
    "batch/v1/CronJob": _Check("jobs", "check_cron_job"),
    "batch/v1/Job": _Check("jobs", "check_job"),
    "certificates.k8s.io/v1/CertificateSigningRequest": _Check("certificates", "SIGNING_REQUEST"),
    "coordination.k8s.io/v1/Lease": _Check("cluster_objects", "LEASE"),
    "discovery.k8s.io/v1/EndpointSlice": _Check("endpoints", "ENDPOINT_SLICE"),
    "events.k8s.io/v1/Event": _Check("events", "EVENT"),
    "flowcontrol.apiserver.k8s.io/v1/FlowSchema": _Check("flow_control", "FLOW_SCHEMA"),
    "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": _Check("flow_control", "PRIORITY_LEVEL"),
    "networking.k8s.io/v1/IPAddress": _Check("networking", "IP_ADDRESS"),
    "networking.k8s.io/v1/Ingress": _Check("networking", "INGRESS"),
    "networking.k8s.io/v1/IngressClass": _Check("networking", "INGRESS_CLASS"),
    "networking.k8s.io/v1/NetworkPolicy": _Check("networking", "NETWORK_POLICY"),
    "networking.k8s.io/v1/ServiceCIDR": _Check("networking", "SERVICE_CIDR"),
    "node.k8s.io/v1/RuntimeClass": _Check("cluster_objects", "RUNTIME_CLASS"),
    "policy/v1/PodDisruptionBudget": _Check("cluster_objects", "POD_DISRUPTION_BUDGET"),
    "rbac.authorization.k8s.io/v1/ClusterRole": _Check("roles", "CLUSTER_ROLE"),
    "rbac.authorization.k8s.io/v1/ClusterRoleBinding": _Check("roles", "CLUSTER_ROLE_BINDING"),
    "rbac.authorization.k8s.io/v1/Role": _Check("roles", "ROLE"),
    "rbac.authorization.k8s.io/v1/RoleBinding": _Check("roles", "ROLE_BINDING"),
    "resource.k8s.io/v1/DeviceClass": _Check("device_claims", "DEVICE_CLASS"),
    "resource.k8s.io/v1/ResourceClaim": _Check("device_claims", "RESOURCE_CLAIM"),
    "resource.k8s.io/v1/ResourceClaimTemplate": _Check("device_claims", "RESOURCE_CLAIM_TEMPLATE"),
    "resource.k8s.io/v1/ResourceSlice": _Check("device_slices", "RESOURCE_SLICE"),
    "scheduling.k8s.io/v1/PriorityClass": _Check("cluster_objects", "PRIORITY_CLASS"),
    "scheduling.k8s.io/v1beta1/PodGroup": _Check("pod_groups", "POD_GROUP"),
    "scheduling.k8s.io/v1beta1/Workload": _Check("pod_groups", "WORKLOAD"),
    "storage.k8s.io/v1/CSIDriver": _Check("storage_classes", "CSI_DRIVER"),
    "storage.k8s.io/v1/CSINode": _Check("storage_classes", "CSI_NODE"),
    "storage.k8s.io/v1/CSIStorageCapacity": _Check("storage_classes", "CSI_STORAGE_CAPACITY"),
    "storage.k8s.io/v1/StorageClass": _Check("storage_classes", "STORAGE_CLASS"),
    "storage.k8s.io/v1/VolumeAttachment": _Check("storage_classes", "VOLUME_ATTACHMENT"),
    "storage.k8s.io/v1/VolumeAttributesClass": _Check("storage_classes", "VOLUME_ATTRIBUTES_CLASS"),
}


class Retired(Struct, frozen=True, array_like=True):
    """What took the place of an API version, and the minor number of the last release that served it by default.

    `last` is 0 where none did. Where the fields are not `alike`, there is no more to say than that it is not served.
    """

    instead: str
    last: int
    alike: bool = True


#: API versions that 1.36 does not serve by default, by version and kind or by version alone.
RETIRED = table("retired-versions", dict[str, Retired])
#: The minor number of the first release that served a version by default, for those that came after 1.22; of groups of
#: pods where they are enabled, as whoever writes these has done.
FIRST_SERVED = table("first-served", dict[str, int])
