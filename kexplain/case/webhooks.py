"""Webhooks that nobody answers and that no pod gets past, until pods of their Service run.

Deviation: a webhook that is answered lets everything in, as does one whose Service is not read, or which expressions
narrow down. Whether pods serve is taken from their condition; one that gets a node serves at once.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from kexplain.cluster import Cluster
from kexplain.objects.admission_webhooks import (
    SERVICE_HOST,
    MutatingWebhookConfiguration,
    ValidatingWebhookConfiguration,
    Webhook,
)
from kexplain.objects.core import Pod, Service
from kexplain.objects.meta import LabelSelector
from kexplain.objects.selectors import EVERYTHING, NOTHING, Selector, SelectorError, selector_from, selector_from_labels

#: The label that every namespace has.
_NAME = "kubernetes.io/metadata.name"


class SilentWebhook(Struct, frozen=True):
    """A webhook that no pod answers, by the Service in front of these."""

    webhook: Webhook
    service: Service
    pods: Selector
    namespaces: Selector
    objects: Selector

    def has_answer(self, cluster: Cluster) -> bool:
        """Whether a pod of the Service runs that did not before."""
        there = cluster.placed_pods.matching(self.pods, (self.service.namespace,))
        return any(not info.pod.spec.node_name or _serves(info.pod) for info, _ in there)

    def is_asked_about(self, pod: Pod, cluster: Cluster) -> bool:
        """Whether the pod has to get past it."""
        labels = {_NAME: pod.namespace, **cluster.listers.namespace_labels.get(pod.namespace, {})}
        return self.namespaces.matches(labels) and self.objects.matches(pod.labels)

    @property
    def refusal(self) -> str:
        """Why nothing gets past it."""
        return f'webhook "{self.webhook.name}" does not answer, as no pod of Service {self.service.key} is ready'


class SilentWebhooks:
    """Those of a cluster before anything moves."""

    def __init__(self, cluster: Cluster) -> None:
        self._found = [*_silent(cluster)]

    def refusal(self, pod: Pod, cluster: Cluster) -> str:
        """Why a pod is not let in as things stand; empty if it is."""
        for each in self._found:
            if each.is_asked_about(pod, cluster) and not each.has_answer(cluster):
                return each.refusal
        return ""

    def is_over(self, refused: str, cluster: Cluster) -> bool:
        """Whether something was refused for want of an answer that there is by now."""
        found = SERVICE_HOST.search(refused) if self._found else None
        key = f"{found['namespace']}/{found['name']}" if found else ""
        return any(each.service.key == key and each.has_answer(cluster) for each in self._found)


def _silent(cluster: Cluster) -> Iterator[SilentWebhook]:
    for webhook in _webhooks(cluster):
        asked = webhook.client_config.service if webhook.is_needed_for_pods else None
        service = cluster.listers.get(Service, asked.name or "", asked.namespace or "") if asked else None
        if service is None or not service.spec.selector:
            continue
        pods, namespaces = selector_from_labels(service.spec.selector), _selector(webhook.namespace_selector)
        found = SilentWebhook(webhook, service, pods, namespaces, _selector(webhook.object_selector))
        if not found.has_answer(cluster):
            yield found


def _webhooks(cluster: Cluster) -> Iterator[Webhook]:
    """Those that may change pods, which are asked first, and those that may refuse them."""
    for mutating in cluster.listers.every(MutatingWebhookConfiguration):
        yield from mutating.webhooks or ()
    for validating in cluster.listers.every(ValidatingWebhookConfiguration):
        yield from validating.webhooks or ()


def _selector(given: LabelSelector | None) -> Selector:
    """What it selects: all if nothing is said, and nothing if it cannot be read."""
    try:
        return EVERYTHING if given is None else selector_from(given)
    except SelectorError:
        return NOTHING


def _serves(pod: Pod) -> bool:
    return pod.is_ready and pod.metadata.deletion_timestamp is None
