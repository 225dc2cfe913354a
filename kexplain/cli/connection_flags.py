"""kubectl's flags for reaching a cluster, for every command that may read one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any

import typer


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionFlags:
    """The flags as they were given; each field is an option."""

    kubeconfig: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="How to reach a live cluster, which is read where no file describes one; default is KUBECONFIG, "
            "then ~/.kube/config, then the service account of the pod that this runs in.",
        ),
    ] = ""
    context: Annotated[str, typer.Option(metavar="NAME", help="The kubeconfig context to use.")] = ""
    cluster_name: Annotated[
        str, typer.Option(metavar="NAME", help="The kubeconfig cluster to use: kubectl's --cluster.")
    ] = ""
    user: Annotated[str, typer.Option(metavar="NAME", help="The kubeconfig user to use.")] = ""
    server: Annotated[
        str, typer.Option("-s", "--server", metavar="ADDRESS", help="The API server: https://HOST:PORT.")
    ] = ""
    token: Annotated[str, typer.Option(metavar="TOKEN", help="A bearer token for the API server.")] = ""
    username: Annotated[str, typer.Option(metavar="NAME", help="A name for basic authentication.")] = ""
    password: Annotated[str, typer.Option(metavar="TEXT", help="A password for basic authentication.")] = ""
    certificate_authority: Annotated[
        str, typer.Option(metavar="FILE", help="Who signs the certificate of the API server.")
    ] = ""
    client_certificate: Annotated[
        str, typer.Option(metavar="FILE", help="A certificate to show to the API server.")
    ] = ""
    client_key: Annotated[str, typer.Option(metavar="FILE", help="The key of that certificate.")] = ""
    insecure_skip_tls_verify: Annotated[
        bool, typer.Option("--insecure-skip-tls-verify", help="Do not look at the certificate of the API server.")
    ] = False
    tls_server_name: Annotated[
        str, typer.Option(metavar="NAME", help="Whom that certificate is for, where that is not its address.")
    ] = ""
    as_user: Annotated[str, typer.Option("--as", metavar="NAME", help="A user or service account to act as.")] = ""
    as_uid: Annotated[str, typer.Option(metavar="UID", help="The UID to act as.")] = ""
    as_group: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A group to act as; may be given several times.")
    ] = None
    as_user_extra: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="More to act as; may be given several times.")
    ] = None
    request_timeout: Annotated[
        str, typer.Option(metavar="DURATION", help="How long one request may take, such as 30s; default is 5m.")
    ] = ""
    disable_compression: Annotated[
        bool, typer.Option("--disable-compression", help="Have the API server send its answers as they are.")
    ] = False
    cached_read: Annotated[
        bool,
        typer.Option(
            "--cached-read", help="Take what the API server holds in memory: easier on it, and perhaps a little older."
        ),
    ] = False


_FLAGS = inspect.signature(ConnectionFlags, eval_str=True).parameters


def with_connection_flags(command: Callable[..., int]) -> Callable[..., int]:
    """The command with these flags as options of its own; it is handed them together, as `connection`."""

    @wraps(command)
    def with_flags(*args: Any, **options: Any) -> int:
        flags = {name: options.pop(name) for name in _FLAGS}
        return command(*args, **options, connection=ConnectionFlags(**flags))

    signature = inspect.signature(command, eval_str=True)
    own = [each for each in signature.parameters.values() if each.name != "connection"]
    # What is keyword-only has to stand last.
    with_flags.__signature__ = signature.replace(parameters=[*own, *_FLAGS.values()])  # type: ignore[attr-defined]
    return with_flags
