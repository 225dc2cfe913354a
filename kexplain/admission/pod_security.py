"""Admission plugin PodSecurity: what the standard that a namespace enforces forbids its pods, and what it asks of them.

Source: pod-security-admission `policy` (the checks of the standards, each in its newest form that the namespace's
version has), release 1.36. Not read are the annotations that stood for profiles once, and the hosts that probes name.
"""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from kexplain.objects.core import Container, Namespace, Pod, PodSpec, SecurityContext
from kexplain.objects.problem import Path, Problem
from kexplain.tables import table

_LABEL = "pod-security.kubernetes.io/enforce"
_BASELINE, _RESTRICTED = "baseline", "restricted"
_BIND = "NET_BIND_SERVICE"
_DEFAULT_CAPABILITIES = frozenset(
    f"AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD {_BIND} SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split()
)
#: Later than every release.
_NEVER = 10**6
_SAFE_PROFILES = ("RuntimeDefault", "Localhost")


class _Table(Struct, frozen=True):
    """The minor version since which a type of SELinux, or a sysctl, is harmless; volumes that only baseline allows.

    These are called by the names of their fields.
    """

    selinux_types: dict[str, int]
    sysctls: dict[str, int]
    other_volumes: dict[str, str]


_TABLE = table("pod-security", _Table)


def security_problems(pod: Pod, namespace: Namespace | None, latest: int) -> Iterator[Problem]:
    """What the standard of the namespace holds against a pod; nothing where none is enforced.

    `latest` is the minor version of the API server, which knows none that is newer.
    """
    labels = namespace.labels if namespace is not None else {}
    level = labels.get(_LABEL, "")
    if level not in (_BASELINE, _RESTRICTED):
        return
    standard = _Standard(pod.spec, _minor(labels.get(f"{_LABEL}-version", ""), latest), level == _RESTRICTED)
    name = f"the Pod Security standard {level} of namespace {pod.namespace}"
    yield from (replace(each, message=f"{each.message}, which {name} forbids") for each in _forbidden(standard))
    if standard.is_restricted:
        yield from (replace(each, message=f"{each.message}, which {name} asks for") for each in _missing(standard))


def _minor(version: str, latest: int) -> int:
    """The minor version of one such as `v1.30`; the latest where it says so or says nothing, or a later one."""
    number = version.removeprefix("v1.")
    return min(int(number), latest) if number.isdecimal() and len(number) < len("1000") else latest


class _Standard(Struct, frozen=True):
    """A pod, and what it is held to."""

    spec: PodSpec
    minor: int
    is_restricted: bool

    @property
    def is_of_windows(self) -> bool:
        """Whether the pod says that it runs on Windows, which knows none of what is asked for."""
        return self.minor >= 25 and self.spec.os is not None and self.spec.os.name == "windows"

    @property
    def has_users_of_its_own(self) -> bool:
        """Whether root in the pod is nobody outside."""
        return self.minor >= 35 and self.spec.host_users is False

    @property
    def capabilities(self) -> frozenset[str]:
        """Those that may be added."""
        only_bind = self.is_restricted and self.minor >= 22 and not self.is_of_windows
        return frozenset({_BIND}) if only_bind else _DEFAULT_CAPABILITIES

    @property
    def containers(self) -> Iterator[tuple[Path, Container]]:
        """Each container, and where it stands."""
        for field, containers in (("initContainers", self.spec.init_containers), ("containers", self.spec.containers)):
            for index, container in enumerate(containers or ()):
                yield ("spec", field, index), container

    @property
    def contexts(self) -> Iterator[tuple[Path, SecurityContext]]:
        """The context of the pod, and those of containers."""
        whole: tuple[Path, SecurityContext | None] = (("spec",), self.spec.security_context)
        for path, context in (whole, *((path, each.security_context) for path, each in self.containers)):
            if context is not None:
                yield (*path, "securityContext"), context


# ----------------------------------------------------------------------------------------------- what is forbidden


