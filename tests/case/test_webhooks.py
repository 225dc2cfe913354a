"""Webhooks that nobody answers let no pods in, until pods of their Service run."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from kexplain.case.webhooks import SilentWebhooks
from kexplain.cluster import Cluster
from kexplain.objects.admission_webhooks import (
    MatchCondition,
    MutatingWebhookConfiguration,
    RuleWithOperations,
    ServiceReference,
    ValidatingWebhookConfiguration,
    Webhook,
    WebhookClientConfig,
)
from kexplain.objects.core import Pod
from kexplain.objects.meta import Condition, KubernetesObject, ObjectMeta
from tests.factories import cluster, namespace, node, pod, selector, service

GUARD = {"app": "guard"}
PODS = RuleWithOperations(operations=("CREATE",), api_groups=("",), api_versions=("v1",), resources=("pods",))
ASKED = WebhookClientConfig(service=ServiceReference(namespace="guard", name="guard"))


def hook(**more: Any) -> Webhook:
    """A webhook that Service guard/guard answers, and that is asked about new pods."""
    return Webhook(**{"name": "pods.guard.io", "client_config": ASKED, "rules": (PODS,), **more})


def guard(*, node_name: str | None = "n1", ready: str = "True", **more: Any) -> Pod:
    """A pod behind the Service."""
    made = pod("guard-0", namespace="guard", labels=GUARD, node=node_name, **more)
    return replace(made, status=replace(made.status, conditions=(Condition(type="Ready", status=ready),)))


def around(webhook: Webhook, *pods: Pod, is_mutating: bool = False, has_service: bool = True) -> Cluster:
    """A cluster with the webhook, and these pods behind it."""
    kind = MutatingWebhookConfiguration if is_mutating else ValidatingWebhookConfiguration
    objects: list[KubernetesObject] = [
        kind(metadata=ObjectMeta(name="guard"), webhooks=(webhook,)),
        namespace("shop", {"team": "a"}),
    ]
    objects += [service("guard", GUARD, "guard")] if has_service else []
    return cluster([node("n1"), node("n2")], pods, *objects)


def refused(there: Cluster, asking: Pod | None = None) -> str:
    """Why a pod of namespace shop is not let in; empty if it is."""
    return SilentWebhooks(there).refusal(asking or pod(namespace="shop"), there)


@pytest.mark.parametrize("is_mutating", [False, True])
def test_a_webhook_that_nobody_answers_lets_nothing_in(*, is_mutating: bool) -> None:
    said = 'webhook "pods.guard.io" does not answer, as no pod of Service guard/guard is ready'
    assert said in refused(around(hook(), is_mutating=is_mutating))
    assert said in refused(around(hook(), guard(ready="False"), is_mutating=is_mutating))


def test_a_pod_that_goes_does_not_answer() -> None:
    assert refused(around(hook(), guard())) == ""
    assert refused(around(hook(), guard(deleting=True))) != ""


@pytest.mark.parametrize(
    ("webhook", "lets_in"),
    [
        pytest.param(hook(failure_policy="Fail"), False, id="fails"),
        pytest.param(hook(failure_policy="Ignore"), True, id="is-ignored"),
        pytest.param(hook(match_conditions=(MatchCondition(name="c"),)), True, id="an-expression-says-for-whom"),
        pytest.param(hook(client_config=WebhookClientConfig()), True, id="elsewhere"),
        pytest.param(hook(rules=()), True, id="about-nothing"),
        pytest.param(hook(namespace_selector=selector({"team": "a"})), False, id="of-these-namespaces"),
        pytest.param(hook(namespace_selector=selector({"team": "b"})), True, id="of-other-namespaces"),
        pytest.param(
            hook(namespace_selector=selector(None, ("kubernetes.io/metadata.name", "NotIn", ["shop"]))), True,
            id="not-of-this-namespace",
        ),
        pytest.param(
            hook(namespace_selector=selector(None, ("team", "Is", ["a"]))), True, id="a-selector-that-is-none",
        ),
        pytest.param(hook(object_selector=selector({"app": "web"})), True, id="of-other-pods"),
        pytest.param(hook(object_selector=selector(None, ("app", "DoesNotExist", []))), False, id="of-such-pods"),
    ],
)  # fmt: skip
def test_who_has_to_get_past_it(webhook: Webhook, lets_in: bool) -> None:
    assert (refused(around(webhook)) == "") is lets_in


@pytest.mark.parametrize(
    ("changed", "is_about"),
    [
        pytest.param({}, True, id="pods"),
        pytest.param({"operations": ("*",)}, True, id="whatever-happens"),
        pytest.param({"operations": ("DELETE", "UPDATE")}, False, id="not-creation"),
        pytest.param({"resources": ("*",)}, True, id="all"),
        pytest.param({"resources": ("*/*",)}, True, id="all-with-subresources"),
        pytest.param({"resources": ("pods/*",)}, False, id="subresources"),
        pytest.param({"resources": ("deployments",)}, False, id="others"),
        pytest.param({"api_groups": ("apps",)}, False, id="another-group"),
        pytest.param({"api_groups": ("*",), "api_versions": ("*",)}, True, id="all-groups"),
        pytest.param({"api_versions": ("v2",)}, False, id="another-version"),
        pytest.param({"scope": "Cluster"}, False, id="what-has-no-namespace"),
        pytest.param({"scope": "Namespaced"}, True, id="what-has-a-namespace"),
        pytest.param({"api_groups": None}, False, id="of-no-group"),
    ],
)
def test_what_rules_are_about(changed: dict[str, Any], is_about: bool) -> None:
    assert replace(PODS, **changed).is_about_new_pods is is_about


def test_of_a_service_that_was_not_read_nothing_is_known() -> None:
    assert refused(around(hook(), has_service=False)) == ""


def test_once_a_pod_has_a_node_it_answers() -> None:
    there = around(hook())
    silent = SilentWebhooks(there)
    before = 'failed calling webhook "pods.guard.io": failed to call webhook: Post "https://guard.guard.svc:443/v": no'
    assert silent.refusal(pod(namespace="shop"), there)
    asking = pod(namespace="shop")
    assert not silent.is_over(before, asking, there)
    landed = there.assume(guard(node_name=None, ready="False"), "n2")
    assert not silent.refusal(pod(namespace="shop"), landed)
    assert silent.is_over(before, asking, landed)
    assert not silent.is_over("exceeded quota", asking, landed)


@pytest.mark.parametrize(
    ("said", "is_over"), [("failed calling webhook", True), ("admission webhook", False)], ids=["silent", "refuses"]
)
def test_of_one_that_was_not_read_what_was_said_names_its_service(said: str, is_over: bool) -> None:
    there = cluster([node("n1")], [], service("guard", GUARD, "guard"))
    refused = f'{said} "pods.guard.io": failed to call webhook: Post "https://guard.guard.svc:443/v": no endpoints'
    silent, asking = SilentWebhooks(there), pod(namespace="shop")
    assert not silent.is_over(refused, asking, there)
    assert silent.is_over(refused, asking, there.assume(guard(node_name=None, ready="False"), "n1")) is is_over
