"""Counting what is equal, and keeping the first differences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kexplain.errors import KexplainError

KEPT_DIFFERENCES = 20
#: The field that counts whether there was a decision at all, rather than a refusal or a crash.
DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that is not as recorded, as JSON values; no pod where it is one of the whole scenario."""

    id: str
    pod: str
    field: str
    expected: Any
    got: Any


@dataclass(slots=True)
class FieldTally:
    """How often a field was as recorded."""

    equal: int = 0
    total: int = 0


@dataclass(slots=True)
class Tally:
    """The figures of one area. `passed` and `failed` count decisions."""

    passed: int = 0
    failed: int = 0
    fields: dict[str, FieldTally] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    #: Messages with an error of the CEL engine, and those that differ in nothing but its own wording.
    engine_messages: int = 0
    engine_worded: int = 0
    #: Decisions behind which the API server that stood in for the recording failed.
    stand_in_errors: int = 0

    @contextmanager
    def decision(self, case_id: str, pod: str = "", *, fails: bool = False) -> Iterator[Case]:
        """Count one decision: it passes unless it `fails` anyway, a field differs, or an exception ends it."""
        case = Case(self, case_id, pod, differs=fails)
        try:
            yield case
        except Exception as fault:  # Whatever it is, the run goes on.
            case.compare(DECIDED, "a decision", reason(fault))
        else:
            case.compare(DECIDED, True, True)
        if case.differs:
            self.failed += 1
        else:
            self.passed += 1

    @property
    def total(self) -> int:
        """The number of decisions."""
        return self.passed + self.failed


@dataclass(slots=True)
class Case:
    """What one decision, or one scenario as a whole, is compared by."""

    tally: Tally
    id: str
    pod: str = ""
    differs: bool = False

    def compare(self, name: str, expected: object, got: object) -> None:
        """Count the field as equal or not."""
        self.judge(name, expected, got, is_equal=expected == got)

    def judge(self, name: str, expected: object, got: object, *, is_equal: bool) -> None:
        """Count the field as somebody else compared it."""
        count = self.tally.fields.setdefault(name, FieldTally())
        count.total += 1
        if is_equal:
            count.equal += 1
            return
        self.differs = True
        if len(self.tally.differences) < KEPT_DIFFERENCES:
            pair = msgspec.to_builtins((expected, got))
            self.tally.differences.append(Difference(self.id, self.pod, name, *pair))


def reason(fault: Exception) -> str:
    """The exception as one line of text; of one that is raised on purpose, the message says it all."""
    if isinstance(fault, KexplainError):
        return fault.message
    text = " ".join(str(fault).split())
    return f"{type(fault).__name__}: {text}" if text else type(fault).__name__
