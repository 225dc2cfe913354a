"""An update that finds no place beside the pods it is to replace goes on once it may take one away first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.api import Wanted, explain, load_case
from kexplain.objects.apps import DaemonSet, DaemonSetMeta
from kexplain.objects.core import Pod
from kexplain.remedies.records import Remedy
from kexplain.remedies.rolling_updates import earlier_revisions
from tests.factories import cluster, controlled_by
from tests.factories import node as node_of
from tests.factories import pod as pod_of
from tests.remedies.situations import (
    NO_SURGE,
    RECREATE,
    SITUATIONS,
    Json,
    apart,
    deployment,
    node,
    of_kind,
    one_in_the_way_of_the_next,
    pod,
    rolling,
    template,
)
from tests.remedies.test_scaled_down import helping

IN_PLACE = "set maxSurge: 0 and maxUnavailable: 1 on Deployment web, so that an old pod makes way first"


def texts(path: Path, items: Sequence[Json]) -> list[str]:
    return [each.text for each in helping(path / "cluster.json", items)]


@pytest.mark.parametrize("name", ["beside-apart-default", "beside-apart-surge", "beside-port-default"])
def test_what_only_old_pods_keep_out_takes_the_place_of_one(name: str, tmp_path: Path) -> None:
    first, *_ = helping(tmp_path / "cluster.json", SITUATIONS[name])
    assert (first.text, first.action, first.nodes[0]) == (IN_PLACE, "change-rollout", "n1")
    (change,) = first.changes
    assert (change.target.kind, change.target.name) == ("Deployment", "web")


def test_more_room_comes_before_fewer_pods(tmp_path: Path) -> None:
    found = texts(tmp_path, SITUATIONS["beside-full-default"])
    assert found[0].startswith("add one more node")
    assert IN_PLACE in found


def test_of_a_single_pod_the_price_is_told(tmp_path: Path) -> None:
    only = [each for each in one_in_the_way_of_the_next("port", ["n1"]) if each["metadata"]["name"] != "n2"]
    assert texts(tmp_path, only)[0] == f"{IN_PLACE}, although none serves meanwhile"


@pytest.mark.parametrize("strategy", [{"strategy": NO_SURGE}, RECREATE])
def test_an_update_that_takes_one_away_already_is_left_as_it_is(strategy: Json, tmp_path: Path) -> None:
    assert IN_PLACE not in texts(tmp_path, one_in_the_way_of_the_next("apart", ["n1", "n2"], **strategy))


def test_replicas_of_one_template_are_no_update(tmp_path: Path) -> None:
    (asking,) = (
        each["spec"]["template"] for each in SITUATIONS["beside-apart-default"][2:] if each["kind"] == "Deployment"
    )
    found = texts(tmp_path, [node("n1"), *deployment("web", asking, ["n1", ""])])
    assert found
    assert IN_PLACE not in found


def stuck(revision: str, **spec: Any) -> list[Json]:
    """A StatefulSet whose last pod asks for a label that no node has, which its template no longer does."""
    made, *pods = of_kind("StatefulSet", "db", template("1"), ["n1", "n1", ""], **spec)
    made["status"] = {"currentRevision": "old", "updateRevision": "new"}
    pods[-1]["spec"]["nodeSelector"] = {"disk": "ssd"}
    for each in pods:
        each["metadata"]["labels"]["controller-revision-hash"] = "old" if each is not pods[-1] else revision
    return [node("n1"), made, *pods]


def test_a_pod_of_an_earlier_template_is_made_anew(tmp_path: Path) -> None:
    (first,) = helping(tmp_path / "cluster.json", stuck("broken"))
    text = (
        "delete shop/db-2, which was made from an earlier template, "
        "so that StatefulSet db makes it from the current one"
    )
    assert (first.action, first.text, first.nodes) == ("make-anew", text, ("n1",))
    assert first.commands == ("kubectl delete pod db-2 --namespace=shop",)


@pytest.mark.parametrize(
    ("revision", "spec"),
    [
        pytest.param("new", {}, id="of-the-newest"),
        pytest.param("broken", {"podManagementPolicy": "Parallel"}, id="replaced-by-itself"),
    ],
)
def test_a_pod_that_would_come_back_the_same_is_left_alone(revision: str, spec: Json, tmp_path: Path) -> None:
    found = helping(tmp_path / "cluster.json", stuck(revision, **spec))
    assert "make-anew" not in {each.action for each in found}


@pytest.mark.parametrize(("partition", "lowers"), [(3, True), (2, False)])
def test_a_partition_is_lowered_for_a_template_that_is_mended(partition: int, lowers: bool, tmp_path: Path) -> None:
    kept = {"updateStrategy": {"rollingUpdate": {"partition": partition}}}
    (first,) = helping(tmp_path / "cluster.json", stuck("broken", **kept))
    assert first.text.startswith("lower the partition of StatefulSet db to 2 and delete shop/db-2") == lowers
    assert [each.verb for each in first.changes] == [*(["patch"] if lowers else []), "delete"]


@pytest.mark.parametrize("paused", [True, False])
def test_a_paused_deployment_whose_template_is_mended_is_resumed(paused: bool, tmp_path: Path) -> None:
    asking = template("1", nodeSelector={"disk": "ssd"})
    first, replica_set, *pods = deployment("web", asking, [""])
    first["spec"] = {**first["spec"], "template": template("1"), "paused": paused}
    helps = helping(tmp_path / "cluster.json", [node("n1"), first, replica_set, *pods])
    assert (helps[0].text == "resume Deployment web, which is paused, so that it makes new pods") == paused
    assert not paused or [each.patch for each in helps[0].changes] == [[{"op": "remove", "path": "/spec/paused"}]]


def test_what_is_wrong_with_the_new_template_is_mended_as_an_old_pod_goes(tmp_path: Path) -> None:
    before, asking = (template(cpu, affinity=apart("web")) for cpu in ("500m", "5"))
    first, *_ = helping(tmp_path / "cluster.json", rolling(before, asking, ["n1", "n2"]))
    assert (first.action, first.nodes[0]) == ("combine", "n1")
    assert first.text == f"together: {IN_PLACE}; request 500m cpu again, as its earlier pods do"


def noted(items: Sequence[Json]) -> list[Json]:
    """The same with the revisions that a deployment notes on its replica sets, by the first names first."""
    made = sorted(
        (each for each in items if each["kind"] == "ReplicaSet"), key=lambda each: str(each["metadata"]["name"])
    )
    for number, each in enumerate(made, 3):
        each["metadata"].setdefault("annotations", {})["deployment.kubernetes.io/revision"] = str(number)
    return [*items]


@pytest.mark.parametrize(
    ("asking", "fields"),
    [
        pytest.param(template("1", nodeSelector={"pool": "gone"}), "nodeSelector", id="selector"),
        pytest.param(template("6"), "containers", id="requests"),
        pytest.param(template("6", nodeSelector={"pool": "gone"}), "nodeSelector and containers", id="both"),
    ],
)  # fmt: skip
def test_an_earlier_revision_that_fits_comes_back(asking: Json, fields: str, tmp_path: Path) -> None:
    found = helping(tmp_path / "cluster.json", noted(rolling(template("1"), asking, ["n1", "n2"])))
    undone = next(each for each in found if each.text.startswith("roll back"))
    assert undone.text == f"roll back to revision 3 (kubectl rollout undo), which differs in {fields}"
    assert undone.commands == ("kubectl rollout undo deployment web -n shop --to-revision=3",)
    assert (undone.rank, undone.tried) == (1, True)
    assert [each.target.name for each in undone.changes] == ["web"]


@pytest.mark.parametrize(
    ("before", "asking"),
    [
        pytest.param(template("1", nodeSelector={"a": "b"}), template("1", nodeSelector={"c": "d"}), id="fits-nowhere"),
        pytest.param(template("6"), template("6"), id="is-no-other"),
    ],
)
def test_a_revision_that_would_not_fit_either_stays_away(before: Json, asking: Json, tmp_path: Path) -> None:
    found = texts(tmp_path, noted(rolling(before, asking, ["n1", "n2"])))
    assert not any(each.startswith("roll back") for each in found)


def two_of_three() -> list[Json]:
    """Two of three pods have a node, which leaves 1.4, 1 and 0.9 CPU free."""
    fillers = [*deployment("f1", template("3"), ["n1"]), *deployment("f2", template("1"), ["n2"])]
    fillers += deployment("f3", template("1500m"), ["n3"])
    return [*map(node, ("n1", "n2", "n3")), *fillers, *deployment("web", template("1600m"), ["n2", "n3", ""])]


STALLS = "though the rollout then stalls at 1 of 3 new (maxSurge 1, maxUnavailable 0)"


def test_a_smaller_request_is_followed_to_where_the_rollout_ends(tmp_path: Path) -> None:
    found = texts(tmp_path, two_of_three())
    assert f"request at most 1.4 cpu (now 1.6), {STALLS}" in found
    assert "request at most 1 cpu (now 1.6)" in found
    assert found.index("request at most 1 cpu (now 1.6)") > 1


def test_so_is_what_helps_the_next_pod_of_a_manifest(tmp_path: Path) -> None:
    """Of the template that runs, one pod less at a time helps nobody: as many are pending then."""
    found = [each.text for each in applied(tmp_path, two_of_three(), "1600m")]
    assert IN_PLACE not in found
    assert f"request at most 1.4 cpu (now 1.6), {STALLS}" in found
    assert "request at most 1 cpu (now 1.6)" in found


def applied(path: Path, items: Sequence[Json], cpu: str) -> Sequence[Remedy]:
    """What helps the next pod of a manifest of web, last resorts included."""
    asking, _, *_ = deployment("web", template(cpu), ["", "", ""])
    del asking["metadata"]["uid"], asking["metadata"]["creationTimestamp"]
    (path / "web.json").write_text(json.dumps(asking))
    (path / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": list(items)}))
    case = load_case([str(path / "web.json")], [str(path / "cluster.json")], Wanted(own_pods=True))
    return explain(case, last_resorts=True).pods[0].remedies


def test_one_request_is_sought_where_room_is_kept_for_the_pod_that_waits(tmp_path: Path) -> None:
    leaving: Json = {"deletionTimestamp": "2026-11-01T11:00:00Z", "deletionGracePeriodSeconds": 30}
    others = [*deployment("f1", template("3200m", priority=9), ["n1"]), pod("job", template("2700m"), "n2", **leaving)]
    items = [node("n1"), node("n2"), *others, *deployment("web", template("1500m", priority=9), [""])]
    items[-1]["status"]["nominatedNodeName"] = "n2"
    by_scheduler = {"type": "DisruptionTarget", "status": "True", "reason": "PreemptionByScheduler"}
    next(each for each in others if each["metadata"]["name"] == "job")["status"]["conditions"].append(by_scheduler)
    # The new pod is tried beside the old one, for which n2 is kept.
    found = texts(tmp_path, items)
    assert [each for each in found if "request" in each] == ["request at most 800m cpu (now 1.5)"]


def adding(path: Path, items: Sequence[Json]) -> tuple[str, int | None, int | None]:
    found = next(each for each in helping(path / "cluster.json", items) if each.action == "add-node")
    return found.text, found.serves, found.pending


def test_as_many_nodes_as_a_set_makes_pods_one_after_the_other(tmp_path: Path) -> None:
    items = [node("n1", "1"), *of_kind("StatefulSet", "db", template("1"), ["n1", ""], replicas=3)]
    assert adding(tmp_path, items) == ("add 2 more nodes like n1", 2, 2)


def test_how_far_a_rollout_gets_on_nodes_that_come_back(tmp_path: Path) -> None:
    """Its last pod fits there, and the one before it, which makes way then, no more."""
    made, *pods = json.loads(json.dumps([*of_kind("StatefulSet", "db", template("2"), ["n1", "n1", ""])]))
    made["status"] = {"currentRevision": "old", "updateRevision": "new"}
    for each in pods:
        each["metadata"]["labels"]["controller-revision-hash"] = "new" if each is pods[-1] else "old"
        each["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "2" if each is pods[-1] else "1"
    cordoned = node("n2", "2")
    cordoned["spec"] = {"unschedulable": True}
    found = texts(tmp_path, [node("n1", "2"), cordoned, made, *pods])
    assert "uncordon n2, once the reason for the cordon is known, though the rollout then stalls at 1 of 3 new" in found


def test_the_last_of_several_earlier_revisions_comes_back() -> None:
    def of(revision: str, second: int, cpu: str, on: str) -> Pod:
        labels = {"controller-revision-hash": revision}
        made = pod_of(f"agent-{revision}", cpu=cpu, node=on, owner=controlled_by("DaemonSet", "agent"), labels=labels)
        return replace(made, metadata=replace(made.metadata, creation_timestamp=f"2026-01-01T10:00:0{second}Z"))

    agent = DaemonSet(metadata=DaemonSetMeta(name="agent", namespace="default"))
    first, second, newest = of("a", 1, "1", "n1"), of("b", 2, "2", "n2"), of("c", 3, "9", "")
    there = cluster([node_of(name) for name in ("n1", "n2", "n3")], [first, second], newest, agent)
    (earlier,) = earlier_revisions(newest, there)
    assert earlier.then.containers == second.spec.containers
