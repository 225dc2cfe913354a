"""Documents that are too long are cut in lists, never in the text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from kexplain.cli.bounded_json import bounded, in_names, part

DOCUMENT: dict[str, Any] = {
    "kind": "Report",
    "pods": [
        {
            "nodeVerdicts": [{"node": f"n{number}"} for number in range(500)],
            "remedies": [{"text": f"remedy {number}"} for number in range(20)],
            "diagnosis": {"text": "no room"},
        }
    ],
}


def test_what_is_short_enough_is_whole() -> None:
    found = json.loads(bounded(DOCUMENT, 1 << 20))
    assert found == DOCUMENT
    assert list(found["pods"][0]) == ["diagnosis", "remedies", "nodeVerdicts"]


@pytest.mark.parametrize("longest", [200, 500, 1000, 3000, 8000])
def test_lists_that_say_little_are_cut_first(longest: int) -> None:
    text = bounded(DOCUMENT, longest)
    found = json.loads(text)
    assert len(text) <= longest
    assert found["leftOut"]["pods.0.nodeVerdicts"] == 500
    assert ("pods.0.remedies" in found["leftOut"]) is (longest < 1000)


def test_of_what_is_far_too_long_texts_and_what_is_short_stay() -> None:
    item = {"message": "m" * 400, "pod": {"name": "web"}, "steps": [{"what": "s" * 400}]}
    assert json.loads(bounded(item, 100)) == {
        "message": "m" * 400, "pod": {"name": "web"}, "leftOut": {"steps": 1},
    }  # fmt: skip


def test_a_part_comes_page_by_page() -> None:
    found: list[Any] = []
    while True:
        page = json.loads(part(DOCUMENT, "pods.0.nodeVerdicts", len(found), 1000))
        found += page["items"]
        if "next" not in page:
            break
        assert page["next"] == len(found)
    assert found == DOCUMENT["pods"][0]["nodeVerdicts"]


@pytest.mark.parametrize("path", ["", "pods.1", "pods.x", "pods.0.diagnosis.text.0", "none"])
def test_what_is_not_there(path: str) -> None:
    with pytest.raises(KeyError):
        part(DOCUMENT, path, 0, 1000)


def test_a_value_and_an_item_that_is_longer_than_there_is_room() -> None:
    assert json.loads(part(DOCUMENT, "kind", 0, 100)) == {"value": "Report"}
    assert len(part({"pods": [{"a": ["x" * 50] * 50}]}, "pods", 0, 300)) <= 300


def of_groups(count: int) -> dict[str, Any]:
    """A report on so many pods in two groups: the first pod, and all others."""
    pod = DOCUMENT["pods"][0]
    pods = [{"pod": {"name": f"p{place}"}, **pod} for place in range(count)]
    return {"kind": "Report", "pods": pods, "groups": [{"pods": [*range(1, count)]}, {"pods": [0]}]}


def test_groups_come_first_and_stay_whole_and_pods_name_the_first_of_theirs() -> None:
    text = bounded(of_groups(30), 4000)
    found = json.loads(text)
    assert list(found)[:3] == ["kind", "groups", "pods"]
    assert found["groups"] == of_groups(30)["groups"]
    assert [pod.get("likePod") for pod in found["pods"]] == [None, None, *[1] * 28]
    assert len(found["pods"][1]["remedies"]) == 20
    assert 3000 < len(text) <= 4000


def test_pods_go_before_groups_do() -> None:
    found = json.loads(bounded(of_groups(200), 3000))
    assert len(found["groups"][0]["pods"]) == 199
    assert found["leftOut"]["pods"] == 200


def test_what_has_a_key_for_each_of_many_things_is_cut_and_paged_as_a_list_is() -> None:
    document = {"pods": [{"byNode": {f"n{number}": number for number in range(900)}, "fits": 7}]}
    found = json.loads(bounded(document, 2000))
    assert (found["pods"][0]["fits"], found["leftOut"]) == (7, {"pods.0.byNode": 900})
    assert 60 <= len(found["pods"][0]["byNode"]) <= 100
    page = json.loads(part(document, "pods.0.byNode", 800, 2000))
    assert (page["of"], page["items"][0]) == (900, ["n800", 800])


def test_a_page_has_some_items_also_where_each_is_long() -> None:
    text = part(of_groups(30), "pods", 3, 4000)
    page = json.loads(text)
    assert len(text) <= 4000
    assert [each["pod"]["name"] for each in page["items"]] == ["p3", "p4", "p5", "p6", "p7"]
    assert (page["next"], page["items"][0]["leftOut"]["nodeVerdicts"]) == (8, 500)


def test_nodes_have_their_names_and_nothing_is_said_twice() -> None:
    """Changes are handed over again, so that they stay as they are."""
    changes = [{"verb": "patch", "object": {"emptyDir": {}, "line": 3}}]
    pod = {
        "pod": {"name": "a", "source": "/etc/dump", "line": 3, "namespace": ""},
        "diagnosis": {"nodes": ["0-2", "gone"], "amounts": "needs 2", "detail": "needs 2.", "pool": None},
        "circles": {"candidates": ["0,2"], "reserved": []},
        "causes": [{"nodes": ["n1"], "aloneOn": ["n1"]}, {"nodes": ["n1", "n2"], "aloneOn": ["n1"]}],
        "verdicts": [{"verdict": "Rejected"}],
        "sharedVerdicts": [{"verdict": 0, "nodes": "0-2"}],
        "remedies": [{"changes": changes}],
        "retry": {"text": "later", "wakeUps": [{}]},
    }
    like: dict[str, Any] = {"pod": {"name": "b"}, "diagnosis": None, "circles": None, "verdicts": []}
    other = {**like, "sharedVerdicts": [{"verdict": 0, "nodes": "1", "rank": 2}]}
    group = {"pods": [0, 1], "message": "m", "schedulerName": "s"}
    names = {"nodeNames": ["n1", "n2", "n3"], "nodes": 0}
    assert in_names({"kind": "Report", "groups": [group], "pods": [pod, other], "plugins": {"a": {}}, **names}) == {
        "kind": "Report",
        "groups": [{"pods": [0, 1]}],
        "pods": [
            {
                "pod": {"name": "a"},
                "diagnosis": {"nodes": ["n1", "n2", "n3", "gone"], "detail": "needs 2."},
                "circles": {"candidates": ["n1", "n3"]},
                "causes": [{"nodes": ["n1"]}, {"nodes": ["n1", "n2"], "aloneOn": ["n1"]}],
                "verdicts": [{"verdict": "Rejected", "nodes": ["n1", "n2", "n3"]}],
                "remedies": [{"changes": changes}],
                "retry": {"text": "later"},
            },
            {"pod": {"name": "b"}, "verdicts": [{"verdict": "Rejected", "rank": 2, "nodes": ["n2"]}]},
        ],
    }


def test_lists_within_what_says_little_stay_whole_where_fewer_of_it_do() -> None:
    verdicts = [{"scores": [*range(9)], "nodes": [*range(50)]} for _ in range(50)]
    found = json.loads(bounded({"pods": [{"verdicts": verdicts}]}, 1000))["pods"][0]["verdicts"]
    assert {(len(each["scores"]), len(each["nodes"])) for each in found} == {(9, len(found))}


def test_changes_that_are_long_are_named_and_to_be_had() -> None:
    node = {"verb": "create", "object": {"kind": "Node", "status": {"allocatable": {"cpu": "4" * 400}}}}
    document = {
        "pods": [{"remedies": [{"text": "add one", "changes": [node]}, {"text": "x", "changes": [{"verb": "delete"}]}]}]
    }
    found = json.loads(bounded(document, 12_000))
    assert found["leftOut"] == {"pods.0.remedies.0.changes": 1}
    assert found["pods"][0]["remedies"] == [{"text": "add one"}, {"text": "x", "changes": [{"verb": "delete"}]}]
    assert json.loads(part(document, "pods.0.remedies.0.changes", 0, 12_000))["items"] == [node]
