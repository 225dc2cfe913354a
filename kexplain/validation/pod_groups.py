"""Groups of pods that are scheduled together, and the workloads that they are made for.

Source: the API reference of scheduling.k8s.io/v1beta1, release 1.37. Whoever writes these has enabled the API; whether
its optional parts are, is not known, and they are looked at as if they were.
"""

from __future__ import annotations

from kexplain.validation.field import Field, choice
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import among, dns_label, dns_subdomain, label_key, path_segment
from kexplain.validation.pod_spec import PREEMPTION_POLICIES
from kexplain.validation.rows import Table, given, if_set, most, needs, positive, required_set, unique

_HIGHEST_PRIORITY = 1_000_000_000
_MOST_TEMPLATES = 8
_MOST_CLAIMS = 4


def _takes_one(*names: str) -> Table:
    """Exactly one of these fields is set."""

    def judge_choice(field: Field) -> None:
        set_ones = [name for name in names if field.child(name).is_set]
        if not set_ones:
            field.reject(f"must set {choice(names)}")
        for name in set_ones[1:]:
            field.child(name).reject(f"cannot be set beside {set_ones[0]}")

    return {"": judge_choice}


def _check_priority(priority: Field) -> None:
    if priority.number() > _HIGHEST_PRIORITY:
        priority.reject(f"must be at most {_HIGHEST_PRIORITY}: what is above is for the system")


#: What groups and the templates for them have in common.
_GROUP: Table = {
    "schedulingPolicy": _takes_one("basic", "gang"),
    "schedulingPolicy.gang": (if_set, {"minCount": (required_set, positive)}),
    "schedulingConstraints.topology": most(1),
    "schedulingConstraints.topology[].key": needs(label_key),
    "disruptionMode": (if_set, _takes_one("single", "all")),
    "priorityClassName": given(dns_subdomain),
    "priority": (if_set, _check_priority),
    "preemptionPolicy": given(among(PREEMPTION_POLICIES)),
    "resourceClaims": (most(_MOST_CLAIMS), unique("name", at="name")),
    "resourceClaims[]": {
        "name": needs(dns_label),
        "": _takes_one("resourceClaimName", "resourceClaimTemplateName"),
        "resourceClaimName": given(dns_subdomain),
        "resourceClaimTemplateName": given(dns_subdomain),
    },
}

#: A group: how its pods are scheduled, and which template of which workload it is of.
POD_GROUP: Table = {
    "metadata": check_metadata,
    "spec": _GROUP,
    "spec.workloadRef": (if_set, {"workloadName": needs(dns_subdomain), "templateName": needs(dns_label)}),
    "spec.parentCompositePodGroupName": given(dns_subdomain),
}

#: A workload: the templates of its groups, and who has made it.
WORKLOAD: Table = {
    "metadata": check_metadata,
    "spec": _takes_one("podGroupTemplates", "compositePodGroupTemplates"),
    "spec.podGroupTemplates": (most(_MOST_TEMPLATES), unique("name", at="name")),
    "spec.podGroupTemplates[]": ({"name": needs(dns_label)}, _GROUP),
    "spec.controllerRef": (
        if_set,
        {"apiGroup": given(dns_subdomain), "kind": needs(path_segment), "name": needs(path_segment)},
    ),
}
