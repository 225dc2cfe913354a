"""Workloads: what makes pods.

Source: apps/validation, core/validation `ValidateReplicationController`, `ValidatePodTemplate`, release 1.36.
"""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec.structs import replace

from kexplain.objects.json_values import shown
from kexplain.objects.meta import LabelSelector
from kexplain.objects.problem import Path, Problem
from kexplain.objects.selectors import SelectorError, selector_from
from kexplain.patterns import regex
from kexplain.validation.field import Field
from kexplain.validation.metadata import check_inherited_labels, check_metadata
from kexplain.validation.names import dns_label, percentage
from kexplain.validation.rows import judge

_QUARTER = "25%"
_NUMBER = regex(r"[+-]?[0-9]+")


def check_replication_controller(controller: Field) -> None:
    """A replication controller; without a selector it selects by its template's labels."""
    check_metadata(controller.child("metadata"))
    spec = controller.child("spec")
    judge(spec, "workloads.controller_counts")
    template = spec.child("template")
    labels = template.descend("metadata", "labels")
    check_inherited_labels(controller.child("metadata"), labels)
    selector = spec.child("selector")
    if not selector.mapping and not labels.mapping:
        selector.require("is required where the template has no labels")
    if not template.is_set:
        template.require()
        return
    if not selector.mapping.items() <= labels.mapping.items():
        labels.reject("must have all labels that the selector asks for")
    judge(template, "pod_spec.pod_template")
    judge(template, "workloads.runs_always")


def check_daemon_set(daemon_set: Field) -> None:
    """A daemon set."""
    check_metadata(daemon_set.child("metadata"))
    spec = daemon_set.child("spec")
    selector, template = spec.child("selector"), spec.child("template")
    judge(spec, "workloads.daemon_counts")
    judge(selector, "labels.label_selector")
    selector.reject_if(selector.is_set and not _has_terms(selector), "must not be empty")
    # One that is left out selects nothing, so no template fits it.
    if not selector.is_set or not matches(selector, template.descend("metadata", "labels").mapping):
        _reject_labels(template.descend("metadata", "labels"), selector)
    judge(template, "pod_spec.pod_template")
    judge(template, "workloads.runs_always")
    judge(spec.child("updateStrategy"), "workloads.daemon_strategy")


def check_stateful_set(stateful_set: Field) -> None:
    """A stateful set, whose claims stand in for volumes of the same names."""
    check_metadata(stateful_set.child("metadata"), dns_label)
    spec = stateful_set.child("spec")
    judge(spec, "workloads.stateful")
    before, places = len(spec.problems), claim_volume_places(spec)
    _check_selected_template(with_claim_volumes(spec))
    spec.problems[before:] = [replace(each, path=relocated(each.path, places)) for each in spec.problems[before:]]


# ------------------------------------------------------------------------------- selectors and templates


def _check_selected_template(spec: Field) -> None:
    """A selector that selects something, and a template that it selects."""
    selector, template = spec.child("selector"), spec.child("template")
    if not selector.is_set:
        selector.require()
    else:
        before = len(selector.problems)
        judge(selector, "labels.label_selector")
        selector.reject_if(not _has_terms(selector), "must not be empty")
        if len(selector.problems) > before and _has_terms(selector):
            # What cannot be understood as a selector is refused once more, and no template is held against it.
            selector.reject("is not a selector")
            judge(template, "workloads.restarts_always")
            return
    labels = template.descend("metadata", "labels")
    # One that is left out selects nothing, an empty one everything.
    if not selector.is_set or not matches(selector, labels.mapping):
        _reject_labels(labels, selector)
    judge(template, "pod_spec.pod_template")
    judge(template, "workloads.runs_always")


def _reject_labels(labels: Field, selector: Field) -> None:
    """Note that the labels do not match, at the one that does not if it is one."""
    wanted = selector.child("matchLabels").mapping
    said = ", ".join(f"{key}: {value}" for key, value in wanted.items())
    message = f"must match the selector{f' ({said})' if said else ''}"
    if not selector.is_set:
        message = "must match the selector, and there is none: spec.selector is required"
    others = [key for key, value in wanted.items() if key in labels.mapping and labels.mapping[key] != value]
    path = (*labels.path, *(others if len(others) == 1 else ()))
    labels.problems.append(Problem(path, message, labels.text, stage=labels.stage))


def _has_terms(selector: Field) -> bool:
    return bool(selector.child("matchLabels").mapping or selector.child("matchExpressions").items())


def matches(selector: Field, labels: Mapping[str, str]) -> bool:
    """Whether a label selector selects what has these labels; of what is no selector that is not asked."""
    try:
        return selector_from(msgspec.convert(selector.value or {}, LabelSelector)).matches(labels)
    except (msgspec.ValidationError, SelectorError):
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
        return int(value[:-1][:9]) if not percentage(value) else _leading_number(value)
    return int(value)


def _leading_number(text: str) -> int:
    """What Go makes of a text that should be a number: 0 where it is none."""
    return int(text[:9]) if _NUMBER.fullmatch(text) else 0


def _is_object(data: Field) -> None:
    data.reject_if(not isinstance(data.value, dict), "is required, and an object")
