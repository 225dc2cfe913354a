"""What controllers put into pods, and API servers into jobs, whatever templates say."""

from __future__ import annotations

import jsonpatch
import msgspec
import pytest
from msgspec.structs import replace

from kexplain.api import build_scheduler
from kexplain.case import PodToPlace
from kexplain.objects.apps import DaemonSet, StatefulSet
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.core import EphemeralVolume, Pod, Volume
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import ClaimMeta, PersistentVolumeClaim
from kexplain.remedies import pod_edits
from kexplain.remedies.controller_fields import as_made, template_of_claim, to_recreate, with_template_of
from kexplain.remedies.new_nodes import new_nodes
from kexplain.remedies.steps import Step, as_json, change, of_pod
from kexplain.remedies.trials import Trials, Tried
from tests.factories import (
    affinity,
    cluster,
    container,
    controlled_by,
    in_,
    node,
    node_affinity,
    node_term,
    pod,
    volume,
)

PINNED = pod(
    "agent-x",
    containers=[container("3", name="c")],
    uid="p1",
    owner=controlled_by("DaemonSet", "agent"),
    affinity=affinity(node=node_affinity(node_term(fields=[in_("metadata.name", "n1")]))),
)
GENERATED = {"controller-uid": "j1", "batch.kubernetes.io/controller-uid": "j1", "job-name": "etl"}
POD_SPEC = {"containers": [{"name": "c", "resources": {"requests": {"cpu": "3"}}}]}
JOB = {
    "metadata": {
        "name": "etl",
        "namespace": "default",
        "uid": "j1",
        "labels": GENERATED,
        "ownerReferences": [{"kind": "CronJob", "name": "nightly", "controller": True}],
    },
    "spec": {
        "selector": {"matchLabels": {"controller-uid": "j1"}},
        "template": {"metadata": {"labels": {**GENERATED, "app": "etl"}}, "spec": POD_SPEC},
    },
}
CRON_JOB = {
    "metadata": {"name": "nightly", "namespace": "default", "uid": "c1"},
    "spec": {"jobTemplate": {"spec": {"template": {"spec": POD_SPEC}}}},
}
OF_JOB = pod("etl-x", containers=[container("3", name="c")], uid="p2", owner=controlled_by("Job", "etl"))

OWNER = controlled_by("StatefulSet", "db")
SCRATCH = Volume(name="scratch", ephemeral=EphemeralVolume())
OF_SET = pod("db-0", owner=OWNER, volumes=[volume("data", claim="data-db-0"), SCRATCH, volume("web", claim="shared")])


def less(asking: Pod, *workloads: KubernetesObject) -> Tried:
    """The remedy of a CPU less."""
    scheduler = build_scheduler()
    there = cluster([node("n1", cpu="2")], [], *workloads)

    def edit(old: Pod) -> Pod:
        (container,) = old.spec.containers or ()
        resources = replace(container.resources, requests={"cpu": "2"}) if container.resources else None
        return replace(old, spec=replace(old.spec, containers=(replace(container, resources=resources),)))

    placed = PodToPlace(asking, remake=lambda made: made)  # type: ignore[arg-type,return-value]
    tried = Trials(scheduler.schedule(asking, there), scheduler, placed).attempt([of_pod(edit)])
    assert tried is not None
    return tried


def test_the_pod_of_a_daemon_set_stays_on_its_node() -> None:
    assert as_made(pod_edits.without_required_node_affinity(PINNED), PINNED).spec == PINNED.spec
    free = pod("agent-x", owner=controlled_by("DaemonSet", "agent"))
    assert as_made(free, free) is free


def test_no_new_node_is_for_the_pod_of_a_daemon_set() -> None:
    scheduler = build_scheduler()
    there = cluster([node("n1", cpu="2", labels={"eks.amazonaws.com/nodegroup": "general"})])
    anywhere = replace(PINNED, spec=replace(PINNED.spec, affinity=None))
    assert [each.pool for each in new_nodes(scheduler.schedule(anywhere, there), scheduler)] == ["general"]
    assert new_nodes(scheduler.schedule(PINNED, there), scheduler) == ()


def test_the_template_of_a_daemon_set_has_no_pin_to_drop() -> None:
    spec = {"template": {"spec": {"containers": [{"name": "c"}]}}}
    agent = msgspec.convert({"metadata": {"name": "agent", "namespace": "default"}, "spec": spec}, DaemonSet)
    scheduler = build_scheduler()
    decision = scheduler.schedule(PINNED, cluster([node("n1", cpu="2"), node("n2")], [], agent))
    trials = Trials(decision, scheduler)
    assert trials.attempt([of_pod(pod_edits.without_required_node_affinity)]) is None
    assert trials.node_after([of_pod(pod_edits.without_required_node_affinity)], "n2") is None


