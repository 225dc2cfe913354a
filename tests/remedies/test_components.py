"""What would mend who looks after what keeps a pod from running, word for word."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kexplain.diagnosis.caretakers import Caretaker, Subject
from kexplain.diagnosis.components import Component, State
from kexplain.diagnosis.culprits import Care
from kexplain.diagnosis.records import ObjectReference
from kexplain.objects.admission_webhooks import (
    MutatingWebhookConfiguration,
    RuleWithOperations,
    ServiceReference,
    ValidatingWebhookConfiguration,
    Webhook,
    WebhookClientConfig,
)
from kexplain.objects.apps import DaemonSet, DaemonSetMeta, DaemonSetSpec
from kexplain.objects.core import PodSpec, PodTemplateSpec
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.remedies.components import letting_in, mending
from kexplain.remedies.records import Remedy
from tests.factories import cluster, selector, service, toleration
from tests.said import differences, of_remedy_list

WHO = Caretaker("^acme", "the agent", "the agent of Acme")
DAEMON_SET = ObjectReference(kind="DaemonSet", name="acme-agent", namespace="a")
DEPLOYMENT = ObjectReference(kind="Deployment", name="acme-agent", namespace="a")
TAINT = "agent.acme.io/not-ready"


def mended(component: Component | None, *others: KubernetesObject) -> list[Remedy]:
    care = Care(Subject.TAINT, TAINT, WHO, "clears that taint", component)
    return [*mending(care, cluster([], [], *others))]


def daemon_set(*, tolerant: bool = False, namespace: str = "a", templated: bool = True) -> DaemonSet:
    spec = PodSpec(tolerations=(toleration("other", operator="Exists"),) if tolerant else None)
    return DaemonSet(
        metadata=DaemonSetMeta(name="acme-agent", namespace=namespace),
        spec=DaemonSetSpec(template=PodTemplateSpec(spec=spec) if templated else None),
    )


def _situations() -> Iterator[tuple[str, list[Remedy]]]:
    def of(
        state: State, workload: ObjectReference = DAEMON_SET, *others: KubernetesObject, **more: Any
    ) -> list[Remedy]:
        return mended(Component(workload, state, **{"pod": "agent-1", "node": "n1", **more}), *others)

    yield "nothing of its names is there", mended(None)
    for reason in ("ErrImagePull", "ImagePullBackOff", "InvalidImageName", "CrashLoopBackOff"):
        yield f"its container waits as {reason}", of(State.FAILING, reason=reason)
    yield "its pod is pending", of(State.PENDING)
    for name, others in {
        "that was not read": (),
        "of another namespace": (daemon_set(namespace="b"),),
        "that tolerates nothing": (daemon_set(),),
        "that tolerates another taint": (daemon_set(tolerant=True),),
        "without a template": (daemon_set(templated=False),),
    }.items():
        yield (
            f"its pod does not tolerate the taint, of a DaemonSet {name}",
            of(State.PENDING, DAEMON_SET, *others, taint=TAINT),
        )
    yield (
        "its pod does not tolerate the taint, of a Deployment",
        of(State.PENDING, DEPLOYMENT, daemon_set(), taint=TAINT),
    )
    yield "it is scaled down", of(State.SCALED_DOWN, DEPLOYMENT, pod="", node="")
    yield "it has no pod there", of(State.NOT_THERE, pod="")
    yield "a label keeps it away", of(State.NOT_THERE, pod="", lacks=("agent=true",))
    yield "two labels keep it away", of(State.NOT_THERE, pod="", lacks=("agent=true", "disk=ssd"))
    yield "an expression keeps it away", of(State.NOT_THERE, pod="", lacks=("agent=true", "disk in (ssd, nvme)"))
    yield "it is killed for its memory", of(State.FAILING, reason="OOMKilled")
    yield "it runs", of(State.RUNS)
    yield "it runs on several nodes", of(State.RUNS, node="")
    yield "it is not ready", of(State.NOT_READY)
    yield "it has no pods", of(State.NOT_CREATED, DEPLOYMENT, pod="", node="")


def test_what_mends_a_component(request: pytest.FixtureRequest) -> None:
    said = {name: [*of_remedy_list(found)] for name, found in _situations()}
    rewrite = request.config.getoption("--rewrite-golden")
    assert differences(Path(__file__).with_name("said_of_components.txt"), said, rewrite=rewrite) == {}


@pytest.mark.parametrize(
    ("tolerant", "path", "value"),
    [
        (False, "/spec/template/spec/tolerations", [{"key": TAINT, "operator": "Exists"}]),
        (True, "/spec/template/spec/tolerations/-", {"key": TAINT, "operator": "Exists"}),
    ],
)
def test_a_taint_is_tolerated_beside_others(tolerant: bool, path: str, value: object) -> None:
    pending = Component(DAEMON_SET, State.PENDING, pod="agent-1", node="n1", taint=TAINT)
    (remedy,) = mended(pending, daemon_set(tolerant=tolerant))
    (change,) = remedy.changes
    assert change.operations == [{"op": "add", "path": path, "value": value}]
    assert (change.target.api_version, change.target.kind) == ("apps/v1", "DaemonSet")
    assert (change.target.namespace, change.target.name) == ("a", "acme-agent")


NOT_CALLED = 'Internal error occurred: failed calling webhook "b.acme.io": Post "https://h.a.svc:443": refused'
IGNORING = "in an emergency, set failurePolicy: Ignore for webhook b.acme.io{}, and Fail again once it answers: what it"


@pytest.mark.parametrize("name", ["acme", ""])
def test_a_webhook_that_nobody_answers_may_be_done_without_in_an_emergency(name: str) -> None:
    webhooks = (Webhook(name="a.acme.io"), Webhook(name="b.acme.io"))
    read = [ValidatingWebhookConfiguration(metadata=ObjectMeta(name=name), webhooks=webhooks)] if name else []
    (found,) = letting_in(NOT_CALLED, "shop", cluster([], [], *read))
    where = f" in ValidatingWebhookConfiguration {name}" if name else ""
    assert found.text == f"{IGNORING.format(where)} would refuse or change goes past it until then"
    patch = """'[{"op": "add", "path": "/webhooks/1/failurePolicy", "value": "Ignore"}]'"""
    line = f"kubectl patch validatingwebhookconfiguration acme --type json -p {patch}"
    assert (found.rank, found.commands) == (5, (line,) if name else ())
    assert [each.target.api_version for each in found.changes] == ["admissionregistration.k8s.io/v1"] * bool(name)


@pytest.mark.parametrize("name", ["acme", ""])
def test_webhooks_whose_service_is_gone_may_go(name: str) -> None:
    read = [ValidatingWebhookConfiguration(metadata=ObjectMeta(name=name), webhooks=(Webhook(name="b.acme.io"),))]
    message = NOT_CALLED.replace("refused", 'service "h" not found')
    found = [*letting_in(message, "shop", cluster([], [], *(read if name else [])))]
    left = "delete ValidatingWebhookConfiguration acme, if what answered them has been removed, or install it again"
    assert [each.text for each in found[:-1]] == ([left] if name else [])
    assert [(each.target.name, each.verb) for each in found[0].changes] == ([("acme", "delete")] if name else [])
    assert found[-1].text.startswith("in an emergency")


def test_all_webhooks_of_a_service_that_does_not_answer_are_done_without_together() -> None:
    here, elsewhere = ServiceReference(namespace="a", name="h"), ServiceReference(namespace="a", name="other")
    rule = RuleWithOperations(operations=("CREATE",), api_groups=("",), api_versions=("v1",), resources=("pods",))

    def webhook(name: str, service: ServiceReference, policy: str = "Fail") -> Webhook:
        config = WebhookClientConfig(service=service)
        return Webhook(name=name, client_config=config, failure_policy=policy, rules=(rule,))

    validating = ValidatingWebhookConfiguration(
        metadata=ObjectMeta(name="checks"),
        webhooks=(webhook("a.acme.io", elsewhere), webhook("c.acme.io", here), webhook("d.acme.io", here, "Ignore")),
    )
    mutating = MutatingWebhookConfiguration(metadata=ObjectMeta(name="changes"), webhooks=(webhook("b.acme.io", here),))
    (found,) = letting_in(NOT_CALLED, "shop", cluster([], [], validating, mutating))
    assert found.text.startswith(
        "in an emergency, set failurePolicy: Ignore for webhooks b.acme.io in MutatingWebhookConfiguration changes "
        "and c.acme.io in ValidatingWebhookConfiguration checks, and Fail again once they answer"
    )
    assert [each.split()[2:4] for each in found.commands] == [
        ["mutatingwebhookconfiguration", "changes"],
        ["validatingwebhookconfiguration", "checks"],
    ]
    assert "/webhooks/1/failurePolicy" in found.commands[1]


def test_whatever_else_nobody_answers_is_done_without_as_well() -> None:
    rule = RuleWithOperations(operations=("CREATE",), api_groups=("",), api_versions=("v1",), resources=("pods",))
    services = [service(name, {"app": name}, "a") for name in ("h", "other")]
    hooks = [
        Webhook(
            name=name,
            client_config=WebhookClientConfig(service=ServiceReference(namespace="a", name=of)),
            rules=(rule,),
            namespace_selector=selector(within),
        )
        for name, of, within in (
            ("b.acme.io", "h", {}),
            ("c.acme.io", "other", {}),
            ("d.acme.io", "other", {"team": "x"}),
            ("e.acme.io", "other", {}),
        )
    ]
    read = ValidatingWebhookConfiguration(metadata=ObjectMeta(name="checks"), webhooks=tuple(hooks))
    (found,) = letting_in(NOT_CALLED, "shop", cluster([], [], read, *services))
    assert [operation["path"] for each in found.changes for operation in each.operations] == [
        "/webhooks/0/failurePolicy",
        "/webhooks/1/failurePolicy",
        "/webhooks/3/failurePolicy",
    ]


def test_one_that_has_answered_is_not() -> None:
    assert [*letting_in('admission webhook "b.acme.io" denied the request: no', "shop", cluster([]))] == []
