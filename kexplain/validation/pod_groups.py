"""Groups of pods that are scheduled together, and the workloads that they are made for.

Source: the tags of scheduling/v1beta1 `types.go`, which its validation is generated from, and scheduling/validation
`ValidateWorkloadSpec`, release 1.37. Whoever writes these has enabled the API; whether its optional parts are, is not
known, and they are looked at as if they were.
"""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.validation.field import Field, choice
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import among, dns_label, dns_subdomain, label_key, path_segment
from kexplain.validation.pod_spec import PREEMPTION_POLICIES
from kexplain.validation.rows import Table, at_most, given, if_set, judge, most, needs, positive, required_set, unique

_MOST_TEMPLATES = 8
#: Of templates within templates, the groups of pods at the bottom included.
_DEEPEST = 4
_OF_PODS, _OF_GROUPS = "podGroupTemplates", "compositePodGroupTemplates"


def _takes_one(*names: str) -> Table:
    """Exactly one of these fields is set."""

    def judge_choice(field: Field) -> None:
        if sum(field.child(name).is_set for name in names) != 1:
            field.reject(f"must set {choice(names)}, and only one")

    return {"": judge_choice}


#: What all groups have in common, be they of pods or of groups, and the templates for them.
_ANY_GROUP: Table = {
    "schedulingPolicy": _takes_one("basic", "gang"),
    "schedulingConstraints.topology": most(1),
    "schedulingConstraints.topology[].key": needs(label_key),
    "disruptionMode": (if_set, _takes_one("single", "all")),
    "priorityClassName": given(dns_subdomain),
    "priority": at_most(1_000_000_000),
    "preemptionPolicy": given(among(*PREEMPTION_POLICIES)),
}
_GROUP: Table = {
    **_ANY_GROUP,
    "schedulingPolicy.gang": (if_set, {"minCount": (required_set, positive)}),
    "resourceClaims": (most(4), unique("name")),
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


def _check_group_of_groups(template: Field) -> None:
    if not any(template.child(name).items() for name in (_OF_PODS, _OF_GROUPS)):
        template.reject(f"must have a template in {_OF_PODS} or {_OF_GROUPS}")
    judge(template, _GROUP_OF_GROUPS)


_TEMPLATES: Table = {
    _OF_PODS: (most(_MOST_TEMPLATES), unique("name")),
    f"{_OF_PODS}[]": ({"name": needs(dns_label)}, _GROUP),
    _OF_GROUPS: (most(_MOST_TEMPLATES), unique("name")),
    f"{_OF_GROUPS}[]": _check_group_of_groups,
}
_GROUP_OF_GROUPS: Table = {
    "name": needs(dns_label),
    **_ANY_GROUP,
    "schedulingPolicy.gang": (if_set, {"minGroupCount": (required_set, positive)}),
    **_TEMPLATES,
}


def _all_templates(holder: Field) -> Iterator[Field]:
    for name in (_OF_PODS, _OF_GROUPS):
        for template in holder.child(name).items():
            yield template
            yield from _all_templates(template)


def _depth(template: Field) -> int:
    """How many templates of groups stand one in the other, this one included."""
    return 1 + max(map(_depth, template.child(_OF_GROUPS).items()), default=0)


def _check_templates_together(spec: Field) -> None:
    for template in spec.child(_OF_GROUPS).items():
        if _depth(template) >= _DEEPEST:
            template.reject(f"templates may be {_DEEPEST} deep, those of pods included")
    priorities = {
        (each.child("priorityClassName").string, each.child("priority").value) for each in _all_templates(spec)
    }
    if len(priorities) > 1:
        spec.reject("all templates must have the same priorityClassName and priority")
    _check_names_of_lists(spec, set())


def _check_names_of_lists(holder: Field, known: set[str]) -> None:
    """No two lists have a template of one name; each sees to its own."""
    for name in (_OF_PODS, _OF_GROUPS):
        templates = holder.child(name).items()
        names = [each.child("name").string for each in templates]
        for template, own in zip(templates, names, strict=True):
            if own in known:
                template.child("name").reject("is the name of a template of another list")
        known |= set(names)
    for template in holder.child(_OF_GROUPS).items():
        _check_names_of_lists(template, known)


#: A workload: the templates of its groups, and who has made it.
WORKLOAD: Table = {
    "metadata": check_metadata,
    "spec": (_takes_one(_OF_PODS, _OF_GROUPS), _TEMPLATES, _check_templates_together),
    "spec.controllerRef": (
        if_set,
        {"apiGroup": given(dns_subdomain), "kind": needs(path_segment), "name": needs(path_segment)},
    ),
}