@pytest.mark.parametrize(
    ("names", "left"),
    [
        pytest.param(["data"], ["data", "scratch"], id="a-claim-of-a-template-is-mounted-again"),
        pytest.param(["scratch"], ["data"], id="other-claims-can-be-done-without"),
    ],
)
def test_claims_of_templates_stay_with_the_pods_of_a_stateful_set(names: list[str], left: list[str]) -> None:
    volumes = [volume("data", claim="data-db-0"), volume("scratch", claim="shared")]
    made = pod("db-0", owner=controlled_by("StatefulSet", "db"), volumes=volumes)
    changed = as_made(pod_edits.with_empty_volumes(names)(made), made)
    assert [each.name for each in changed.spec.volumes or () if each.persistent_volume_claim] == left


def test_a_job_is_created_again_without_what_its_server_generated() -> None:
    tried = less(OF_JOB, msgspec.convert({**JOB, "metadata": {**JOB["metadata"], "ownerReferences": None}}, Job))  # type: ignore[dict-item]
    (found,) = tried.changes
    assert found.recreate
    after = jsonpatch.apply_patch(JOB, found.operations or [])
    assert "labels" not in after["metadata"]
    assert after["spec"]["template"]["metadata"]["labels"] == {"app": "etl"}
    assert "selector" not in after["spec"]
    changed, replaced = tried.commands
    assert changed.startswith("kubectl get job etl --namespace=default -o yaml | kubectl patch --local -f - ")
    assert changed.endswith(" > etl-new.yaml")
    assert replaced.endswith("kubectl create --dry-run=server -f - && kubectl replace --force -f etl-new.yaml")


def test_a_selector_that_people_wrote_stays() -> None:
    manual = msgspec.convert({**JOB, "spec": {**JOB["spec"], "manualSelector": True}}, Job)  # type: ignore[dict-item]
    assert as_json(to_recreate(manual)) == as_json(manual)


def test_a_cron_job_is_changed_with_the_job_that_it_has_made() -> None:
    tried = less(OF_JOB, msgspec.convert(JOB, Job), msgspec.convert(CRON_JOB, CronJob))
    assert [(each.target.kind, each.recreate) for each in tried.changes] == [("CronJob", False), ("Job", True)]
    assert tried.commands[0].startswith("kubectl patch cronjob nightly ")
    assert len(tried.commands) == 3


@pytest.mark.parametrize(
    ("claim", "asking", "expected"),
    [
        pytest.param("data-db-0", OF_SET, "data", id="of-a-stateful-set"),
        pytest.param("db-0-scratch", OF_SET, "scratch", id="of-an-ephemeral-volume"),
        pytest.param("shared", OF_SET, "", id="of-nobody"),
        pytest.param("data-db-0", pod("db-0", volumes=[volume("data", claim="data-db-0")]), "", id="only-named-alike"),
        pytest.param("data-db-0", pod("db-0", uid="1", owner=OWNER, volumes=OF_SET.spec.volumes or ()), "data",
                     id="of-a-pod-that-is-there"),
    ],
)  # fmt: skip
def test_a_claim_that_a_controller_makes_has_a_template(claim: str, asking: Pod, expected: str) -> None:
    found = PersistentVolumeClaim(metadata=ClaimMeta(name=claim, namespace="default"))
    assert template_of_claim(found, asking) == expected
    stored = PersistentVolumeClaim(metadata=ClaimMeta(name=claim, namespace="default", uid="1"))
    assert template_of_claim(stored, asking) == (expected if asking.metadata.uid else "")


def test_what_is_done_to_such_a_claim_is_done_to_its_template() -> None:
    wrong = {"metadata": {"name": "data"}, "spec": {"storageClassName": "gp3x"}}
    ephemeral = {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {"spec": {"storageClassName": "gp3x"}}}}
    spec = {"containers": [{"name": "c"}], "volumes": [ephemeral]}
    db = msgspec.convert(
        {"metadata": {"name": "db"}, "spec": {"volumeClaimTemplates": [wrong], "template": {"spec": spec}}}, StatefulSet
    )

    def edit(old: PersistentVolumeClaim) -> PersistentVolumeClaim:
        return replace(old, spec=replace(old.spec, storage_class_name="gp3"))

    step = Step(PersistentVolumeClaim, "default", "data-db-0", edit)
    of_data, of_scratch = (change(db, with_template_of(db, step, name)) for name in ("data", "scratch"))
    assert of_data is not None
    assert of_scratch is not None
    assert [(each["path"], each["value"]) for each in (*(of_data.patch or ()), *(of_scratch.patch or ()))] == [
        ("/spec/volumeClaimTemplates/0/spec/storageClassName", "gp3"),
        ("/spec/template/spec/volumes/0/ephemeral/volumeClaimTemplate/spec/storageClassName", "gp3"),
    ]
