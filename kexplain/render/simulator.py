"""What kube-scheduler-simulator would write into annotations of the pods.

Source: kube-scheduler-simulator `simulator/scheduler/plugin/resultstore` and `wrappedplugin.go`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile

from kexplain.explain.records import NodeVerdict, Verdict
from kexplain.explanation.records import PodExplanation
from kexplain.explanation.simulator_results import PASSED
from kexplain.framework.trace import Outcome
from kexplain.objects.core.pods import SIMULATOR
from kexplain.render.harmless import in_strings
from kexplain.render.view import View, restricted
from kexplain.report.records import Report

_SUCCESS, _NOMINATED = "success", "preemption victim"
#: What Go's JSON escapes beside what everybody does.
_ESCAPES = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


def render(report: Report, view: View) -> str:
    """A Pod with its annotations, which `kubectl patch --patch-file` takes; a List of several."""
    report = restricted(report, view)
    pods = [_pod(pod, report.plugins.get(pod.scheduler_name, {})) for pod in report.pods]
    document = pods[0] if len(pods) == 1 else {"apiVersion": "v1", "kind": "List", "items": pods}
    return in_strings(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def _pod(pod: PodExplanation, plugins: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    annotations = {f"{SIMULATOR}{name}": value for name, value in _annotations(pod, plugins)}
    metadata = {"namespace": pod.pod.namespace, "name": pod.pod.name, "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata}


def _annotations(pod: PodExplanation, plugins: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """All that the simulator writes about a pod that came as far as to PreFilter; nothing about others."""
    if not pod.pre_filters:
        return
    yield "prefilter-result", _go({each.plugin: each.nodes for each in pod.pre_filters if each.nodes is not None})
    # What each said; nothing where it had nothing to do.
    said = {each.plugin: _SUCCESS if each.status == "Success" else each.message for each in pod.pre_filters}
    yield "prefilter-result-status", _go(said)
    yield "filter-result", _go(_filtered(pod, plugins.get("filter", ())))
    yield "postfilter-result", _go(_post_filtered(pod))
    yield from _scored(pod, plugins.get("preScore", ()))
    yield from _bound(plugins if pod.outcome is Outcome.SCHEDULED else {})
    yield "selected-node", pod.choice.node if pod.choice else ""


def _scored(pod: PodExplanation, prepared: Iterable[str]) -> Iterator[tuple[str, str]]:
    scores_by_node = {each.node: each.scores for each in pod.node_verdicts if each.scores}
    counted = {score.plugin for scores in scores_by_node.values() for score in scores}
    raw = {node: {each.plugin: str(each.raw) for each in scores} for node, scores in scores_by_node.items()}
    final = {node: {each.plugin: str(each.weighted) for each in scores} for node, scores in scores_by_node.items()}
    yield "prescore-result", _go({plugin: _SUCCESS if plugin in counted else "" for plugin in prepared if counted})
    yield "score-result", _go(raw)
    yield "finalscore-result", _go(final)


def _bound(plugins: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """The steps behind the choice, of which all succeed here."""
    yield "reserve-result", _go(_all_succeed(plugins.get("reserve", ())))
    yield "permit-result", _go(_all_succeed(plugins.get("permit", ())))
    yield "permit-result-timeout", _go(dict.fromkeys(plugins.get("permit", ()), "0s"))
    yield "prebind-result", _go(_all_succeed(plugins.get("preBind", ())))
    yield "bind-result", _go(_all_succeed(plugins.get("bind", ())[:1]))


def _all_succeed(plugins: Iterable[str]) -> dict[str, str]:
    return dict.fromkeys(plugins, _SUCCESS)


def _filtered(pod: PodExplanation, plugins: Iterable[str]) -> dict[str, dict[str, str]]:
    """By node that was looked at, each filter that was asked, up to the first that objected."""
    skipped = {each.plugin for each in pod.pre_filters if each.status == "Skip"}
    asked = [plugin for plugin in plugins if plugin not in skipped]
    looked_at = (each for each in pod.node_verdicts if each.verdict in (Verdict.FEASIBLE, Verdict.REJECTED))
    return {each.node: _answers(each, asked) for each in looked_at}


def _answers(each: NodeVerdict, asked: Iterable[str]) -> dict[str, str]:
    stopped = each.stopped_by
    if stopped is None:
        return dict.fromkeys(asked, PASSED)
    passed = dict.fromkeys(takewhile(lambda plugin: plugin != stopped.plugin, asked), PASSED)
    return {**passed, stopped.plugin: ", ".join(stopped.reasons)}


def _post_filtered(pod: PodExplanation) -> dict[str, dict[str, str]]:
    """By node that was rejected, which one preemption would clear."""
    if pod.preemption is None:
        return {}
    nominated = pod.preemption.nominated_node
    rejected = (each.node for each in pod.node_verdicts if each.verdict is Verdict.REJECTED)
    return {node: {"DefaultPreemption": _NOMINATED} if node == nominated else {} for node in rejected}


def _go(value: object) -> str:
    """JSON as Go writes it: keys in order, no blanks, and safe within HTML."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).translate(_ESCAPES)
