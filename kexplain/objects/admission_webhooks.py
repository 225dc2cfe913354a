"""Webhooks that an API server asks before it takes an object. Source: `admissionregistration/v1`."""

from typing import ClassVar

from kexplain.objects.meta import KubernetesObject, LabelSelector, Record
from kexplain.patterns import regex

#: The Service in what an API server says of a webhook that did not answer.
SERVICE_HOST = regex(r"https?://(?P<name>[a-z0-9-]+)\.(?P<namespace>[a-z0-9-]+)(\.svc\b|[:/])")

#: The webhook in what an API server says of one that it could not call, which is only told where the
#: failurePolicy is Fail, or that refused. Source: apiserver `webhook.ErrCallingWebhook`.
NAMED_WEBHOOK = regex(r'(?P<call>failed calling )?(?:admission )?webhook "(?P<name>[^"]+)"')


class ServiceReference(Record, frozen=True):
    """The Service that answers a webhook."""

    namespace: str | None = None
    name: str | None = None


class WebhookClientConfig(Record, frozen=True):
    """Where a webhook is asked; without a service, by its address."""

    service: ServiceReference | None = None
    ca_bundle: str | None = None


class RuleWithOperations(Record, frozen=True):
    """What a webhook is asked about."""

    operations: tuple[str, ...] | None = None
    api_groups: tuple[str, ...] | None = None
    api_versions: tuple[str, ...] | None = None
    resources: tuple[str, ...] | None = None
    scope: str | None = None

    @property
    def is_about_new_pods(self) -> bool:
        """Whether it is asked when a pod is to be created."""
        wanted = ((self.operations, "CREATE"), (self.api_groups, ""), (self.api_versions, "v1"))
        is_asked = all(value in (given or ()) or "*" in (given or ()) for given, value in wanted)
        return is_asked and self.scope != "Cluster" and not {"pods", "*", "*/*"}.isdisjoint(self.resources or ())


class MatchCondition(Record, frozen=True):
    """An expression that narrows down what a webhook is asked about."""

    name: str | None = None


class Webhook(Record, frozen=True):
    """A webhook; what it is about."""

    name: str | None = None
    client_config: WebhookClientConfig = WebhookClientConfig()
    failure_policy: str | None = None
    rules: tuple[RuleWithOperations, ...] | None = None
    namespace_selector: LabelSelector | None = None
    object_selector: LabelSelector | None = None
    match_conditions: tuple[MatchCondition, ...] | None = None

    @property
    def is_about_new_pods(self) -> bool:
        """Whether it may be asked when a pod is to be created."""
        return any(rule.is_about_new_pods for rule in self.rules or ())

    @property
    def is_needed_for_pods(self) -> bool:
        """Whether pods are only let in if it answers, as far as can be told without its expressions."""
        return self.is_about_new_pods and self.failure_policy != "Ignore" and not self.match_conditions


class WebhookConfiguration(KubernetesObject, frozen=True):
    """Webhooks that are asked together."""

    is_of_queues: ClassVar[bool] = True

    webhooks: tuple[Webhook, ...] | None = None


class ValidatingWebhookConfiguration(WebhookConfiguration, frozen=True, tag_field="kind", tag=True):
    """Webhooks that may refuse objects."""


class MutatingWebhookConfiguration(WebhookConfiguration, frozen=True, tag_field="kind", tag=True):
    """Webhooks that may change objects, or refuse them."""


#: In the order in which an API server asks them.
WEBHOOK_KINDS = (MutatingWebhookConfiguration, ValidatingWebhookConfiguration)