def _forbidden(standard: _Standard) -> Iterator[Problem]:
    spec = standard.spec
    for field, is_on in (("hostNetwork", spec.host_network), ("hostPID", spec.host_pid), ("hostIPC", spec.host_ipc)):
        if is_on:
            yield Problem(("spec", field), "is true", would_do=False)
    for path, container in standard.containers:
        for index, port in enumerate(container.ports or ()):
            if port.host_port:
                yield Problem((*path, "ports", index, "hostPort"), f"is {port.host_port}")
    for index, volume in enumerate(spec.volumes or ()):
        if volume.host_path is not None:
            yield Problem(("spec", "volumes", index, "hostPath"), "is a path of the node")
        for name, field in _TABLE.other_volumes.items() if standard.is_restricted else ():
            if getattr(volume, name) is not None:
                yield Problem(("spec", "volumes", index, field), "is a volume of a kind")
    for path, context in standard.contexts:
        yield from (each.below(*path) for each in _forbidden_in(context, standard))


def _forbidden_in(context: SecurityContext, standard: _Standard) -> Iterator[Problem]:
    if context.privileged:
        yield Problem(("privileged",), "is true", would_do=False)
    if context.windows_options and context.windows_options.host_process:
        yield Problem(("windowsOptions", "hostProcess"), "is true", would_do=False)
    if context.proc_mount not in (None, "Default") and (standard.is_restricted or not standard.has_users_of_its_own):
        yield Problem(("procMount",), f"is {context.proc_mount}", would_do="Default")
    for index, name in enumerate((context.capabilities.add if context.capabilities else None) or ()):
        if name not in standard.capabilities:
            yield Problem(("capabilities", "add", index), f"is {name}")
    for index, sysctl in enumerate(context.sysctls or ()):
        if standard.minor < _TABLE.sysctls.get(sysctl.name, _NEVER):
            yield Problem(("sysctls", index, "name"), f"is {sysctl.name}")
    profiles = (("seccompProfile", context.seccomp_profile), ("appArmorProfile", context.app_armor_profile))
    for field, profile in profiles:
        if profile is not None and profile.type not in _SAFE_PROFILES:
            yield Problem((field, "type"), f"is {profile.type}", would_do=_SAFE_PROFILES[0])
    yield from _forbidden_labels(context, standard)
    if standard.is_restricted and not standard.has_users_of_its_own:
        if context.run_as_non_root is False:
            yield Problem(("runAsNonRoot",), "is false", would_do=True)
        if context.run_as_user == 0 and standard.minor >= 23:
            yield Problem(("runAsUser",), "is 0, the root,")


def _forbidden_labels(context: SecurityContext, standard: _Standard) -> Iterator[Problem]:
    """Labels of SELinux that take a container out of its confinement."""
    options = context.se_linux_options
    if options is None:
        return
    for field, value in (("user", options.user), ("role", options.role)):
        if value:
            yield Problem(("seLinuxOptions", field), f"is {value}")
    if standard.minor < _TABLE.selinux_types.get(options.type or "", _NEVER):
        yield Problem(("seLinuxOptions", "type"), f"is {options.type}")


# ---------------------------------------------------------------------------------------------- what is asked for


def _missing(standard: _Standard) -> Iterator[Problem]:
    whole = standard.spec.security_context or SecurityContext()
    for path, container in standard.containers:
        context = container.security_context or SecurityContext()
        yield from (each.below(*path, "securityContext") for each in _missing_in(context, whole, standard))


def _missing_in(context: SecurityContext, whole: SecurityContext, standard: _Standard) -> Iterator[Problem]:
    """What a container lacks that the pod as a whole does not have for it."""
    if not standard.is_of_windows:
        if context.allow_privilege_escalation is not False:
            yield Problem(("allowPrivilegeEscalation",), "must be false", would_do=False)
        dropped = (context.capabilities.drop if context.capabilities else None) or ()
        if "ALL" not in dropped and standard.minor >= 22:
            yield Problem(("capabilities", "drop"), "must have ALL", would_do=("ALL",))
        if context.seccomp_profile is None and whole.seccomp_profile is None and standard.minor >= 19:
            said = "must be RuntimeDefault or Localhost, here or for the whole pod"
            yield Problem(("seccompProfile", "type"), said, would_do=_SAFE_PROFILES[0])
    if context.run_as_non_root is None and whole.run_as_non_root is None and not standard.has_users_of_its_own:
        yield Problem(("runAsNonRoot",), "must be true, here or for the whole pod", would_do=True)
