from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.case.loading import Inputs
from kexplain.case.pods_to_place import check_namespace, nothing_to_place, pending, selected, to_place
from kexplain.errors import UsageError
from kexplain.load import Loaded
from kexplain.load.loaded import Nowhere, Segment
from kexplain.objects.core import Pod, PodStatus
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.pod_selection import PodSelection, parse_field_selector, parse_label_selector
from tests.factories import node, pod


def loaded(*objects: KubernetesObject) -> Loaded:
    read = Loaded()
    read.add(Segment("cluster.json", Nowhere(), list(objects)))
    return read


def finished(each: Pod) -> Pod:
    return replace(each, status=PodStatus(phase="Succeeded"))


WAITING, BOUND, DONE = pod("waiting"), pod("bound", node="n1"), finished(pod("done", node="n1"))


def test_pods_without_a_node_are_placed_and_others_are_part_of_the_cluster() -> None:
    assert to_place([WAITING, BOUND, DONE, node("n1")]) == [WAITING]


def test_a_bound_pod_is_placed_where_a_manifest_holds_nothing_else() -> None:
    assert to_place([BOUND, DONE]) == [BOUND]


def test_the_only_pod_of_a_file_is_meant_wherever_it_was_saved() -> None:
    saved = replace(BOUND, metadata=replace(BOUND.metadata, uid="u"))
    assert to_place([saved]) == [saved]
    assert to_place([saved, saved]) == []


def test_pending_pods_are_counted_among_those_that_are_meant() -> None:
    other = pod("other", namespace="shop")
    chosen, searched = pending([WAITING, BOUND, other, node("n1")], PodSelection(), "default")
    assert chosen == [WAITING, other]
    assert (searched.pods, searched.namespaces, searched.namespace) == (3, 2, "")
    chosen, searched = pending([WAITING, BOUND, other], PodSelection(namespace="shop"), "default")
    assert (chosen, searched.pods, searched.namespace) == ([other], 1, "shop")


def test_a_selection_by_node_means_running_pods() -> None:
    selection = PodSelection(fields=parse_field_selector("spec.nodeName=n1"))
    chosen, _ = pending([WAITING, BOUND], selection, "default")
    assert chosen == [BOUND]


def test_only_selectors_leave_out_what_was_chosen() -> None:
    labelled = pod("labelled", labels={"app": "web"})
    assert selected([WAITING, labelled], PodSelection(), "default") == [WAITING, labelled]
    assert selected([WAITING, labelled], PodSelection(labels=parse_label_selector("app=web")), "default") == [labelled]


def test_why_there_is_nothing_to_place() -> None:
    assert nothing_to_place(loaded(BOUND)).message == "nothing to place: the only pod is bound or finished"
    assert nothing_to_place(loaded(BOUND, DONE)).message == "nothing to place: all 2 pods are bound or finished"
    assert nothing_to_place(loaded(node("a"), node("b"))).message == "nothing to place: no pods, only 2 Node"
    assert nothing_to_place(Loaded()).message == "nothing to place: the input is empty"


def test_directories_in_a_dump_are_named_where_there_is_nothing_to_place(tmp_path: Path) -> None:
    (tmp_path / "nodes.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "pods.yaml").write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n")
    error = nothing_to_place(Inputs().load([str(tmp_path)]))
    assert error.hint == f"1 file in subdirectories of {tmp_path} not read; recursive reads them"


def test_pending_pods_come_in_the_order_in_which_they_were_created() -> None:
    late, early = (
        replace(each, metadata=replace(each.metadata, creation_timestamp=f"2026-01-01T00:0{minute}:00Z"))
        for each, minute in ((pod("a"), 2), (pod("b"), 1))
    )
    assert pending([late, early], PodSelection(), "default")[0] == [early, late]


def test_a_namespace_that_is_not_there() -> None:
    with pytest.raises(UsageError, match="nothing that was read is in namespace deflt") as raised:
        check_namespace("deflt", [pod("web"), pod("db", namespace="shop")])
    assert raised.value.hint == "did you mean default?"
    check_namespace("shop", [pod("web"), pod("db", namespace="shop")])
    check_namespace("anything", [node("n1")])


def test_nodes_in_the_place_of_pods_are_swapped() -> None:
    waiting = pod("web")
    assert "nodes stand where pods belong" in nothing_to_place(loaded(node("a")), [waiting]).message
    assert "only 1 Node" in nothing_to_place(loaded(node("a")), [BOUND]).message
    assert "the input is empty" in nothing_to_place(Loaded(), [waiting]).message
