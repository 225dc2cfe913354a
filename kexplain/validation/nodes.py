"""Nodes.

Source: core/validation `ValidateNode`, `registry/core/node`, release 1.36. A new node keeps the status it is given.
"""

import json
from contextlib import suppress
from typing import Any

from kexplain.validation.field import Field
from kexplain.validation.names import cidr, feature_name, is_ipv6
from kexplain.validation.resources import check_amount
from kexplain.validation.rows import judge

_TAINTS_ANNOTATION = "scheduler.alpha.kubernetes.io/taints"
_AVOID_ANNOTATION = "scheduler.alpha.kubernetes.io/preferAvoidPods"


def _check_amounts(status: Field) -> None:
    capacity, allocatable = status.child("capacity"), status.child("allocatable")
    if not allocatable.is_set:
        # What is allocatable is then all that there is.
        allocatable = allocatable.with_value(capacity.value)
    for amounts in (capacity, allocatable):
        for name, amount in amounts.entries():
            check_amount(amount.written(f"{amounts.text}.{name}"))


def _check_annotations(annotations: Field) -> None:
    """Taints and a list of pods to avoid, as they were written before there were fields for them."""
    taints = annotations.key(_TAINTS_ANNOTATION)
    if taints.string:
        value = _parsed(taints.string)
        if value is None or isinstance(value, list):
            judge(taints.with_value(value).written(f"{annotations.text}.{_TAINTS_ANNOTATION}"), "nodes.taints")
        else:
            taints.written(annotations).reject(f"{_TAINTS_ANNOTATION} is not a list of taints, written as JSON")
    avoided = annotations.key(_AVOID_ANNOTATION)
    if avoided.string and not isinstance(_parsed(avoided.string), dict | None):
        avoided.written(f"{annotations.text}.AvoidPods").reject("is not an object, written as JSON")


def _parsed(text: str) -> Any:
    """The value of a JSON text; the text itself if it is none."""
    with suppress(ValueError):
        return json.loads(text)
    return text


def _check_features(features: Field) -> None:
    """The features that a kubelet declares, in order."""
    names = features.strings
    for index, feature in enumerate(features.items()):
        feature.obey(feature_name)
        if index and names[index - 1] >= names[index]:
            feature.reject("must come behind the one before it in the alphabet")


def _check_ranges(spec: Field) -> None:
    """The ranges of its pods' addresses; the single one counts where both are set and differ."""
    single, ranges = spec.child("podCIDR"), spec.child("podCIDRs")
    if single.string and ranges.strings[:1] != [single.string]:
        ranges = ranges.with_value([single.string])
    for each in ranges.items():
        each.obey(cidr)
    families = [is_ipv6(text) for text in ranges.strings]
    if len(families) > 1 and (len(families) > 2 or families[0] == families[1]):
        ranges.reject("can hold at most one range of each IP family")
