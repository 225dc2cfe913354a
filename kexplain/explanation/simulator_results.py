"""What kube-scheduler-simulator has written into a pod's annotations, beside what is decided here.

Source: kube-scheduler-simulator `simulator/scheduler/plugin/resultstore`.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress

import msgspec

from kexplain.explain.output import Output
from kexplain.framework.trace import Decision

PASSED = "passed"


class SimulatorDifference(Output, frozen=True):
    """A node of which the simulator says something else: `passed`, a plugin with its message, or the points."""

    node: str
    there: str
    here: str


class SimulatorResult(Output, frozen=True):
    """The simulator's verdict: the node it chose, empty if none, and the nodes on which it differs, out of `nodes`.

    `agrees` is whether that node is one of the best here, or none fits in either.
    """

    selected_node: str
    agrees: bool
    nodes: int
    differences: tuple[SimulatorDifference, ...] = ()


def simulator_result(decision: Decision) -> SimulatorResult | None:
    """The comparison; None without annotations of the simulator, or with some that cannot be read."""
    annotations = decision.pod.metadata.annotations
    if annotations is None or not annotations.filter_result:
        return None
    filtered, scored = _table(annotations.filter_result), _table(annotations.final_score_result)
    if filtered is None or scored is None:
        return None
    selected = annotations.selected_node or ""
    return SimulatorResult(
        selected_node=selected,
        agrees=selected in decision.best if selected else not decision.host,
        nodes=len(filtered),
        differences=tuple(_differences(filtered, scored, decision)),
    )


def _table(text: str | None) -> dict[str, dict[str, str]] | None:
    """Texts by node and plugin; None where the annotation is something else."""
    with suppress(msgspec.DecodeError):
        return msgspec.json.decode(text or "{}", type=dict[str, dict[str, str]])
    return None


def _differences(
    filtered: Mapping[str, Mapping[str, str]], scored: Mapping[str, Mapping[str, str]], decision: Decision
) -> Iterator[SimulatorDifference]:
    totals = decision.scores.total_by_node
    for node, answers in filtered.items():
        objections = (f"{plugin}: {message}" for plugin, message in answers.items() if message != PASSED)
        there, here = next(objections, PASSED), _here(node, decision)
        points = [text for text in scored.get(node, {}).values() if text.lstrip("-").isdecimal()]
        if there == here == PASSED and points and node in totals:
            there, here = f"{sum(map(int, points))} points", f"{totals[node]} points"
        if there != here:
            yield SimulatorDifference(node=node, there=there, here=here)


def _here(node: str, decision: Decision) -> str:
    if node in decision.feasible:
        return PASSED
    status = decision.statuses.by_node.get(node)
    return f"{status.plugin}: {', '.join(status.reasons)}" if status else "not looked at"
