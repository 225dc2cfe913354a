"""Manifests of pods as an API server took them, or did not."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from kexplain.admission import AdmissionObjects, admit
from kexplain.errors import KexplainError
from kexplain.framework.features import DEFAULT_RELEASE
from kexplain.load import load
from kexplain.objects import quantity
from kexplain.objects.core import Container, Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.problem import Problem, Stage
from kexplain.validation.check import check

from .corpora import ACCEPTED, Area, CorpusError
from .tally import Case, Tally

#: Parts of a spec that the recordings leave out.
_NOT_RECORDED = frozenset({"nodeName", "volumes", "resourceClaims"})
_QUANTITIES = frozenset({"requests", "limits", "overhead"})
#: Admission refuses before validation or after it, with one code; what is not there at all has another.
_STAGES_BY_CODE = {
    400: (Stage.DECODING,),
    403: (Stage.ADMISSION, Stage.POLICY),
    404: (Stage.ADMISSION,),
    422: (Stage.VALIDATION,),
}


class Verdict(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """What the API server answered: the part of the stored spec that scheduling reads, or what is wrong."""

    accepted: bool
    spec: dict[str, Any] = {}
    qos_class: str = ""
    code: int = 0
    reason: str = ""
    message: str = ""
    causes: list[dict[str, Any]] = []


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """A pod as people write it; `faults` names what was put into it on purpose."""

    id: str
    faults: list[str]
    pod: dict[str, Any]
    expected: Verdict


def run(area: Area, tally: Tally) -> None:
    """Admit every pod of the area anew and count what is as recorded. Raises CorpusError."""
    objects = AdmissionObjects.of(_cluster(area.file.parent))
    for manifest in area.rows(Manifest):
        if manifest.expected.accepted is not (area.name == ACCEPTED):
            continue
        with tally.decision(manifest.id, manifest.pod["metadata"]["name"]) as case:
            if area.corpus.release != DEFAULT_RELEASE:
                raise KexplainError(f"release {area.corpus.release} is not built, only {DEFAULT_RELEASE}")
            problems = check(manifest.pod, objects)
            case.compare("accepted", manifest.expected.accepted, not problems)
            if manifest.expected.accepted:
                _compare_spec(manifest, objects, case)
            else:
                _compare_faults(manifest.expected, problems, case)


def _compare_faults(expected: Verdict, problems: Sequence[Problem], case: Case) -> None:
    """An API server answers with what the first stage finds, and names fields where that is validation."""
    first = min((problem.stage for problem in problems), default=None)
    stages = _STAGES_BY_CODE[expected.code]
    got = first.name if first is not None else ""
    case.judge("stage", [stage.name for stage in stages], got, is_equal=first in stages)
    if expected.causes:
        fields = {problem.field for problem in problems if problem.stage == first}
        case.compare("fields", sorted({cause["field"] for cause in expected.causes}), sorted(fields))


def _compare_spec(manifest: Manifest, objects: AdmissionObjects, case: Case) -> None:
    (pod,) = _read([manifest.pod])
    assert isinstance(pod, Pod)
    admitted = _printed(admit(pod, objects).pod.spec)
    got = {name: value for name, value in admitted.items() if name not in _NOT_RECORDED}
    case.compare("spec", manifest.expected.spec, got)


def _cluster(folder: Path) -> list[KubernetesObject]:
    try:
        return _read(json.loads((folder / "cluster.json").read_bytes()))
    except (OSError, ValueError) as fault:
        raise CorpusError(f"{folder}: {fault}") from fault


def _read(items: list[dict[str, Any]]) -> list[KubernetesObject]:
    dump = json.dumps({"apiVersion": "v1", "kind": "List", "items": items})
    return [*load(["-"], stdin=io.BytesIO(dump.encode())).objects]


def _printed(record: msgspec.Struct) -> dict[str, Any]:
    """The record as an API server prints it: Go leaves out what is empty, but not what points to zero or to {}."""
    names = zip(record.__struct_fields__, record.__struct_encode_fields__, strict=True)
    fields = {printed: _printed_value(printed, getattr(record, name)) for name, printed in names}
    kept = {name: value for name, value in fields.items() if not _is_omitted(name, value)}
    # The one struct of a pod's spec that is no pointer, and so is always there.
    return {"resources": {}, **kept} if isinstance(record, Container) else kept


def _printed_value(name: str, value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return _printed(value)
    if isinstance(value, tuple):
        return [_printed_value(name, item) for item in value]
    if isinstance(value, dict):
        return {key: quantity.canonical(raw) if name in _QUANTITIES else raw for key, raw in value.items()} or None
    return value


def _is_omitted(name: str, value: object) -> bool:
    return value in (None, "", []) or value is False or (name == "hostPort" and value == 0)
