"""Roles and who has them.

Source: rbac/validation, release 1.36.
"""

from kexplain.validation.field import Field
from kexplain.validation.labels import check_label_selector
from kexplain.validation.metadata import metadata
from kexplain.validation.names import among, dns_subdomain, path_segment
from kexplain.validation.rows import Table, empty, if_set, judge, may, needs, obeys, required, required_as

_GROUP = "rbac.authorization.k8s.io"
_ACCOUNT, _PEOPLE = "ServiceAccount", ("User", "Group")


def _check_selector(selector: Field) -> None:
    before = len(selector.problems)
    check_label_selector(selector)
    if len(selector.problems) > before:
        selector.reject("is not a selector")


def _check_urls(rule: Field) -> None:
    urls = rule.child("nonResourceURLs")
    if not urls.items():
        for name in ("apiGroups", "resources"):
            rule.child(name).require("is required for a rule about resources")
    elif any(rule.child(name).items() for name in ("apiGroups", "resources", "resourceNames")):
        urls.reject("cannot be in one rule with resources")


def _check_subject(subject: Field) -> None:
    kind, group = subject.child("kind"), subject.child("apiGroup")
    if kind.value == _ACCOUNT:
        judge(subject, {"name": may(dns_subdomain), "apiGroup": empty(f"must be left out for a {_ACCOUNT}")})
    elif kind.value in _PEOPLE:
        judge(group, _GROUP_ROW)
    else:
        kind.obey(among(_ACCOUNT, *_PEOPLE))


def _needs_namespace(subject: Field) -> None:
    if subject.child("kind").value == _ACCOUNT:
        subject.child("namespace").require()


_GROUP_ROW = may(among(_GROUP))
_VERBS: Table = {"verbs": required_as("needs at least one verb")}
_SUBJECT: Table = {"name": required, "": _check_subject}
#: A role of one namespace.
ROLE: Table = {
    "metadata": metadata(path_segment),
    "rules[]": (
        _VERBS,
        {"nonResourceURLs": empty("are not of one namespace: only a ClusterRole can hold them")},
        _check_urls,
    ),
}
#: A role of the whole cluster, or one that others are gathered in.
CLUSTER_ROLE: Table = {
    "metadata": metadata(path_segment),
    "rules[]": (_VERBS, _check_urls),
    "aggregationRule": (if_set, {"clusterRoleSelectors": required_as("needs at least one selector")}),
    "aggregationRule.clusterRoleSelectors[]": _check_selector,
}


def _role(*kinds: str) -> Table:
    return {"apiGroup": _GROUP_ROW, "kind": obeys(among(*kinds)), "name": needs(path_segment)}


#: Who has a role in a namespace.
ROLE_BINDING: Table = {
    "metadata": metadata(path_segment),
    "roleRef": _role("Role", "ClusterRole"),
    "subjects[]": _SUBJECT,
}
#: Who has a role everywhere.
CLUSTER_ROLE_BINDING: Table = {
    "metadata": metadata(path_segment),
    "roleRef": _role("ClusterRole"),
    "subjects[]": (_SUBJECT, _needs_namespace),
}
