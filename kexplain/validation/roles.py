"""Roles and who has them.

Source: rbac/validation, release 1.36.
"""

from kexplain.validation.field import Field
from kexplain.validation.labels import check_label_selector
from kexplain.validation.names import among, dns_subdomain
from kexplain.validation.rows import empty, judge, may

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
        judge(group, "roles.group_row")
    else:
        kind.obey(among(_ACCOUNT, *_PEOPLE))


def _needs_namespace(subject: Field) -> None:
    if subject.child("kind").value == _ACCOUNT:
        subject.child("namespace").require()
