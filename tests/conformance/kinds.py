"""Manifests of all kinds, each by itself, as an API server took them, or did not."""

from __future__ import annotations

from typing import Any

import msgspec

from kexplain.objects.problem import Stage
from kexplain.validation.check import check

from .corpora import Area
from .tally import Tally

#: What an API server answers where it finds the fault.
_STAGES_BY_CODE = {400: Stage.DECODING, 422: Stage.VALIDATION}
_INVALID = 422


class Verdict(msgspec.Struct, forbid_unknown_fields=True):
    """What the API server answered; `causes` are the fields at fault, none where it could not decode."""

    accepted: bool
    code: int = 0
    reason: str = ""
    message: str = ""
    causes: list[str] = []


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """A manifest, sound or broken in one or two fields."""

    id: str
    object: dict[str, Any]
    expected: Verdict


def run(area: Area, tally: Tally) -> None:
    """Check every manifest of the area and count what is as recorded. Raises CorpusError."""
    for manifest in area.rows(Manifest):
        expected = manifest.expected
        with tally.decision(manifest.id, manifest.object["kind"]) as case:
            # What else is found concerns pods that are not made yet.
            problems = [each for each in check(manifest.object) if each.stage in _STAGES_BY_CODE.values()]
            case.compare("accepted", expected.accepted, not problems)
            if expected.accepted:
                continue
            first = min((problem.stage for problem in problems), default=None)
            case.compare("stage", _STAGES_BY_CODE[expected.code].name, first.name if first is not None else "")
            if expected.code == _INVALID:
                fields = {problem.field for problem in problems if problem.stage is first}
                case.compare("fields", sorted(set(expected.causes)), sorted(fields))
