"""Roles and who has them.

Source: rbac/validation, release 1.36.
"""

from kexplain.validation.field import Field
from kexplain.validation.rows import judge


def _check_selector(selector: Field) -> None:
    before = len(selector.problems)
    judge(selector, "labels.label_selector")
    selector.reject_if(len(selector.problems) > before, "is not a selector")
