"""A change is written for what makes a pod, and has it made anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.case import PodToPlace
from kexplain.objects.apps import DaemonSet, Deployment, ReplicaSet, StatefulSet
from kexplain.objects.core import Pod
from kexplain.objects.meta import KubernetesObject
from kexplain.remedies import pod_edits
from kexplain.remedies.makers import makers
from kexplain.remedies.records import Rank, Remedy
from kexplain.remedies.steps import of_pod
from kexplain.remedies.trials import Trials
from tests.factories import cluster, container, controlled_by, node, pod

TEMPLATE = {
    "spec": {"containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}], "nodeSelector": {"a": "b"}}
}


def workload(kind: type[KubernetesObject], name: str, owner: str = "", **spec: Any) -> KubernetesObject:
    above, _, of = owner.partition("/")
    owners = [{"apiVersion": "apps/v1", "kind": above, "name": of, "controller": True}] if owner else []
    metadata = {"name": name, "namespace": "default", "uid": name, "ownerReferences": owners}
    return msgspec.convert({"metadata": metadata, "spec": {"template": TEMPLATE, **spec}}, kind)


def asking(name: str, owner: str) -> Pod:
    kind, _, of = owner.partition("/")
    api_version = "argoproj.io/v1alpha1" if kind == "Rollout" else "apps/v1"
    return pod(
        name,
        containers=[container("1", name="c")],
        uid=name,
        owner=controlled_by(kind, of, api_version=api_version),
        labels={"pod-template-hash": "1"},
        node_selector={"a": "b"},
    )


def remedy(wanting: Pod, *workloads: KubernetesObject, pending: Sequence[Pod] = ()) -> tuple[Remedy, list[str]]:
    """Without the selector, and what is noted of it."""
    scheduler = build_scheduler()
    decision = scheduler.schedule(wanting, cluster([node("n1")], [], *workloads))
    placed = PodToPlace(wanting, remake=lambda made: made)  # type: ignore[arg-type,return-value]
    trials = Trials(decision, scheduler, placed, pending=pending)
    tried = trials.attempt([of_pod(pod_edits.without_node_selector(["a"]))])
    assert tried is not None
    found = tried.remedy("relax", "relax it", Rank.LOOSENS)
    return found, [*trials.notes_on([found])]


@pytest.mark.parametrize(
    ("owner", "workloads", "changed", "note"),
    [
        pytest.param(
            "ReplicaSet/web-1",
            [workload(Deployment, "web"), workload(ReplicaSet, "web-1", "Deployment/web")],
            "Deployment web",
            False,
            id="deployment",
        ),
        pytest.param(
            "ReplicaSet/web-1",
            [workload(ReplicaSet, "web-1", "Deployment/web")],
            "Deployment web",
            True,
            id="half-read",
        ),
        pytest.param("ReplicaSet/web-1", [], "Deployment web", True, id="unread"),
        pytest.param("DaemonSet/agent", [], "DaemonSet agent", True, id="daemon-set"),
    ],
)
def test_the_owner_is_what_is_changed(
    owner: str, workloads: Sequence[KubernetesObject], changed: str, note: bool
) -> None:
    found, notes = remedy(asking("web-1-x", owner), *workloads)
    (only,) = found.changes
    assert f"{only.target.kind} {only.target.name}" == changed
    (line,) = found.commands
    assert line.startswith(f"kubectl patch {changed.lower()} --namespace=default --type json")
    assert [each.startswith(f"{changed} was not read") for each in notes] == [True] * note


def test_what_a_controller_has_made_stands_in_a_cluster_whatever_was_left_out_of_it() -> None:
    """A dump that was written by hand has no identities."""
    made = asking("web-1-x", "ReplicaSet/web-1")
    nameless = replace(made, metadata=replace(made.metadata, uid=None))
    found, _ = remedy(nameless, workload(Deployment, "web"), workload(ReplicaSet, "web-1", "Deployment/web"))
    assert [(each.target.kind, each.target.name, each.in_manifest) for each in found.changes] == [
        ("Deployment", "web", False)
    ]


@pytest.mark.parametrize(
    ("owner", "workloads", "where"),
    [
        pytest.param("Rollout/web", [], "Rollout web", id="unknown-kind"),
        pytest.param("ReplicaSet/web-1", [workload(ReplicaSet, "web-1", "Rollout/web")], "Rollout web", id="above"),
    ],
)
def test_what_would_be_undone_has_no_command(owner: str, workloads: Sequence[KubernetesObject], where: str) -> None:
    found, _ = remedy(asking("web-1-x", owner), *workloads)
    assert (found.text, found.commands) == (f"relax it in {where}, which makes the pod", ())
    assert found.changes


@pytest.mark.parametrize(
    ("owner", "above", "gone", "text"),
    [
        pytest.param("ReplicaSet/web-1", workload(ReplicaSet, "web-1"), ["x-0", "x-1"], "", id="replica-set"),
        pytest.param("StatefulSet/db", workload(StatefulSet, "db"), ["x-0", "x-1"], "", id="stateful-set"),
        pytest.param(
            "StatefulSet/db",
            workload(StatefulSet, "db", updateStrategy={"type": "RollingUpdate", "rollingUpdate": {"partition": 5}}),
            ["x-0", "x-1"],
            "; lower the partition of StatefulSet db to 0",
            id="partition",
        ),
        pytest.param("DaemonSet/agent", workload(DaemonSet, "agent"), [], "", id="daemon-set"),
        pytest.param(
            "DaemonSet/agent",
            workload(DaemonSet, "agent", updateStrategy={"type": "OnDelete"}),
            ["x-0", "x-1"],
            "",
            id="on-delete",
        ),
        pytest.param(
            "ReplicaSet/web-1",
            workload(Deployment, "web", paused=True),
            [],
            "; resume Deployment web, which is paused",
            id="paused",
        ),
    ],
)
def test_pods_that_would_stay_as_they_are_go(owner: str, above: KubernetesObject, gone: list[str], text: str) -> None:
    first = asking("x-0", owner)
    of_deployment = [workload(ReplicaSet, "web-1", "Deployment/web")] if isinstance(above, Deployment) else []
    found, _ = remedy(first, above, *of_deployment, pending=[asking("x-1", owner)])
    assert [each.target.name for each in found.changes if each.verb == "delete"] == gone
    assert [line.split()[3] for line in found.commands if "delete" in line] == gone
    assert found.text == f"relax it{text}"
    if text:
        assert any("/spec/paused" in str(each.patch) or "partition" in str(each.patch) for each in found.changes)


def test_a_manifest_is_changed_itself() -> None:
    new = pod("web", cpu="1")
    assert makers(new, new, cluster([])).targets == (new,)
