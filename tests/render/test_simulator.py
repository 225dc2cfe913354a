"""The annotations of kube-scheduler-simulator."""

from __future__ import annotations

import json
from typing import Any

from kexplain.api import Case, ExplainOptions, PodToPlace, one_by_one
from kexplain.objects.core import Node, Pod
from kexplain.objects.core.pods import SIMULATOR
from kexplain.render import Kind, render
from kexplain.render.view import View
from tests.factories import cluster, node, pod


def written(*pods: Pod, nodes: list[Node], running: tuple[Pod, ...] = ()) -> Any:
    case = Case(cluster(nodes, list(running)), tuple(map(PodToPlace, pods)))
    found = one_by_one(case, ExplainOptions(with_pre_filters=True))
    return json.loads(str(render(Kind.EXPLANATION, "simulator", found.report(tuple(found.pods)), View())))


def results(found: Any) -> dict[str, Any]:
    texts = {key.removeprefix(SIMULATOR): value for key, value in found["metadata"]["annotations"].items()}
    return {name: text if name == "selected-node" else json.loads(text) for name, text in texts.items()}


def test_filters_are_recorded_up_to_the_first_that_objects() -> None:
    found = results(written(pod("web", cpu="2"), nodes=[node("n1", cpu="1"), node("n2", cordoned=True)]))
    assert found["filter-result"] == {
        "n1": {
            "NodeUnschedulable": "passed",
            "NodeName": "passed",
            "TaintToleration": "passed",
            "NodeResourcesFit": "Insufficient cpu",
        },
        "n2": {"NodeUnschedulable": "node(s) were unschedulable"},
    }
    assert found["prefilter-result-status"]["NodeResourcesFit"] == "success"
    assert found["prefilter-result-status"]["NodeAffinity"] == ""
    assert found["postfilter-result"] == {"n1": {}, "n2": {}}
    assert found["score-result"] == found["bind-result"] == {}
    assert found["selected-node"] == ""


def test_scores_are_texts_raw_and_weighted() -> None:
    found = results(written(pod("web", cpu="1"), nodes=[node("n1", cpu="4"), node("n2", cpu="8")]))
    assert found["selected-node"] == "n2"
    assert found["score-result"]["n2"]["TaintToleration"] == "0"
    assert found["finalscore-result"]["n2"]["TaintToleration"] == "300"
    assert found["prescore-result"]["NodeResourcesFit"] == "success"
    assert found["prescore-result"]["NodeAffinity"] == ""
    assert found["bind-result"] == {"DefaultBinder": "success"}
    assert found["reserve-result"] == {"VolumeBinding": "success", "DynamicResources": "success"}


def test_a_single_node_is_not_scored() -> None:
    found = results(written(pod("web"), nodes=[node("n1")]))
    assert found["score-result"] == found["prescore-result"] == {}
    assert found["selected-node"] == "n1"


def test_the_node_that_preemption_clears() -> None:
    running = (pod("old", cpu="4", node="n1", priority=0),)
    web = pod("web", cpu="4", priority=5)
    found = results(written(web, nodes=[node("n1"), node("n2", cpu="1")], running=running))
    assert found["postfilter-result"] == {"n1": {"DefaultPreemption": "preemption victim"}, "n2": {}}


def test_the_form_is_that_of_go() -> None:
    odd = written(pod("web", cpu="9"), nodes=[node("b<1>"), node("a&1")])
    text = odd["metadata"]["annotations"][f"{SIMULATOR}postfilter-result"]
    assert text == r'{"a\u00261":{},"b\u003c1\u003e":{}}'


def test_several_pods_are_a_list_and_gated_ones_have_none() -> None:
    found = written(pod("web"), pod("gated", gates=["example.com/wait"]), nodes=[node("n1")])
    assert [each["metadata"]["name"] for each in found["items"]] == ["web", "gated"]
    assert found["items"][1]["metadata"]["annotations"] == {}
