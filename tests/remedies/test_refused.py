"""What is to be done about pods that are refused: what is told apart of a refusal, and what was let in before."""

from __future__ import annotations

import pytest

from kexplain.case.records import ControllerMessage, OwnPods
from kexplain.diagnosis.never_created import refusal
from kexplain.objects.apps import Deployment, ReplicaSet, ReplicaSetAnnotations, ReplicaSetMeta, WorkloadSpec
from kexplain.objects.core import PodTemplateSpec
from kexplain.objects.core.pods import TemplateMeta
from kexplain.objects.meta import ObjectMeta, OwnerReference
from kexplain.remedies.refused import as_asked
from tests.factories import pod

WEBHOOK = 'Error creating: admission webhook "policy.example" denied the request: every pod has a label owner'
UNUSABLE = 'provider "anyuid": Forbidden: not usable by user or serviceaccount'
RANGE = "provider restricted-v2: .containers[0].runAsUser: Invalid value: 0: must be in the ranges: [1000, 2000]"


def replica_set(revision: int, **labels: str) -> ReplicaSet:
    annotations = ReplicaSetAnnotations(revision=f"{revision}")
    template = PodTemplateSpec(metadata=TemplateMeta(labels=labels))
    metadata = ReplicaSetMeta(name=f"web-{revision}", uid=f"uid-{revision}", annotations=annotations)
    return ReplicaSet(metadata=metadata, spec=WorkloadSpec(template=template))


def helps(text: str, *sets: ReplicaSet, serving: int = 0) -> list[str]:
    """What is proposed to a Deployment with these replica sets, of which one has a pod."""
    owner = OwnerReference(kind="ReplicaSet", name=f"web-{serving}", uid=f"uid-{serving}", controller=True)
    there = pod("web-a", owner=owner)
    said = (ControllerMessage("ReplicaSet web-2", text),)
    controllers = (Deployment(metadata=ObjectMeta(name="web", namespace="shop")), *sets)
    own = OwnPods("Deployment", "shop", "web", (there,), 2, 1, controllers, said)
    return [each.text for each in as_asked(own, refusal(text))]


def test_what_is_in_no_namespace_is_shown_without_one() -> None:
    call = 'Internal error occurred: failed calling webhook "b.acme.io": Post "https://h.a.svc:443": refused'
    (first, *_) = helps(call)
    assert first.startswith("kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations; look")
    (other, *_) = helps('error looking up service account shop/api: serviceaccount "api" not found')
    assert other.startswith("kubectl get serviceaccounts -n shop; ")


LABELLED, BARE = replica_set(1, app="web", owner="shop"), replica_set(2, app="web")
ASKED = "change the pod, or what makes it, as the webhook asks"
BACK = "roll back to revision 1 (kubectl rollout undo), whose pods run"
AGAIN = "give the template of Deployment web the label owner=shop again, as in revision 1, whose pods run"


@pytest.mark.parametrize(
    ("sets", "serving", "says"),
    [
        pytest.param((LABELLED, BARE), 1, [AGAIN, BACK, ASKED], id="the label that is gone"),
        pytest.param((BARE, LABELLED), 1, [AGAIN, BACK, ASKED], id="in any order"),
        pytest.param((LABELLED, replica_set(2, app="web", owner="x")), 1, [BACK, ASKED], id="another value"),
        pytest.param((replica_set(1, app="web", team="a"), BARE), 1, [BACK, ASKED], id="a label that nobody names"),
        pytest.param((LABELLED, BARE), 2, [ASKED], id="whose pods are refused"),
        pytest.param((BARE,), 1, [ASKED], id="no other"),
        pytest.param((), 1, [ASKED], id="none"),
    ],
)
def test_what_was_let_in_before(sets: tuple[ReplicaSet, ...], serving: int, says: list[str]) -> None:
    assert helps(WEBHOOK, *sets, serving=serving) == says


@pytest.mark.parametrize(
    ("faults", "says"),
    [
        pytest.param(f"{UNUSABLE}, {RANGE}", RANGE, id="the first"),
        pytest.param(f"{RANGE}, {UNUSABLE}, {UNUSABLE}", RANGE, id="the last ones"),
        pytest.param(UNUSABLE, UNUSABLE, id="nothing else"),
    ],
)
def test_of_constraints_those_count_that_may_be_used(faults: str, says: str) -> None:
    text = f'pods "web" is forbidden: unable to validate against any security context constraint: [{faults}]'
    assert (refusal(text).names or {})["faults"] == says
    (help_,) = helps(text)
    assert help_.startswith("let service account default use a SecurityContextConstraint that allows this")
