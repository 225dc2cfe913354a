"""The end of a queue in tables."""

from collections.abc import Iterator, Mapping

from kexplain.render.pages import Sheet, columns
from kexplain.render.pages.sentences import DASH
from kexplain.report.settled import QueueAttempt, SettledQueue
from kexplain.words import plural, some


def headline(settled: SettledQueue) -> str:
    """How it ended, in a sentence."""
    parts = [f"{len(settled.placed)} placed", f"{len(settled.evicted)} evicted", f"{len(settled.pending)} pending"]
    return f"settled after {plural(len(settled.attempts), 'attempt')}: {', '.join(parts)}"


def sheets(settled: SettledQueue, wrong_by_pod: Mapping[str, str] | None = None) -> Iterator[Sheet]:
    """The attempts in their order, and what became of those that were evicted; why they wait, as far as is known."""
    rows = [(each.pod, _outcome(each), some(each.evicted, 3) or DASH) for each in settled.attempts]
    yield Sheet("ATTEMPTS", columns("POD", "OUTCOME", "EVICTS"), rows)
    if settled.evicted:
        ends = [(key, _end(key, settled, (wrong_by_pod or {}).get(key, ""))) for key in dict.fromkeys(settled.evicted)]
        yield Sheet("EVICTED", columns("POD", "ENDS"), ends)


def _outcome(attempt: QueueAttempt) -> str:
    if attempt.node:
        return f"lands on {attempt.node}"
    return f"makes room on {attempt.nominated_node_name}" if attempt.nominated_node_name else attempt.outcome.lower()


def _end(key: str, settled: SettledQueue, wrong: str) -> str:
    if key in settled.placed:
        return f"recreated, on {settled.placed[key]}"
    if key in settled.pending:
        return f"recreated, pending: {wrong or settled.pending[key].message or ''}"
    return f"gone: {settled.gone.get(key) or 'nothing came in its place'}"
