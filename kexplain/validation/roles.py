"""Roles and who has them.

Source: rbac/validation, release 1.36.
"""

from __future__ import annotations

from kexplain.validation.labels import check_label_selector
from kexplain.validation.metadata import check_metadata
from kexplain.validation.names import dns_subdomain, path_segment
from kexplain.validation.problem import Field, choice, shown

_GROUP = "rbac.authorization.k8s.io"
_ACCOUNT, _PEOPLE = "ServiceAccount", ("User", "Group")


def check_role(role: Field) -> None:
    """A role of one namespace."""
    check_metadata(role.child("metadata"), path_segment)
    for rule in role.child("rules").items():
        _check_rule(rule, is_namespaced=True)


def check_cluster_role(role: Field) -> None:
    """A role of the whole cluster, or one that others are gathered in."""
    check_metadata(role.child("metadata"), path_segment)
    for rule in role.child("rules").items():
        _check_rule(rule, is_namespaced=False)
    aggregation = role.child("aggregationRule")
    selectors = aggregation.child("clusterRoleSelectors")
    if aggregation.is_set:
        selectors.require("needs at least one selector")
    for selector in selectors.items():
        before = len(selector.problems)
        check_label_selector(selector)
        if len(selector.problems) > before:
            selector.reject("is not a selector")


def _check_rule(rule: Field, *, is_namespaced: bool) -> None:
    rule.child("verbs").require("needs at least one verb")
    urls = rule.child("nonResourceURLs")
    if not urls.items():
        for name in ("apiGroups", "resources"):
            rule.child(name).require("is required of a rule about resources")
        return
    if is_namespaced:
        urls.reject("are not of one namespace: only a ClusterRole can hold them")
    if any(rule.child(name).items() for name in ("apiGroups", "resources", "resourceNames")):
        urls.reject("cannot be in one rule with resources")


def check_role_binding(binding: Field) -> None:
    """Who has a role in a namespace."""
    _check_binding(binding, ("Role", "ClusterRole"), is_namespaced=True)


def check_cluster_role_binding(binding: Field) -> None:
    """Who has a role everywhere."""
    _check_binding(binding, ("ClusterRole",), is_namespaced=False)


def _check_binding(binding: Field, kinds: tuple[str, ...], *, is_namespaced: bool) -> None:
    check_metadata(binding.child("metadata"), path_segment)
    group, kind, name = (binding.child("roleRef").child(each) for each in ("apiGroup", "kind", "name"))
    if group.string:
        group.one_of((_GROUP,))
    if kind.string not in kinds:
        kind.reject(f"{shown(kind.string)} is not supported: use {choice(kinds)}")
    if name.require():
        name.obey(path_segment)
    for subject in binding.child("subjects").items():
        _check_subject(subject, is_namespaced=is_namespaced)


def _check_subject(subject: Field, *, is_namespaced: bool) -> None:
    kind, name, group = (subject.child(each) for each in ("kind", "name", "apiGroup"))
    name.require()
    if kind.value == _ACCOUNT:
        if name.string:
            name.obey(dns_subdomain)
        if group.string:
            group.reject(f"must be left out for a {_ACCOUNT}")
        if not is_namespaced:
            subject.child("namespace").require()
    elif kind.value in _PEOPLE:
        if group.string:
            group.one_of((_GROUP,))
    else:
        kind.reject(f"{shown(kind.string)} is not supported: use {choice((_ACCOUNT, *_PEOPLE))}")
