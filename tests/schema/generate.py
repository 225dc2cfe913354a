"""Write the JSON Schema that manifests are checked against, from the models of the official Python client.

    pip install kubernetes==36.0.2     (into an environment of its own: nothing else needs it)
    python -m tests.schema.generate > kexplain/validation/schema.json

The models tell fields, types and which fields are required. They do not tell quantities from strings, 64-bit numbers
from 32-bit ones, or which values a field can have: the tables below add that.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import sys
from typing import Any

RELEASE = "1.36"
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
    ),
    "apps/v1": ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"),
    "batch/v1": ("Job", "CronJob"),
    "policy/v1": ("PodDisruptionBudget",),
    "scheduling.k8s.io/v1": ("PriorityClass",),
    "node.k8s.io/v1": ("RuntimeClass",),
    "storage.k8s.io/v1": ("StorageClass", "CSINode", "CSIDriver", "CSIStorageCapacity", "VolumeAttachment"),
    "resource.k8s.io/v1": ("DeviceClass", "ResourceSlice", "ResourceClaim", "ResourceClaimTemplate"),
}
#: Models whose name is not `V1` and the kind: two API groups have a kind of this name.
MODELS = {"ResourceClaim": "ResourceV1ResourceClaim"}

INT32 = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
INT64 = {"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}
QUANTITY = {"type": ["string", "number"], "format": "quantity"}
TIME = {"type": "string", "format": "date-time"}
INT_OR_STRING = {"anyOf": [INT32, {"type": "string"}]}

INT64_FIELDS = {
    "activeDeadlineSeconds",
    "deletionGracePeriodSeconds",
    "expirationSeconds",
    "fsGroup",
    "generation",
    "gid",
    "observedGeneration",
    "resourceSliceCount",
    "runAsGroup",
    "runAsUser",
    "seconds",
    "sizeBytes",
    "startingDeadlineSeconds",
    "supplementalGroups",
    "supplementalGroupsInUse",
    "terminationGracePeriodSeconds",
    "tolerationSeconds",
    "uid",
    "int",
    "ints",
}
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
QUANTITY_FIELDS = {
    ("ResourceFieldSelector", "divisor"),
    ("EmptyDirVolumeSource", "sizeLimit"),
    ("CSIStorageCapacity", "capacity"),
    ("CSIStorageCapacity", "maximumVolumeSize"),
    ("Counter", "value"),
    ("DeviceCapacity", "value"),
    ("CapacityRequestPolicy", "default"),
    ("CapacityRequestPolicyRange", "max"),
    ("CapacityRequestPolicyRange", "min"),
    ("CapacityRequestPolicyRange", "step"),
}
INT_OR_STRING_FIELDS = {"port", "maxSurge", "maxUnavailable", "minAvailable", "targetPort"}

ENUMS: dict[tuple[str, str], tuple[str, ...]] = {
    ("PodSpec", "restartPolicy"): ("Always", "OnFailure", "Never"),
    ("PodSpec", "dnsPolicy"): ("ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"),
    ("PodSpec", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("Container", "imagePullPolicy"): ("Always", "IfNotPresent", "Never"),
    ("Container", "terminationMessagePolicy"): ("File", "FallbackToLogsOnError"),
    ("ContainerPort", "protocol"): ("TCP", "UDP", "SCTP"),
    ("Toleration", "operator"): ("Exists", "Equal"),
    ("Toleration", "effect"): ("NoSchedule", "PreferNoSchedule", "NoExecute"),
    ("Taint", "effect"): ("NoSchedule", "PreferNoSchedule", "NoExecute"),
    ("TopologySpreadConstraint", "whenUnsatisfiable"): ("DoNotSchedule", "ScheduleAnyway"),
    ("TopologySpreadConstraint", "nodeAffinityPolicy"): ("Honor", "Ignore"),
    ("TopologySpreadConstraint", "nodeTaintsPolicy"): ("Honor", "Ignore"),
    ("NodeSelectorRequirement", "operator"): ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"),
    ("LabelSelectorRequirement", "operator"): ("In", "NotIn", "Exists", "DoesNotExist"),
    ("PriorityClass", "preemptionPolicy"): ("PreemptLowerPriority", "Never"),
    ("PersistentVolumeSpec", "persistentVolumeReclaimPolicy"): ("Retain", "Recycle", "Delete"),
    ("PersistentVolumeSpec", "volumeMode"): ("Block", "Filesystem"),
    ("PersistentVolumeClaimSpec", "volumeMode"): ("Block", "Filesystem"),
    ("StorageClass", "reclaimPolicy"): ("Retain", "Recycle", "Delete"),
    ("StorageClass", "volumeBindingMode"): ("Immediate", "WaitForFirstConsumer"),
    ("ServiceSpec", "type"): ("ClusterIP", "NodePort", "LoadBalancer", "ExternalName"),
    ("ServiceSpec", "sessionAffinity"): ("None", "ClientIP"),
    ("ServiceSpec", "externalTrafficPolicy"): ("Cluster", "Local"),
    ("ServiceSpec", "internalTrafficPolicy"): ("Cluster", "Local"),
    ("ServiceSpec", "ipFamilyPolicy"): ("SingleStack", "PreferDualStack", "RequireDualStack"),
    ("ServicePort", "protocol"): ("TCP", "UDP", "SCTP"),
    ("DeploymentStrategy", "type"): ("Recreate", "RollingUpdate"),
    ("DaemonSetUpdateStrategy", "type"): ("RollingUpdate", "OnDelete"),
    ("StatefulSetUpdateStrategy", "type"): ("RollingUpdate", "OnDelete"),
    ("StatefulSetSpec", "podManagementPolicy"): ("OrderedReady", "Parallel"),
    ("JobSpec", "completionMode"): ("NonIndexed", "Indexed"),
    ("JobSpec", "podReplacementPolicy"): ("TerminatingOrFailed", "Failed"),
    ("CronJobSpec", "concurrencyPolicy"): ("Allow", "Forbid", "Replace"),
    ("PodDisruptionBudgetSpec", "unhealthyPodEvictionPolicy"): ("IfHealthyBudget", "AlwaysAllow"),
}

#: Fields that the models require, and an API server takes without: their zero values are valid.
OPTIONAL = {
    ("CSIDriver", "spec"),
    ("CSINode", "spec"),
    ("CSINodeSpec", "drivers"),
    ("DeviceClass", "spec"),
    ("HTTPHeader", "value"),
    ("ISCSIPersistentVolumeSource", "lun"),
    ("PreferredSchedulingTerm", "preference"),
    ("ResourceClaimTemplate", "spec"),
    ("ResourceClaimTemplateSpec", "spec"),
    ("ResourcePool", "generation"),
    ("ResourceResourceClaim", "spec"),
    ("SleepAction", "seconds"),
    ("StorageTokenRequest", "audience"),
    ("Sysctl", "value"),
}

_SCALARS: dict[str, dict[str, Any]] = {
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "float": {"type": "number"},
    "datetime": TIME,
}
_WRAPPED = re.compile(r"(list|dict)[\[(](?:str, )?(.*)[\])]")


class Generator:
    """Turns models into definitions, those that others refer to as well."""

    def __init__(self) -> None:
        self._models = importlib.import_module("kubernetes.client.models")
        self.definitions: dict[str, Any] = {}

    def define(self, model_name: str) -> str:
        """The name of a model's definition, which is made if there is none yet."""
        name = re.sub(r"V\d\w*?(?=[A-Z])", "", model_name, count=1)
        if name not in self.definitions:
            self.definitions[name] = {}
            self.definitions[name] = self._object(name, getattr(self._models, model_name))
        return name

    def _object(self, name: str, model: Any) -> dict[str, Any]:
        properties, required = {}, []
        for attribute, json_name in sorted(model.attribute_map.items(), key=lambda pair: pair[1]):
            properties[json_name] = self._value(name, json_name, model.openapi_types[attribute])
            setter = getattr(model, attribute).fset
            if "must not be `None`" in inspect.getsource(setter) and (name, json_name) not in OPTIONAL:
                required.append(json_name)
        found: dict[str, Any] = {"type": "object", "additionalProperties": False, "properties": properties}
        return {**found, "required": required} if required else found

    def _value(self, owner: str, field: str, kind: str) -> dict[str, Any]:
        if (owner, field) in QUANTITY_FIELDS:
            return QUANTITY
        wrapped = _WRAPPED.fullmatch(kind)
        if wrapped and wrapped[1] == "list":
            return {"type": "array", "items": self._value(owner, field, wrapped[2])}
        if wrapped:
            is_amount = wrapped[2] == "str" and field in QUANTITY_MAPS
            inner = QUANTITY if is_amount else self._value(owner, field, wrapped[2])
            return {"type": "object", "additionalProperties": inner}
        if kind == "int":
            return INT64 if field in INT64_FIELDS else INT32
        if kind == "object":
            return INT_OR_STRING if field in INT_OR_STRING_FIELDS else {}
        if kind in _SCALARS:
            values = ENUMS.get((owner, field))
            return {**_SCALARS[kind], "enum": list(values)} if values else _SCALARS[kind]
        return {"$ref": f"#/$defs/{self.define(kind)}"}


def schema() -> dict[str, Any]:
    """The whole schema: definitions, and which of them each kind is."""
    generator = Generator()
    kinds = {
        f"{version}/{kind}": generator.define(MODELS.get(kind, f"V1{kind}"))
        for version, names in KINDS.items()
        for kind in names
    }
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
