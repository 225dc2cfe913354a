"""Roles and who has them.

Source: rbac/validation, release 1.36.
"""

from kexplain.validation.field import Field
from kexplain.validation.rows import judge


def _check_selector(selector: Field) -> None:
    before = len(selector.problems)
    judge(selector, "labels.label_selector")
    selector.reject_if(len(selector.problems) > before, "is not a selector")


def _check_urls(rule: Field) -> None:
    urls = rule.child("nonResourceURLs")
    if not urls.items():
        for name in ("apiGroups", "resources"):
            rule.child(name).require("is required for a rule about resources")
    elif any(rule.child(name).items() for name in ("apiGroups", "resources", "resourceNames")):
        urls.reject("cannot be in one rule with resources")
