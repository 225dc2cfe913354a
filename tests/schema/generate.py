"""Write the JSON Schema that manifests are checked against, from the models of the official Python client.

    pip install kubernetes==37.0.2     (into an environment of its own: nothing else needs it)
    python -m tests.schema.generate > kexplain/validation/schema.json

The models tell fields and types. They do not tell quantities from strings, nor 64-bit numbers from 32-bit ones: the
tables below add that. Which fields are required, and which values they can have, is for validation to say.
"""

from __future__ import annotations

import importlib
import json
import re
import sys
from typing import Any

RELEASE = "1.37"
KINDS = {
    "v1": (
        "Pod",
        "PodTemplate",
        "ReplicationController",
        "LimitRange",
        "ResourceQuota",
        "PersistentVolumeClaim",
        "PersistentVolume",
        "Service",
        "Namespace",
        "Node",
        "ConfigMap",
        "Secret",
        "ServiceAccount",
        "Endpoints",
        "Event",
    ),
    "admissionregistration.k8s.io/v1": (
        "MutatingAdmissionPolicy",
        "MutatingAdmissionPolicyBinding",
        "MutatingWebhookConfiguration",
        "ValidatingAdmissionPolicy",
        "ValidatingAdmissionPolicyBinding",
        "ValidatingWebhookConfiguration",
    ),
    "apiextensions.k8s.io/v1": ("CustomResourceDefinition",),
    "apiregistration.k8s.io/v1": ("APIService",),
    "apps/v1": ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ControllerRevision"),
    "certificates.k8s.io/v1": ("CertificateSigningRequest",),
    "discovery.k8s.io/v1": ("EndpointSlice",),
    "events.k8s.io/v1": ("Event",),
    "flowcontrol.apiserver.k8s.io/v1": ("FlowSchema", "PriorityLevelConfiguration"),
    "batch/v1": ("Job", "CronJob"),
    "policy/v1": ("PodDisruptionBudget",),
    "scheduling.k8s.io/v1": ("PriorityClass", "PodGroup", "Workload"),
    "scheduling.k8s.io/v1beta1": ("PodGroup", "Workload"),
    "node.k8s.io/v1": ("RuntimeClass",),
    "storage.k8s.io/v1": (
        "StorageClass",
        "CSINode",
        "CSIDriver",
        "CSIStorageCapacity",
        "VolumeAttachment",
        "VolumeAttributesClass",
    ),
    "autoscaling/v1": ("HorizontalPodAutoscaler",),
    "autoscaling/v2": ("HorizontalPodAutoscaler",),
    "coordination.k8s.io/v1": ("Lease",),
    "networking.k8s.io/v1": ("Ingress", "IngressClass", "NetworkPolicy", "IPAddress", "ServiceCIDR"),
    "rbac.authorization.k8s.io/v1": ("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"),
    "resource.k8s.io/v1": ("DeviceClass", "ResourceSlice", "ResourceClaim", "ResourceClaimTemplate"),
}
#: Models whose name is not `V1` and the kind: another group has a kind of this name, or another version.
MODELS = {
    "v1/Event": "CoreV1Event",
    "events.k8s.io/v1/Event": "EventsV1Event",
    "resource.k8s.io/v1/ResourceClaim": "ResourceV1ResourceClaim",
    "autoscaling/v2/HorizontalPodAutoscaler": "V2HorizontalPodAutoscaler",
    # No client has the models of 1.38 yet, where these are what they were.
    "scheduling.k8s.io/v1/PodGroup": "V1beta1PodGroup",
    "scheduling.k8s.io/v1/Workload": "V1beta1Workload",
    "scheduling.k8s.io/v1beta1/PodGroup": "V1beta1PodGroup",
    "scheduling.k8s.io/v1beta1/Workload": "V1beta1Workload",
}

INT32 = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
INT64 = {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}
QUANTITY = {"type": ["string", "number"], "format": "quantity"}
TIME = {"type": "string", "format": "date-time"}
INT_OR_STRING = {"anyOf": [INT32, {"type": "string"}]}

