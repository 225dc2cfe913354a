"""A workload that was not read is known by what it made, without what admission and controllers have added."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.admission.workloads import template_of
from kexplain.case.stand_ins import made_again, maker_of
from kexplain.objects.core import Pod, PodTemplateSpec, Volume
from kexplain.objects.meta import OwnerReference
from tests.factories import affinity, controlled_by, in_, node_affinity, node_term, pod, toleration, volume

LOST = replace(
    toleration("node.kubernetes.io/not-ready", operator="Exists", effect="NoExecute"), toleration_seconds=300
)
PINNED = affinity(node=node_affinity(node_term(fields=[in_("metadata.name", "n1")])))
TOKEN = Volume(name="kube-api-access-x7k2p")


@pytest.mark.parametrize(
    ("owner", "labels", "made"),
    [
        (controlled_by("ReplicaSet", "web-5c9d"), {"pod-template-hash": "5c9d"}, ("Deployment", "web")),
        (controlled_by("ReplicaSet", "web-5c9d"), {}, ("ReplicaSet", "web-5c9d")),
        (controlled_by("ReplicaSet", "web-5c9d"), {"rollouts-pod-template-hash": "5c9d"}, ("ReplicaSet", "web-5c9d")),
        (controlled_by("StatefulSet", "db"), {}, ("StatefulSet", "db")),
        (controlled_by("DaemonSet", "agent"), {}, ("DaemonSet", "agent")),
        (controlled_by("Job", "etl", api_version="batch/v1"), {}, ("Job", "etl")),
        (controlled_by("Job", "etl-29380020", api_version="batch/v1"), {}, ("Job", "etl-29380020")),
        (controlled_by("ReplicationController", "old", api_version="v1"), {}, ("ReplicationController", "old")),
        (controlled_by("Job", "etl", api_version="batch.volcano.sh/v1alpha1"), {}, None),
        (controlled_by("CloneSet", "web", api_version="apps.kruise.io/v1alpha1"), {}, None),
        (controlled_by("Node", "n1", api_version="v1"), {}, None),
    ],
)
def test_what_makes_a_pod_is_known_by_its_name(
    owner: OwnerReference, labels: dict[str, str], made: tuple[str, str] | None
) -> None:
    found = maker_of(pod("x", owner=owner, labels=labels, cpu="3"))
    assert (found and (type(found).__name__, found.name)) == made
    template = template_of(found) if found else None
    assert found is None or (template and template.spec == pod("x", cpu="3").spec)


def test_what_was_added_to_a_pod_stands_in_no_template() -> None:
    own = toleration("gpu")
    asking = pod("db-0", cpu="1", owner=controlled_by("StatefulSet", "db"), tolerations=[own, LOST])
    given = (volume("data", claim="data-db-0"), TOKEN, volume("web", claim="shared"))
    asking = replace(asking, spec=replace(asking.spec, volumes=given, priority=7, service_account_name="default"))
    found = maker_of(asking)
    assert found
    template = template_of(found) or PodTemplateSpec()
    spec = template.spec
    assert spec.tolerations == (own,)
    assert [each.name for each in spec.volumes or ()] == ["web"]
    assert (spec.priority, spec.service_account_name) == (None, None)
    daemon = maker_of(pod("x", owner=controlled_by("DaemonSet", "agent"), affinity=PINNED))
    assert daemon
    of_daemon = (template_of(daemon) or template).spec.affinity
    assert not (of_daemon and of_daemon.node_affinity)


@pytest.mark.parametrize("node", ["", "n1"])
def test_a_pod_has_what_its_template_has_and_keeps_what_it_was_given(node: str) -> None:
    asking = pod("db-0", cpu="1", owner=controlled_by("StatefulSet", "db"), tolerations=[LOST], uid="u", node=node)
    asking = replace(asking, spec=replace(asking.spec, volumes=(volume("data", claim="data-db-0"), TOKEN)))
    before = maker_of(asking)
    assert before

    def changed(pod: Pod) -> Pod:
        return replace(pod, spec=replace(pod.spec, tolerations=(toleration("gpu"),), volumes=(volume("tmp"),)))

    after = maker_of(changed(asking))
    assert after
    made = made_again(asking, before, after)
    assert made.spec.tolerations == (toleration("gpu"), LOST)
    assert [each.name for each in made.spec.volumes or ()] == ["data", "kube-api-access-x7k2p", "tmp"]
    assert (made.metadata.uid, made.spec.node_name or "") == (("u", "n1") if node else (None, ""))
