"""The end of a queue in tables."""

from collections.abc import Iterator

from kexplain.render.pages import Sheet, columns
from kexplain.render.pages.sentences import DASH
from kexplain.report.settled import QueueAttempt, SettledQueue
from kexplain.words import plural, some


def headline(settled: SettledQueue) -> str:
    """How it ended, in a sentence."""
    parts = [f"{len(settled.placed)} placed", f"{len(settled.evicted)} evicted", f"{len(settled.pending)} pending"]
    return f"settled after {plural(len(settled.attempts), 'attempt')}: {', '.join(parts)}"


def sheets(settled: SettledQueue) -> Iterator[Sheet]:
    """The attempts in their order, and what became of those that were evicted."""
    rows = [(each.pod, _outcome(each), some(each.evicted, 3) or DASH) for each in settled.attempts]
    yield Sheet("ATTEMPTS", columns("POD", "OUTCOME", "EVICTS"), rows)
    if settled.evicted:
        ends = [(key, _end(key, settled)) for key in dict.fromkeys(settled.evicted)]
        yield Sheet("EVICTED", columns("POD", "ENDS"), ends)


def _outcome(attempt: QueueAttempt) -> str:
    if attempt.node:
        return f"lands on {attempt.node}"
    return f"makes room on {attempt.nominated_node_name}" if attempt.nominated_node_name else attempt.outcome.lower()


def _end(key: str, settled: SettledQueue) -> str:
    if key in settled.placed:
        return f"recreated, on {settled.placed[key]}"
    if key in settled.pending:
        return f"recreated, pending: {settled.pending[key].message or ''}"
    return "gone: no controller recreates it"
