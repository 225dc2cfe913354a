"""What goes to and fro between a scheduler and an extender, as JSON.

Source: kube-scheduler `extender/v1` types. Names in answers are matched as Go matches them, whatever their case, and
what follows the first value is not looked at.

What is sent holds what kexplain's records hold of pods and nodes: what scheduling reads, not everything.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from kexplain.framework.extender import ExtenderError
from kexplain.framework.postfilter import Candidate
from kexplain.grouping import counted
from kexplain.objects.core import Node, Pod


class FilterResult(msgspec.Struct, frozen=True, rename="lower"):
    """What filter answers; a field that is null or missing says nothing."""

    nodes: Any = None
    nodenames: tuple[str, ...] | None = None
    failednodes: dict[str, str] | None = None
    failedandunresolvablenodes: dict[str, str] | None = None
    error: str | None = None


class _NodeListResult(msgspec.Struct, frozen=True):
    items: tuple[Node, ...] | None = None


class _HostPriority(msgspec.Struct, frozen=True):
    host: str | None = None
    score: int | None = None


class _PreemptionResult(msgspec.Struct, frozen=True):
    nodenametometavictims: dict[str, Any] | None = None


class _MetaVictimsResult(msgspec.Struct, frozen=True):
    pods: tuple[Any, ...] | None = None
    numpdbviolations: int | None = None


class _MetaPodResult(msgspec.Struct, frozen=True):
    uid: str | None = None


def encoded_args(pod: Pod, nodes: Sequence[Node], *, names_only: bool) -> bytes:
    """The question of filter and prioritize: whole nodes, or their names for an extender that knows nodes itself.

    Here and below every field is written, null where there is nothing, as Go does without `omitempty`.
    """
    names = [node.name for node in nodes] if names_only else None
    whole = None if names_only else {"items": nodes, "metadata": {}}
    return msgspec.json.encode({"Pod": pod, "Nodes": whole, "NodeNames": names})


def encoded_candidates(pod: Pod, candidates: Sequence[Candidate], *, names_only: bool) -> bytes:
    """The question about candidates: whole pods, or their uids for an extender that knows pods itself."""
    victims = {
        each.node_name: {
            "Pods": [{"UID": victim.uid} for victim in each.victims] if names_only else each.victims,
            "NumPDBViolations": each.pdb_violations,
        }
        for each in candidates
    }
    whole, uids = (None, victims) if names_only else (victims, None)
    return msgspec.json.encode({"Pod": pod, "NodeNameToVictims": whole, "NodeNameToMetaVictims": uids})


Shape = TypeVar("Shape", bound=msgspec.Struct)


def decoded_filter(body: bytes) -> FilterResult:
    """The answer of filter. Raises ExtenderError."""
    return _shaped(_value(body), FilterResult)


def decoded_nodes(value: object) -> tuple[Node, ...] | None:
    """The nodes of a filter's answer; None if it has none to give, which is not the same as an empty list.

    Raises ExtenderError.
    """
    return None if value is None else _shaped(value, _NodeListResult).items or ()


def decoded_priorities(body: bytes) -> dict[str, int]:
    """The scores by node name; what is named twice counts twice. Raises ExtenderError."""
    value = _value(body)
    if not isinstance(value, list | None):
        raise ExtenderError(f"the answer is not a list, but {_kind(value)}")
    return counted((each.host or "", each.score or 0) for each in (_shaped(one, _HostPriority) for one in value or ()))


def decoded_victims(body: bytes) -> dict[str, tuple[tuple[str, ...], int]]:
    """The victims' uids and the budgets violated, by node name. Raises ExtenderError."""
    result = _shaped(_value(body), _PreemptionResult)
    victims = {}
    for name, value in (result.nodenametometavictims or {}).items():
        shaped = _shaped(value, _MetaVictimsResult)
        uids = tuple(_shaped(each, _MetaPodResult).uid or "" for each in shaped.pods or ())
        victims[name] = (uids, shaped.numpdbviolations or 0)
    return victims


def _value(body: bytes) -> object:
    try:
        return json.JSONDecoder().raw_decode(body.decode("utf-8", "replace").lstrip(" \t\r\n"))[0]
    except (ValueError, RecursionError) as fault:
        reason = "nested too deeply" if isinstance(fault, RecursionError) else str(fault)
        raise ExtenderError(f"the answer is not JSON: {reason}" if body else "EOF") from fault


def _shaped(value: object, shape: type[Shape]) -> Shape:
    """The value as a record; null counts as one without anything in it."""
    if value is None:
        return shape()
    if not isinstance(value, Mapping):
        raise ExtenderError(f"the answer has {_kind(value)} where an object is expected")
    try:
        return msgspec.convert({str(key).lower(): each for key, each in value.items()}, shape)
    except (msgspec.ValidationError, RecursionError) as fault:
        raise ExtenderError(f"the answer cannot be used: {fault}") from fault


def _kind(value: object) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return kinds.get(type(value), "a number")
