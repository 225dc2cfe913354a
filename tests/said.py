"""What a report says of a pod, as lines that stand in a recording beside the tests of what says it.

A recording has a block for each case: `== its name`, then the lines. `pytest --rewrite-golden` writes it anew; the
difference is to be read as one reads that of a report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from kexplain.diagnosis.records import Hold
from kexplain.errors import KexplainError
from kexplain.explain.records import NodeVerdict, Rejection
from kexplain.explanation.records import PodExplanation
from kexplain.remedies.records import Remedy

Said = Mapping[str, Sequence[str]]
_HEAD = "== "


def differences(
    recording: Path, said: Said, *, rewrite: bool = False
) -> dict[str, tuple[Sequence[str], Sequence[str]]]:
    """By case, what is recorded and what is said now, where they differ; a rewritten recording differs in nothing."""
    if rewrite:
        blocks = ("".join(f"{line}\n" for line in (f"{_HEAD}{name}", *lines)) for name, lines in said.items())
        recording.write_text("\n".join(blocks), encoding="utf-8")
    recorded = _read(recording)
    return {
        name: (recorded.get(name, ()), said.get(name, ()))
        for name in dict.fromkeys([*recorded, *said])
        if [*recorded.get(name, ())] != [*said.get(name, ())]
    }


def _read(recording: Path) -> Said:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in recording.read_text(encoding="utf-8").splitlines():
        if line.startswith(_HEAD):
            lines = found.setdefault(line.removeprefix(_HEAD), [])
        elif line:
            lines.append(line)
    return found


def of_diagnosis(pod: PodExplanation) -> Iterator[str]:
    """What is wrong, and all that is published of it."""
    found = pod.diagnosis
    if found is None:
        yield "nothing is wrong"
        return
    marks = [found.plugin, f"pool {found.pool}" if found.pool else "", found.retry.value]
    marks.append("" if found.certain else "uncertain")
    yield f"{found.kind.value} ({', '.join(filter(None, marks))})"
    yield from (f"  {line}" for line in (found.text, found.amounts, found.detail) if line)
    yield f"  on {_few(found.nodes)}"
    for sign in found.evidence:
        marks = [*filter(None, (sign.taint, sign.label)), _few(sign.nodes), _few(sign.pods)]
        yield f"  sign: {sign.text} [{'; '.join(marks)}]"
    if circles := pod.circles:
        sorted_out = (circles.candidates, circles.reserved, circles.elsewhere, circles.out_of_service)
        yield f"  circles: {' | '.join(map(_few, sorted_out))}"
    if held := pod.held:
        yield f"  held by {held.by}: {held.kind.value}: {held.text} [{held.object}; {held.queue}; {held.reason}]"


def of_hold(held: Hold | None) -> Iterator[str]:
    """What keeps a pod from running, apart from the scheduler, and all that is published of it."""
    if held is None:
        yield "nothing"
        return
    yield f"{held.kind.value} by {held.by}: {held.text}"
    yield f"  of {held.object} on {held.node or 'no node'} since {held.since or 'nobody says when'}"
    if held.reason or held.message:
        yield f"  {held.reason or 'no reason'}: {held.message}"
    yield f"  $ {held.command}"


def of_causes(pod: PodExplanation) -> Iterator[str]:
    """What the scheduler would write, its causes in words, and what each plugin has against single nodes."""
    yield pod.message or f"{pod.outcome.value}, without a message"
    for cause in pod.causes:
        marks = [
            cause.plugin,
            f"alone on {_few(cause.alone_on)}",
            "eviction may help" if cause.preemption_may_help else "",
        ]
        yield f"{cause.count}: {cause.text} ({', '.join(filter(None, marks))})"
    for detail in sorted({_rejection(each) for verdict in pod.node_verdicts for each in _rejections(verdict)}):
        yield f"  {detail}"
    if retry := pod.retry:
        yield retry.text


def of_remedies(pod: PodExplanation, *, commands: bool = True) -> Iterator[str]:
    """What would help, in its order, with its commands or without."""
    yield from of_remedy_list(pod.remedies, commands=commands)
    yield from (f"last resort: {each}" for each in pod.last_resorts)
    yield from (f"note: {each}" for each in pod.notes)


def of_remedy_list(remedies: Iterable[Remedy], *, commands: bool = True) -> Iterator[str]:
    """The remedies, each with how it stands among the others."""
    for remedy in remedies:
        served = "" if remedy.serves is None else f", serves {remedy.serves} of {remedy.pending}"
        tried = "tried" if remedy.tried else "not tried"
        yield f"{remedy.rank} {remedy.action} ({tried}{served}): {remedy.text} → {_few(remedy.nodes)}"
        if commands:
            yield from (f"  $ {line}" for command in remedy.commands for line in command.splitlines())


def _rejections(verdict: NodeVerdict) -> Iterator[Rejection]:
    if verdict.stopped_by is not None:
        yield verdict.stopped_by
    yield from verdict.also


def _rejection(rejection: Rejection) -> str:
    return f"{rejection.plugin}: {rejection.detail}"


def _few(names: Sequence[str]) -> str:
    return f"{names[0]} and {len(names) - 1} more" if len(names) > 2 else " and ".join(names) or "none"


class Heard:
    """What the tests of a folder come upon in words, test by test, and the recording of that beside them.

    Where it is rewritten, in one process, blocks of tests that do not run stay; those of tests that are gone are to be
    taken out by hand.
    """

    def __init__(self, recording: Path) -> None:
        self._recording = recording
        self._recorded = _read(recording) if recording.exists() else {}
        self._new: dict[str, Sequence[str]] = {}

    def check(self, request: pytest.FixtureRequest, lines: Iterable[str]) -> None:
        """That a test has come upon what is recorded of it, if anything is.

        What properties come upon differs from run to run.
        """
        name = request.node.nodeid.rpartition("/")[2].replace("\n", " ")
        folder = str(request.node.funcargs.get("tmp_path", "\0"))
        heard = [" ".join(line.replace(folder, "DIR").split()) for line in lines]
        if hasattr(request.function, "hypothesis"):
            return
        if request.config.getoption("--rewrite-golden"):
            self._new |= {name: heard} if heard else {}
        elif name in self._recorded:
            assert heard == [*self._recorded[name]]

    def write(self) -> None:
        """The recording anew, where one was asked for."""
        if self._new:
            differences(self._recording, dict(sorted({**self._recorded, **self._new}.items())), rewrite=True)


def listen_to_errors(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    """Every error that is made, with what it says to do about it."""
    make = KexplainError.__init__

    def made(self: KexplainError, message: str, hint: str | None = None) -> None:
        # Those that are values come upon who reads them, who says it in other words.
        if not isinstance(self, ValueError):
            lines.append(f"{message} → {hint or 'nothing to do'}")
        make(self, message, hint)

    monkeypatch.setattr(KexplainError, "__init__", made)
