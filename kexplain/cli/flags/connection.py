"""Reaching a live cluster, with the flags of kubectl."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from msgspec import Struct

from kexplain import __version__
from kexplain.cli.flags.declaring import Words, option, values_for
from kexplain.errors import UsageError

if TYPE_CHECKING:
    from kexplain.load.live.connection import Connection


class ConnectionFlags(Struct, frozen=True, kw_only=True):
    """Which live cluster is meant, and as whom it is read."""

    panel: ClassVar = "Reaching a live cluster"

    kubeconfig: Annotated[str, option()] = ""
    context: Annotated[str, option()] = ""
    cluster_name: Annotated[str, option()] = ""
    user: Annotated[str, option()] = ""
    server: Annotated[str, option("-s")] = ""
    token: Annotated[str, option()] = ""
    username: Annotated[str, option()] = ""
    password: Annotated[str, option()] = ""
    certificate_authority: Annotated[str, option()] = ""
    client_certificate: Annotated[str, option()] = ""
    client_key: Annotated[str, option()] = ""
    insecure_skip_tls_verify: Annotated[bool, option()] = False
    tls_server_name: Annotated[str, option()] = ""
    as_user: Annotated[str, option("--as")] = ""
    as_uid: Annotated[str, option()] = ""
    as_groups: Annotated[Words, option("--as-group")] = ()
    as_extra: Annotated[Words, option("--as-user-extra")] = ()
    request_timeout: Annotated[str, option()] = ""
    disable_compression: Annotated[bool, option()] = False
    cached_read: Annotated[bool, option()] = False

    def connection(self, environment: Mapping[str, str] = os.environ) -> "Connection | None":
        """The cluster that is meant, if anything says so: a flag, a kubeconfig file, or running in a pod.

        Raises UsageError on flags that mean nothing.
        """
        from kexplain.load.live.connection import Connection

        files = kubeconfig_files(self.kubeconfig, environment)
        timeout = parse_timeout(self.request_timeout)
        given = values_for(Connection, self) | {"kubeconfig": files, "request_timeout": timeout}
        connection = Connection(**given, in_cluster=is_in_cluster(environment), user_agent=f"kexplain/{__version__}")
        # Unlike Path.exists, this is False for what cannot be looked at.
        has_file = any(os.path.exists(path) for path in connection.kubeconfig)  # noqa: PTH110
        return connection if self != ConnectionFlags() or connection.in_cluster or has_file else None


def where_looked(environment: Mapping[str, str]) -> str:
    """Why there is no cluster to read where no flag names one: which files were looked for."""
    files = ", ".join(kubeconfig_files("", environment))
    if environment.get("KUBECONFIG"):
        return f"KUBECONFIG names {files}, which is not there" if files else "KUBECONFIG names no file"
    return f"there is no {files}, and KUBECONFIG is not set" if files else "neither KUBECONFIG nor HOME is set"


def kubeconfig_files(flag: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The kubeconfig files in the order in which they count. Source: client-go `ClientConfigLoadingRules`."""
    if flag:
        return (flag,)
    if listed := environment.get("KUBECONFIG"):
        return tuple(dict.fromkeys(path for path in listed.split(os.pathsep) if path not in ("", os.devnull)))
    home = environment.get("HOME")
    return (f"{home}/.kube/config",) if home else ()


def is_in_cluster(environment: Mapping[str, str]) -> bool:
    """Whether this runs in a pod of a cluster. Source: client-go `rest.InClusterConfig`."""
    return bool(environment.get("KUBERNETES_SERVICE_HOST") and environment.get("KUBERNETES_SERVICE_PORT"))


def parse_timeout(text: str) -> float | None:
    """Seconds, of a text such as `5`, `30s` or `1m30s`; None for no limit of one's own, which `0` means.

    Raises UsageError on anything else.
    """
    if not text:
        return None
    from kexplain.objects.go_duration import parse_duration

    seconds = float(text) if text.isdecimal() else parse_duration(text)
    if seconds is None or seconds < 0:
        raise UsageError(f'--request-timeout: "{text}" is not a duration such as 30s, 1m30s or 5')
    return seconds or None