INT64_FIELDS = {
    "activeDeadlineSeconds",
    "defaultUser",
    "deletionGracePeriodSeconds",
    "expirationSeconds",
    "fsGroup",
    "generation",
    "nodeAllocatableUpdatePeriodSeconds",
    "gid",
    "observedGeneration",
    "resourceSliceCount",
    "runAsGroup",
    "runAsUser",
    "seconds",
    "sizeBytes",
    "maxItems",
    "maxLength",
    "maxProperties",
    "minItems",
    "minLength",
    "minProperties",
    "revision",
    "startingDeadlineSeconds",
    "supplementalGroups",
    "supplementalGroupsInUse",
    "terminationGracePeriodSeconds",
    "tolerationSeconds",
    "uid",
    "user",
    "int",
    "ints",
}
#: Where the same name stands for a number of 32 bits elsewhere.
INT64_FIELDS_OF = {("DeviceSubRequest", "count"), ("ExactDeviceRequest", "count"), ("NodeSwapStatus", "capacity")}
#: Maps of quantities, which the models call maps of strings.
QUANTITY_MAPS = {
    "allocatable",
    "allocatedResources",
    "capacity",
    "consumedCapacity",
    "default",
    "defaultRequest",
    "hard",
    "limits",
    "max",
    "maxLimitRequestRatio",
    "min",
    "overhead",
    "podFixed",
    "requests",
    "used",
}
#: Quantities, and lists and maps of them, which the models call strings.
QUANTITY_FIELDS = {
    ("ResourceFieldSelector", "divisor"),
    ("EmptyDirVolumeSource", "sizeLimit"),
    ("CSIStorageCapacity", "capacity"),
    ("CSIStorageCapacity", "maximumVolumeSize"),
    ("Counter", "value"),
    ("V2HPAScalingRules", "tolerance"),
    ("V2MetricTarget", "averageValue"),
    ("V2MetricTarget", "value"),
    ("V2MetricValueStatus", "averageValue"),
    ("V2MetricValueStatus", "value"),
    ("DeviceCapacity", "value"),
    ("CapacityRequestPolicy", "default"),
    ("CapacityRequestPolicyRange", "max"),
    ("CapacityRequestPolicyRange", "min"),
    ("CapacityRequestPolicyRange", "step"),
    ("CapacityRequestPolicy", "validValues"),
    ("NodeAllocatableMappedResources", "quantity"),
    ("NodeAllocatableMapping", "capacityMultiplier"),
    ("NodeAllocatableMapping", "deviceMultiplier"),
    ("NodeAllocatableOverhead", "perContainer"),
    ("NodeAllocatableOverhead", "perPod"),
    ("NodeAllocatableOverheadResources", "perContainer"),
    ("NodeAllocatableOverheadResources", "perPod"),
}
#: Objects without fields, which the models call any object.
EMPTY_OBJECTS = {
    ("CustomResourceSubresources", "status"),
    ("V1alpha3WorkloadPodGroupDisruptionMode", "all"),
    ("V1alpha3WorkloadPodGroupDisruptionMode", "single"),
    ("V1alpha3WorkloadPodGroupSchedulingPolicy", "basic"),
    ("V1beta1CompositeDisruptionMode", "all"),
    ("V1beta1CompositeDisruptionMode", "single"),
    ("V1beta1CompositePodGroupSchedulingPolicy", "basic"),
    ("V1beta1DisruptionMode", "all"),
    ("V1beta1DisruptionMode", "single"),
    ("V1beta1PodGroupSchedulingPolicy", "basic"),
}
INT_OR_STRING_FIELDS = {"port", "maxSurge", "maxUnavailable", "minAvailable", "targetPort"}

