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

    kubeconfig: Annotated[
        str,
        option(
            metavar="FILE",
            daily=True,
            help="The kubeconfig file of the cluster to read. A live cluster is read if no file describes one. Default "
            "is KUBECONFIG, then ~/.kube/config, then the service account of the pod that runs this.",
        ),
    ] = ""
    context: Annotated[str, option(metavar="NAME", daily=True, help="The kubeconfig context to use.")] = ""
    cluster_name: Annotated[
        str, option(metavar="NAME", help="The kubeconfig cluster to use, like --cluster of kubectl.")
    ] = ""
    user: Annotated[str, option(metavar="NAME", help="The kubeconfig user to use.")] = ""
    server: Annotated[str, option("-s", metavar="ADDRESS", help="The API server: https://HOST:PORT.")] = ""
    token: Annotated[str, option(metavar="TOKEN", help="A bearer token for the API server.")] = ""
    username: Annotated[str, option(metavar="NAME", help="The name for basic authentication.")] = ""
    password: Annotated[str, option(metavar="PASSWORD", help="The password for basic authentication.")] = ""
    certificate_authority: Annotated[
        str, option(metavar="FILE", help="The CA certificate that signs the server's certificate.")
    ] = ""
    client_certificate: Annotated[str, option(metavar="FILE", help="The client certificate to present.")] = ""
    client_key: Annotated[str, option(metavar="FILE", help="The key of the client certificate.")] = ""
    insecure_skip_tls_verify: Annotated[bool, option(help="Do not verify the server's certificate.")] = False
    tls_server_name: Annotated[
        str, option(metavar="NAME", help="Name to expect in the server's certificate, if not its address.")
    ] = ""
    as_user: Annotated[str, option("--as", metavar="NAME", help="The user or service account to impersonate.")] = ""
    as_uid: Annotated[str, option(metavar="UID", help="The UID to impersonate.")] = ""
    as_groups: Annotated[
        Words, option("--as-group", metavar="NAME", help="A group to impersonate. Can be repeated.")
    ] = ()
    as_extra: Annotated[
        Words,
        option("--as-user-extra", metavar="KEY=VALUE", help="An extra attribute to impersonate. Can be repeated."),
    ] = ()
    request_timeout: Annotated[
        str, option(metavar="DURATION", help="How long one request may take, such as 30s; default is 5m.")
    ] = ""
    disable_compression: Annotated[bool, option(help="Ask the API server for uncompressed answers.")] = False
    cached_read: Annotated[
        bool, option(help="Read from the API server's cache: less load on it, but perhaps slightly older.")
    ] = False

    def connection(self, environment: Mapping[str, str] = os.environ) -> "Connection | None":
        """The cluster that is meant, if anything says so: a flag, a kubeconfig file, or running in a pod.

        Raises UsageError on flags that mean nothing.
        """
        from kexplain.load.live.connection import Connection

        given = values_for(Connection, self) | {
            "kubeconfig": kubeconfig_files(self.kubeconfig, environment),
            "request_timeout": parse_timeout(self.request_timeout),
        }
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
