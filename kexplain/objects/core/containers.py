"""Containers: what they request, their ports and when they restart."""

import msgspec

from kexplain.objects.meta import Int32, Record, ResourceList


class ResourceClaimReference(Record, frozen=True):
    """A container's reference to an entry of `spec.resourceClaims`."""

    name: str | None = None
    request: str | None = None


class ResourceRequirements(Record, frozen=True):
    """What a container, or a whole pod, requests and is limited to."""

    requests: ResourceList | None = None
    limits: ResourceList | None = None
    claims: tuple[ResourceClaimReference, ...] | None = None


class ContainerPort(Record, frozen=True):
    """A port of a container; scheduling looks at host ports only."""

    name: str | None = None
    container_port: Int32 | None = None
    host_port: Int32 | None = None
    host_ip: str | None = msgspec.field(default=None, name="hostIP")
    protocol: str | None = None


class ContainerRestartRule(Record, frozen=True):
    """What is done when a container exits in a certain way."""

    action: str = ""


class Container(Record, frozen=True):
    """A container or init container."""

    name: str | None = None
    image: str | None = None
    resources: ResourceRequirements | None = None
    ports: tuple[ContainerPort, ...] | None = None
    restart_policy: str | None = None
    restart_policy_rules: tuple[ContainerRestartRule, ...] | None = None

    @property
    def restarts_always(self) -> bool:
        """Whether an init container is a sidecar, which runs as long as the pod does."""
        return self.restart_policy == "Always"