_SCALARS: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "bytes": {"type": "string"},
    "bool": {"type": "boolean"},
    "float": {"type": "number"},
    "datetime": TIME,
}
#: Texts that hold something else.
_FORMATTED: dict[tuple[str, str], dict[str, Any]] = {
    ("APIServiceSpec", "caBundle"): {"type": "string", "format": "byte"},
    ("AdmissionregistrationWebhookClientConfig", "caBundle"): {"type": "string", "format": "byte"},
    ("ApiextensionsWebhookClientConfig", "caBundle"): {"type": "string", "format": "byte"},
    ("ConfigMap", "binaryData"): {"type": "string", "format": "byte"},
    ("Secret", "data"): {"type": "string", "format": "byte"},
    ("CertificateSigningRequestSpec", "request"): {"type": "string", "format": "byte"},
    ("CertificateSigningRequestStatus", "certificate"): {"type": "string", "format": "byte"},
    ("CoreEvent", "eventTime"): {"type": "string", "format": "micro-time"},
    ("CoreEventSeries", "lastObservedTime"): {"type": "string", "format": "micro-time"},
    ("EventsEvent", "eventTime"): {"type": "string", "format": "micro-time"},
    ("EventsEventSeries", "lastObservedTime"): {"type": "string", "format": "micro-time"},
    ("LeaseSpec", "acquireTime"): {"type": "string", "format": "micro-time"},
    ("LeaseSpec", "renewTime"): {"type": "string", "format": "micro-time"},
}
_WRAPPED = re.compile(r"([Ll]ist|[Dd]ict)\[(?:str, )?(.*)\]")


class Generator:
    """Turns models into definitions, those that others refer to as well."""

    def __init__(self) -> None:
        self._models = importlib.import_module("kubernetes.client.models")
        self.definitions: dict[str, Any] = {}

    def knows(self, model_name: str) -> bool:
        """Whether the client has the model."""
        return hasattr(self._models, model_name)

    def define(self, model_name: str) -> str:
        """The name of a model's definition, which is made if there is none yet."""
        name = re.sub(r"V1(?=[A-Z])", "", model_name, count=1)
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self._object(name, getattr(self._models, model_name))
        return name

    def _object(self, name: str, model: Any) -> dict[str, Any]:
        properties = {}
        for attribute, json_name in sorted(model.attribute_map.items(), key=lambda pair: pair[1]):
            properties[json_name] = self._value(name, json_name, model.openapi_types[attribute])
        return {"type": "object", "additionalProperties": False, "properties": properties}

    def _value(self, owner: str, field: str, kind: str) -> dict[str, Any]:
        wrapped = _WRAPPED.fullmatch(kind)
        if wrapped and wrapped[1].lower() == "list":
            return {"type": "array", "items": self._value(owner, field, wrapped[2])}
        if wrapped:
            is_amount = wrapped[2] == "str" and field in QUANTITY_MAPS
            inner = QUANTITY if is_amount else self._value(owner, field, wrapped[2])
            return {"type": "object", "additionalProperties": inner}
        if (owner, field) in QUANTITY_FIELDS:
            return QUANTITY
        if kind == "int":
            return INT64 if field in INT64_FIELDS or (owner, field) in INT64_FIELDS_OF else INT32
        if (owner, field) in EMPTY_OBJECTS:
            self.definitions["Empty"] = {"type": "object", "additionalProperties": False, "properties": {}}
            return {"$ref": "#/$defs/Empty"}
        if kind == "object":
            return INT_OR_STRING if field in INT_OR_STRING_FIELDS else {}
        if kind in _SCALARS:
            return _FORMATTED.get((owner, field), _SCALARS[kind])
        return {"$ref": f"#/$defs/{self.define(kind)}"}


def schema() -> dict[str, Any]:
    """The whole schema: definitions, and which of them each kind is; without the kinds that the client lacks."""
    generator = Generator()
    models = {
        f"{version}/{kind}": MODELS.get(f"{version}/{kind}", f"V1{kind}")
        for version, names in KINDS.items()
        for kind in names
    }
    kinds = {kind: generator.define(model) for kind, model in models.items() if generator.knows(model)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Kubernetes {RELEASE}, the kinds that kexplain reads",
        "kinds": kinds,
        "$defs": dict(sorted(generator.definitions.items())),
    }


def main() -> None:
    """Print the schema, compact."""
    json.dump(schema(), sys.stdout, separators=(",", ":"))
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
