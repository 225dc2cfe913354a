"""Webhooks that nobody answers and that no pod gets past, until pods of their Service run.

Deviation: a webhook that is answered lets everything in, as does one whose Service is not read, or which expressions
narrow down. Whether pods serve is taken from their condition; one that gets a node serves at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.objects.admission_webhooks import (
    NAMED_WEBHOOK,
    SERVICE_HOST,
    WEBHOOK_KINDS,
    ServiceReference,
    Webhook,
    WebhookClientConfig,
)
from kexplain.objects.core import Pod, Service
from kexplain.objects.meta import LabelSelector
from kexplain.objects.selectors import EVERYTHING, NOTHING, Selector, SelectorError, selector_from, selector_from_labels

#: The label that every namespace has.
_NAME = "kubernetes.io/metadata.name"


class AskedWebhook(Struct, frozen=True):
    """A webhook, the Service in front of the pods that answer it, if that was read, and what it is asked about."""

    webhook: Webhook
    service: Service | None
    pods: Selector
    namespaces: Selector
    objects: Selector

    @classmethod
    def of(cls, webhook: Webhook, cluster: Cluster) -> AskedWebhook:
        """The webhook with the Service as it is in a cluster."""
        asked = webhook.client_config.service
        service = cluster.listers.get(Service, asked.name or "", asked.namespace or "") if asked else None
        pods = selector_from_labels(service.spec.selector) if service and service.spec.selector else NOTHING
        return cls(webhook, service, pods, _selector(webhook.namespace_selector), _selector(webhook.object_selector))

    def has_answer(self, cluster: Cluster) -> bool:
        """Whether a pod of the Service serves, or got a node only now."""
        there = cluster.placed_pods.matching(self.pods, (self.service.namespace,)) if self.service else ()
        pods = [info.pod for info, _ in there if info.pod.metadata.deletion_timestamp is None]
        return any(not pod.spec.node_name or pod.is_ready for pod in pods)

    def is_asked_about(self, pod: Pod, cluster: Cluster) -> bool:
        """Whether the pod has to get past it."""
        labels = {_NAME: pod.namespace, **cluster.listers.namespace_labels.get(pod.namespace, {})}
        return self.namespaces.matches(labels) and self.objects.matches(pod.labels)

    @property
    def refusal(self) -> str:
        """Why nothing gets past it."""
        service = self.service.key if self.service else ""
        return f'webhook "{self.webhook.name}" does not answer, as no pod of Service {service} is ready'


class SilentWebhooks:
    """Those of a cluster before anything moves, which may be another one than that `before` it was changed."""

    def __init__(self, cluster: Cluster, before: Cluster | None = None) -> None:
        self._before = before or cluster
        needed = (AskedWebhook.of(each, cluster) for each in _webhooks(cluster) if each.is_needed_for_pods)
        self._found = [each for each in needed if each.pods is not NOTHING and not each.has_answer(cluster)]

    def refusal(self, pod: Pod, cluster: Cluster) -> str:
        """Why a pod is not let in as things stand; empty if it is."""
        return next((each.refusal for each in self.asked_about(pod, cluster)), "")

    def asked_about(self, pod: Pod, cluster: Cluster) -> Iterator[AskedWebhook]:
        """Those that a pod does not get past as things stand."""
        return (each for each in self._found if each.is_asked_about(pod, cluster) and not each.has_answer(cluster))

    def is_over(self, refused: str, pod: Pod, cluster: Cluster) -> bool:
        """Whether a webhook that refused such pods, or was not answered, lets this one in by now.

        Of one that was not read, what was said of it names the Service that did not answer.
        """
        named, host = NAMED_WEBHOOK.search(refused), SERVICE_HOST.search(refused)
        if named is None:
            return False
        if all(each.name != named["name"] for each in _webhooks(self._before)):
            asks = WebhookClientConfig(service=ServiceReference(**host.groupdict())) if host and named["call"] else None
            return asks is not None and self._may_be_passed(
                AskedWebhook.of(Webhook(client_config=asks), cluster), cluster
            )
        alike = (AskedWebhook.of(each, cluster) for each in _webhooks(cluster) if each.name == named["name"])
        asked = [each for each in alike if each.webhook.is_about_new_pods and each.is_asked_about(pod, cluster)]
        # One that refuses does so whatever its failurePolicy is.
        return not asked or (bool(named["call"]) and all(self._may_be_passed(each, cluster) for each in asked))

    def _may_be_passed(self, asked: AskedWebhook, cluster: Cluster) -> bool:
        """Whether a webhook need not answer, or does by now."""
        was = AskedWebhook.of(asked.webhook, self._before)
        return asked.webhook.failure_policy == "Ignore" or (
            asked.has_answer(cluster) and not was.has_answer(self._before)
        )


def _webhooks(cluster: Cluster) -> Iterator[Webhook]:
    """Those that may change pods, which are asked first, and those that may refuse them."""
    every = (each for kind in WEBHOOK_KINDS for each in cluster.listers.every(kind))
    return (webhook for each in every for webhook in each.webhooks or ())


def _selector(given: LabelSelector | None) -> Selector:
    """What it selects: all if nothing is said, and nothing if it cannot be read."""
    with suppress(SelectorError):
        return EVERYTHING if given is None else selector_from(given)
    return NOTHING
