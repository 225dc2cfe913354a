"""Changes as anyone can apply them, and what an API server would say of them."""

from __future__ import annotations

import jsonpatch
import msgspec
import pytest
from msgspec.structs import replace

from kexplain.objects.core import Node, Pod, ReplicationController
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolumeClaim
from kexplain.remedies import pod_edits
from kexplain.remedies.commands import commands, to_manifest
from kexplain.remedies.steps import Step, as_json, change, edited, makes, target_of
from tests.factories import container, node, pod, replication_controller, spread, toleration

WEB = pod("web", cpu="2", node_selector={"disk": "ssd", "pool": "a"}, tolerations=[toleration("a"), toleration("b")])
TOLERANT = pod_edits.tolerating([toleration("gpu")])
WORKLOAD = msgspec.convert(
    {"metadata": {"name": "web"}, "spec": {"template": {"spec": {"containers": [{"name": "c"}]}}}},
    ReplicationController,
)


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(pod_edits.without_node_selector(["disk"]), id="a-key-less"),
        pytest.param(pod_edits.without_node_selector(["disk", "pool"]), id="a-field-less"),
        pytest.param(TOLERANT, id="an-item-more"),
        pytest.param(pod_edits.spreading_over("zone", {"app": "web"}), id="a-list-that-was-not-there"),
        pytest.param(lambda old: replace(old, spec=replace(old.spec, tolerations=None)), id="no-list"),
    ],
)
def test_a_patch_makes_the_one_of_the_other(edit: pod_edits.Edit) -> None:
    before, after = WEB, edit(WEB)
    found = change(before, after)
    assert found is not None
    assert jsonpatch.apply_patch(as_json(before), found.operations or []) == as_json(after)


def test_a_patch_touches_only_what_it_is_about() -> None:
    found = change(WEB, pod_edits.without_node_selector(["disk"])(WEB))
    assert found is not None
    assert found.patch == [{"op": "remove", "path": "/spec/nodeSelector/disk"}]


def test_what_is_alike_needs_no_change() -> None:
    assert change(WEB, WEB) is None
    assert change(None, None) is None


def test_objects_that_come_and_go_are_created_and_deleted() -> None:
    created, deleted = change(None, node("n9")), change(node("n9"), None)
    assert created is not None
    assert deleted is not None
    assert (created.verb, (created.object or {})["kind"]) == ("create", "Node")
    assert (deleted.verb, deleted.target.name, deleted.patch) == ("delete", "n9", None)


@pytest.mark.parametrize(
    ("edit", "is_stored", "recreate"),
    [
        pytest.param(TOLERANT, True, False, id="tolerations-can-be-added"),
        pytest.param(pod_edits.without_node_selector(["disk"]), True, True, id="selectors-cannot-change"),
        pytest.param(pod_edits.without_node_selector(["disk"]), False, False, id="a-manifest-may-change-as-it-likes"),
    ],
)
def test_what_an_api_server_refuses_of_a_pod_has_to_be_created_again(
    edit: pod_edits.Edit, is_stored: bool, recreate: bool
) -> None:
    found = change(WEB, edit(WEB), is_stored=is_stored)
    assert found is not None
    assert found.recreate is recreate
    lines = commands([found], {})
    assert any("replace --force" in line for line in lines) is recreate


def test_nothing_is_deleted_that_could_not_be_created_again() -> None:
    found = change(WEB, pod_edits.without_node_selector(["disk"])(WEB))
    assert found is not None
    read, replaced = commands([found], {})
    assert read.endswith(" > web-new.yaml")
    assert replaced.partition(" && ")[0].endswith("kubectl create --dry-run=server -f -")
    assert replaced.partition(" && ")[2] == "kubectl replace --force -f web-new.yaml"


def test_what_kubectl_can_create_is_created() -> None:
    claim, joined = change(None, PersistentVolumeClaim(metadata=ClaimMeta(name="data"))), change(None, node("n9"))
    assert claim is not None
    assert joined is not None
    (line,) = commands([claim], {})
    assert line.startswith("printf %s '{")
    assert line.endswith("}' | kubectl create -f -")
    assert commands([joined], {}) == ()


def test_a_manifest_that_no_diff_can_show_is_written_out() -> None:
    found = change(WEB, TOLERANT(WEB), is_stored=False)
    assert found is not None
    assert to_manifest(found, "my pod.yaml").startswith("kubectl patch --local -f 'my pod.yaml' --type json -p ")


def test_a_shorter_command_stands_in_for_a_patch() -> None:
    found = change(node("n1"), None)
    assert found is not None
    assert commands([found], {}) == ("kubectl delete node n1",)
    assert commands([found], {found.target: ["kubectl drain n1"]}) == ("kubectl drain n1",)


def test_a_workload_is_changed_by_its_template() -> None:
    found = change(WORKLOAD, edited(WORKLOAD, TOLERANT))
    assert found is not None
    assert [each["path"] for each in found.operations or ()] == ["/spec/template/spec/tolerations"]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["c"], True, id="its-containers"),
        pytest.param(["c", "injected"], True, id="and-one-that-was-injected"),
        pytest.param(["other"], False, id="others"),
    ],
)
def test_a_workload_makes_pods_with_the_containers_of_its_template(names: list[str], expected: bool) -> None:
    made = pod(containers=[container(name=name) for name in names])
    assert makes(WORKLOAD, made) is expected
    assert not makes(replication_controller("web", {"app": "web"}), made)


def test_who_an_api_server_had_in_hand_has_an_identity() -> None:
    obj: KubernetesObject = pod(uid="1")
    assert obj.is_stored
    assert target_of(obj).kind == "Pod"


def test_a_constraint_is_not_left_twice() -> None:
    hard, soft = spread("zone"), spread("zone", soft=True)
    asking = pod(spread=[hard, soft])
    softened = pod_edits.spreading("zone", lambda each: replace(each, when_unsatisfiable="ScheduleAnyway"))(asking)
    assert len(softened.spec.topology_spread_constraints or ()) == 1


def test_steps_say_what_they_are_about() -> None:
    step = Step(Node, "", "n1", command="kubectl uncordon n1")
    assert (step.follows, step.created, step.edit) == (False, None, None)
    assert Step(Pod, "ns", "p").command == ""
