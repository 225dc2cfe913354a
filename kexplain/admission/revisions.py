"""Whether two pod templates come to the same pods, as far as scheduling reads them.

Source: deployment/util `EqualIgnoreHash`. What a template has beside that, such as environment variables, is not kept,
so that a change of it alone goes unseen.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.admission.defaults import with_defaults
from kexplain.objects.core import Pod, PodSpec, PodTemplateSpec
from kexplain.objects.quantity import QuantityError, canonical
from kexplain.objects.well_known import OF_CONTROLLERS

_AMOUNTS = ("requests", "limits", "overhead")
#: Where a label without a value is another than none: `node-role.kubernetes.io/infra`.
_SELECTORS = ("nodeSelector", "matchLabels")
TOKEN_VOLUME = "kube-api-access-"  # noqa: S105 (the name of a volume)


def same_template(one: PodTemplateSpec | None, other: PodTemplateSpec | None) -> bool:
    """Whether both make the same pods; labels that controllers and API server add do not count."""
    if one is None or other is None:
        return one is other
    notes = [each.metadata.annotations or {} for each in (one, other)]
    return (
        notes[0] == notes[1] and own_labels(one) == own_labels(other) and bool(_normal(one.spec) == _normal(other.spec))
    )


def is_made_of(pod: Pod, made: Pod) -> bool:
    """Whether a pod of a cluster looks like one that is made now, both as stored."""
    return bool(_normal(_bare(pod)) == _normal(_bare(made)))


def own_labels(template: PodTemplateSpec | Pod) -> dict[str, str]:
    """The labels, without those of controllers."""
    return {key: value for key, value in (template.metadata.labels or {}).items() if key not in OF_CONTROLLERS}


def _bare(pod: Pod) -> PodSpec:
    """The spec without what an API server or a scheduler has added."""
    volumes = tuple(
        replace(each, name="token") for each in pod.spec.volumes or () if not (each.name or "").startswith(TOKEN_VOLUME)
    )
    account = None if pod.spec.service_account_name == "default" else pod.spec.service_account_name
    spec = replace(pod.spec, node_name=None, preemption_policy=None, priority=pod.spec.priority or 0)
    return replace(spec, volumes=volumes or None, service_account_name=account, service_account=None)


def _normal(spec: PodSpec | None) -> Any:
    try:
        spec = with_defaults(spec) if spec is not None else None
    except QuantityError:
        return spec
    return _slim(msgspec.to_builtins(spec))


def _slim(value: Any, *, is_amounts: bool = False) -> Any:
    """The value without what is empty, amounts as Kubernetes prints them."""
    if isinstance(value, dict):
        slim = {key: one if key in _SELECTORS else _slim(one, is_amounts=key in _AMOUNTS) for key, one in value.items()}
        if is_amounts:
            return {key: canonical(each) for key, each in value.items()}
        return {key: each for key, each in slim.items() if each not in ({}, [], None, "", False)}
    return [_slim(each) for each in value] if isinstance(value, list | tuple) else value
