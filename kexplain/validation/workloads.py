"""Workloads: what makes pods.

Source: apps/validation, core/validation `ValidateReplicationController`, `ValidatePodTemplate`, release 1.36.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from kexplain.objects.json_values import shown
from kexplain.objects.meta import LabelSelector
from kexplain.objects.problem import Path
from kexplain.objects.selectors import SelectorError, selector_from
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.names import percentage
from kexplain.validation.rows import judge

_QUARTER = "25%"
_NUMBER = regex(r"[+-]?[0-9]+")


def _check_all_labels(spec: Field) -> None:
    labels = spec.descend("template", "metadata", "labels")
    is_selected = spec.child("selector").mapping.items() <= labels.mapping.items()
    labels.reject_if(not is_selected, "must have all labels that the selector asks for")


def _check_with_claims(spec: Field) -> None:
    """A stateful set's claims stand in for volumes of the same names."""
    before, places = len(spec.problems), claim_volume_places(spec)
    judge(with_claim_volumes(spec), "workloads.selected_template")
    spec.problems[before:] = [replace(each, path=relocated(each.path, places)) for each in spec.problems[before:]]


# ------------------------------------------------------------------------------- selectors and templates


def _check_selector(spec: Field) -> bool:
    """What cannot be understood as a selector is refused once more, and no template is held against it."""
    before = len(spec.problems)
    judge(spec.child("selector"), "labels.label_selector")
    if is_wrong := len(spec.problems) > before:
        spec.child("selector").reject("is not a selector")
        judge(spec.child("template"), "workloads.restarts_always")
    return not is_wrong


def _check_labels(spec: Field) -> None:
    """That the labels match, or else what does not. A selector that is left out selects nothing."""
    selector, labels = spec.child("selector"), spec.descend("template", "metadata", "labels")
    if selector.is_set and matches(selector, labels.mapping):
        return
    wanted = selector.child("matchLabels").mapping
    said = ", ".join(f"{key}: {value}" for key, value in wanted.items())
    message = f"must match the selector{f' ({said})' if said else ''}"
    if not selector.is_set:
        message = "must match the selector, and there is none: spec.selector is required"
    others = [key for key, value in wanted.items() if key in labels.mapping and labels.mapping[key] != value]
    if len(others) == 1:
        labels.key(others[0]).written(labels).reject(message, [str(wanted[others[0]])])
    else:
        labels.reject(message)


def matches(selector: Field, labels: Mapping[str, str]) -> bool:
    """Whether a label selector selects what has these labels; of what is no selector that is not asked."""
    with suppress(msgspec.ValidationError, SelectorError):
        return selector_from(msgspec.convert(selector.value or {}, LabelSelector)).matches(labels)
    return True


def with_claim_volumes(spec: Field) -> Field:
    """The spec whose template has a volume for each claim template, and no hostname of its own."""
    pod = spec.descend("template", "spec")
    if not pod.mapping:
        return spec
    claims = _claim_indices(spec)
    own = [volume.value for volume in pod.child("volumes").items() if volume.child("name").string not in claims]
    volumes = [{"name": name, "persistentVolumeClaim": {"claimName": name}} for name in claims] + own
    changed = {key: value for key, value in pod.mapping.items() if key not in ("hostname", "subdomain")}
    template = {**spec.child("template").mapping, "spec": {**changed, **({"volumes": volumes} if volumes else {})}}
    return spec.with_value({**spec.mapping, "template": template})


def claim_volume_places(spec: Field) -> list[Path]:
    """Where the volumes of `with_claim_volumes` stand in the manifest: those of claims come first."""
    claims = _claim_indices(spec)
    own = spec.descend("template", "spec", "volumes").items()
    places = [(*spec.path, "volumeClaimTemplates", index) for index in claims.values()]
    return places + [volume.path for volume in own if volume.child("name").string not in claims]


def _claim_indices(spec: Field) -> dict[str, int]:
    """The first claim template of each name."""
    names = [claim.descend("metadata", "name").string for claim in spec.child("volumeClaimTemplates").items()]
    return {name: names.index(name) for name in names}


def relocated(path: Path, places: Sequence[Path]) -> Path:
    """The path within a stateful set of what was found in one with the volumes of its claims."""
    if places and path[:4] == ("spec", "template", "spec", "volumes") and len(path) > 4:
        return (*places[int(path[4])], *path[5:])
    return path


# ------------------------------------------------------------------------------------------- strategies


def _check_rolling_deployment(update: Field) -> None:
    unavailable, surge = update.child("maxUnavailable"), update.child("maxSurge")
    check_share(unavailable)
    check_share(surge, at_most=None)
    if amount_of(unavailable, _QUARTER) == 0 and amount_of(surge, _QUARTER) == 0:
        unavailable.reject("may not be 0 where maxSurge is 0")


def _check_rolling_daemons(update: Field) -> None:
    unavailable, surge = update.child("maxUnavailable"), update.child("maxSurge")
    check_share(unavailable)
    check_share(surge)
    some_unavailable, some_surge = amount_of(unavailable, 1) != 0, amount_of(surge, 0) != 0
    if some_unavailable and some_surge:
        surge.reject("must be 0 where maxUnavailable is not, which is 1 by default")
    elif not some_unavailable and not some_surge:
        unavailable.reject("may not be 0 where maxSurge is 0")


def check_share(share: Field, at_most: int | None = 100) -> None:
    """A number or a percentage, and not more than all. Source: `ValidatePositiveIntOrPercent`."""
    if isinstance(share.value, str):
        share.obey(percentage)
        if not percentage(share.string) and at_most is not None and int(share.string[:-1][:9]) > at_most:
            share.reject(f"{shown(share.string)} is more than {at_most}%")
    else:
        share.not_negative()


def amount_of(share: Field, default: str | int) -> int:
    """The number, or the number before the percent sign. Source: `getIntOrPercentValue`."""
    value = default if share.value is None else share.value
    if isinstance(value, str):
        return int(value[:-1][:9]) if not percentage(value) else int(value[:9]) if _NUMBER.fullmatch(value) else 0
    return int(value)


def _is_object(data: Field) -> None:
    data.reject_if(not isinstance(data.value, dict), "is required, and an object")
