"""Texts with everything corrected that is certain: words that a finding says how to write."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from itertools import groupby
from typing import NamedTuple, TypeAlias

from msgspec import Struct

from kexplain.lint.excerpts import holds_secret
from kexplain.lint.findings import Finding, LintReport
from kexplain.lint.ignores import MARKER
from kexplain.lint.rules.verdicts import REFUSED, REPEATED_KEY, UNREADABLE
from kexplain.load.raw_manifests import Written, load_written

#: The report on a text alone, in which nothing is placed.
Linter: TypeAlias = Callable[[Written], LintReport]

_QUOTES = "\"'"
_REFUSALS = frozenset({REFUSED.id, REPEATED_KEY.id, UNREADABLE.id})
#: A corrected name may reveal others below it, but not forever.
_ROUNDS = 10


class Correction(Struct, frozen=True):
    """A text before and after, how many words of it are corrected, and how many lines around them may be shown.

    `left` is what it is still refused for, and people have to decide.
    """

    source: str
    before: bytes
    after: bytes
    count: int
    around: int = 3
    left: Sequence[Finding] = ()


class TextEdit(NamedTuple):
    """What has to stand in place of some characters, and the field that they are of."""

    line: int
    column: int
    length: int
    instead: str
    field: str = ""
    indent: int = 0
    #: Whether the text is refused as it is: what is below a name that is mended may be refused in its turn.
    is_refused: bool = True

    def does_harm(self, rule: str, field: str) -> bool:
        """Whether it brings about a refusal that was not there, or one of the same field, under its old or new name."""
        outer, dot, _ = self.field.rpartition(".")
        names = (self.field, f"{outer}{dot}{self.instead.strip(_QUOTES)}")
        return rule != REFUSED.id or not self.is_refused or field in names


def corrections(findings: Iterable[Finding], written: Written, lint: Linter) -> Iterator[Correction]:
    """The corrected texts, in the order of the findings, which are sorted by source.

    An edit after which the field is refused for a reason that cannot be corrected is left out; so are edits that
    contradict each other.
    """
    certain = (each for each in findings if each.is_certain)
    for source, found in groupby(certain, key=lambda each: each.source):
        text = written.text(source)
        if text is not None:
            around = 0 if holds_secret(written, source) else 3
            correction = _Text(source, lint, around).corrected(bytes(text), _edits(found))
            if correction.count:
                yield correction


def undecided(findings: Iterable[Finding]) -> Sequence[Finding]:
    """What texts are refused for, and no correction is certain for."""
    return [each for each in findings if each.rule in _REFUSALS and not each.is_certain]


def applied(text: bytes, findings: Iterable[Finding]) -> bytes:
    """The text with what these findings ask for, none of which is tried."""
    return edited(text, _edits(findings))


def _edits(findings: Iterable[Finding]) -> set[TextEdit]:
    """What findings ask for, but not where two ask for different words in one place."""
    by_place: dict[tuple[int, int], TextEdit] = {}
    unclear = set()
    for each in findings:
        if each.is_certain:
            instead, is_refused = each.instead or "", each.rule in _REFUSALS
            edit = TextEdit(each.line, each.column, each.length, instead, each.field, each.indent, is_refused)
            if by_place.setdefault(edit[:2], edit).instead != edit.instead:
                unclear.add(edit[:2])
    return {edit for place, edit in by_place.items() if place not in unclear}


class _Text(NamedTuple):
    """One text, which is linted alone after each round of corrections."""

    source: str
    lint: Linter
    around: int

    def corrected(self, before: bytes, edits: set[TextEdit]) -> Correction:
        """The text with all edits that do no harm, and with those that they reveal."""
        count, text, found = 0, before, self._findings(before)
        for _ in range(_ROUNDS):
            carried_out = count
            trials = [edits, *({edit} for edit in sorted(edits, reverse=True))]
            for trial in trials:
                after = edited(text, trial)
                then = self._findings(after)
                if _is_harmless(trial, _refusals(then) - _refusals(found), _edits(then)):
                    text, found, edits, count = after, then, _edits(then), count + len(trial)
                    if trial is trials[0]:
                        break
            if count == carried_out or not edits:
                break
        return Correction(self.source, before, text, count, self.around, undecided(found))

    def _findings(self, text: bytes) -> Sequence[Finding]:
        return self.lint(load_written(["-"], MARKER, stdin=BytesIO(text), stdin_name=self.source)).findings


def _refusals(found: Iterable[Finding]) -> Counter[tuple[str, str, str]]:
    """Rule, field and message of what a text is refused for."""
    return Counter((each.rule, each.field, each.message) for each in found if each.rule in _REFUSALS)


def _is_harmless(edits: Iterable[TextEdit], new: Iterable[Sequence[str]], revealed: Iterable[TextEdit]) -> bool:
    correctable = {edit.field for edit in revealed}
    return not any(edit.does_harm(rule, field) for edit in edits for rule, field, _ in new if field not in correctable)


def edited(text: bytes, edits: Iterable[TextEdit]) -> bytes:
    """The text with the edits carried out, the last one first, so that places before it stay where they are."""
    lines = text.split(b"\n")
    for edit in sorted((each for each in edits if not each.indent), reverse=True):
        characters = lines[edit.line - 1].decode(errors="surrogateescape")
        edited = f"{characters[: edit.column - 1]}{edit.instead}{characters[edit.column - 1 + edit.length :]}"
        lines[edit.line - 1] = edited.encode(errors="surrogateescape")
    # What moves in place changes what is above it alone, what moves down what is below it.
    moves = sorted((each for each in edits if each.indent), key=lambda each: (each.indent < 0, each.indent * each.line))
    for edit in moves:
        first, column = edit.line - 1, edit.column - 1
        behind = _behind(lines, first + 1, column)
        block = [
            b" " * edit.indent + line[max(0, -edit.indent) :] if line.strip() else line for line in lines[first:behind]
        ]
        # What stood beside the key stays where it is, and would be within its value if that were above it.
        end = _behind(lines, behind, column + edit.indent) if edit.indent < 0 else behind
        lines[first:end] = [*lines[behind:end], *block]
    return b"\n".join(lines)


def _behind(lines: Sequence[bytes], first: int, column: int) -> int:
    """The line behind what is within the value of a key at a column, whose items may stand right below the key."""
    end = first
    for number in range(first, len(lines)):
        line = lines[number]
        if line.strip():
            if len(line) - len(line.lstrip()) <= column and not line[column:].startswith(b"- "):
                break
            end = number + 1
    return end
