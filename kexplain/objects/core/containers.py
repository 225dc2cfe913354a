"""Containers: what they request, their ports, when they restart, how they stand, and what Pod Security looks at."""

import msgspec

from kexplain.objects.meta import Int32, Int64, Record, ResourceList


class ResourceClaimReference(Record, frozen=True):
    """A container's reference to an entry of `spec.resourceClaims`."""

    name: str | None = None
    request: str | None = None


class ResourceRequirements(Record, frozen=True):
    """What a container, or a whole pod, requests and is limited to."""

    requests: ResourceList | None = None
    limits: ResourceList | None = None
    claims: tuple[ResourceClaimReference, ...] | None = None


class WithResources:
    """What has resources: a container, a whole pod, or a claim of a volume."""

    __slots__ = ()
    resources: ResourceRequirements | None

    @property
    def requests(self) -> ResourceList:
        """What it requests."""
        return (self.resources.requests if self.resources else None) or {}

    @property
    def limits(self) -> ResourceList:
        """What it is limited to."""
        return (self.resources.limits if self.resources else None) or {}


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


class Capabilities(Record, frozen=True):
    """What a container may do beyond the default set, and what it gives up."""

    add: tuple[str, ...] | None = None
    drop: tuple[str, ...] | None = None


class SecurityProfile(Record, frozen=True):
    """A profile of seccomp or AppArmor."""

    type: str = ""


class SELinuxOptions(Record, frozen=True):
    """Labels of SELinux."""

    user: str | None = None
    role: str | None = None
    type: str | None = None
    level: str | None = None


class WindowsOptions(Record, frozen=True):
    """What only Windows knows."""

    host_process: bool | None = None


class Sysctl(Record, frozen=True):
    """A parameter of the kernel."""

    name: str = ""


class SecurityContext(Record, frozen=True):
    """What a container, or all of a pod, may do; neither has all of these fields."""

    privileged: bool | None = None
    allow_privilege_escalation: bool | None = None
    capabilities: Capabilities | None = None
    run_as_non_root: bool | None = None
    run_as_user: Int64 | None = None
    seccomp_profile: SecurityProfile | None = None
    app_armor_profile: SecurityProfile | None = None
    se_linux_options: SELinuxOptions | None = None
    se_linux_change_policy: str | None = None
    windows_options: WindowsOptions | None = None
    proc_mount: str | None = None
    sysctls: tuple[Sysctl, ...] | None = None


class Container(WithResources, Record, frozen=True):
    """A container or init container."""

    name: str | None = None
    image: str | None = None
    resources: ResourceRequirements | None = None
    ports: tuple[ContainerPort, ...] | None = None
    restart_policy: str | None = None
    restart_policy_rules: tuple[ContainerRestartRule, ...] | None = None
    security_context: SecurityContext | None = None

    @property
    def restarts_always(self) -> bool:
        """Whether an init container is a sidecar, which runs as long as the pod does."""
        return self.restart_policy == "Always"


class ContainerStateWaiting(Record, frozen=True):
    """Why a container does not run yet."""

    reason: str | None = None
    message: str | None = None


class ContainerStateTerminated(Record, frozen=True):
    """How a container has ended."""

    exit_code: Int32 | None = None
    reason: str | None = None
    message: str | None = None


class ContainerState(Record, frozen=True):
    """What a container does, or did; that it runs is not read."""

    waiting: ContainerStateWaiting | None = None
    terminated: ContainerStateTerminated | None = None


class ContainerStatus(Record, frozen=True):
    """Why a container waits, and what a running one was given: that differs from its spec during a resize in place."""

    name: str = ""
    state: ContainerState | None = None
    last_state: ContainerState | None = None
    allocated_resources: ResourceList | None = None
    resources: ResourceRequirements | None = None
