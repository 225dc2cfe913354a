"""Which live cluster the command line means, and what is shown while it is read."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from kexplain import __version__
from kexplain.cli.connection_flags import ConnectionFlags
from kexplain.errors import UsageError
from kexplain.load.live.connection import Connection

if TYPE_CHECKING:
    from kexplain.load.live.api_resources import Resource
    from kexplain.load.live.cluster_reader import ClusterSource

_DURATION = re.compile(r"(?:\d+(?:\.\d+)?(?:ms|h|m|s))+")
_DURATION_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_SECONDS_BY_UNIT = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_BAR_WIDTH = 24


def kubeconfig_files(flag: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """The kubeconfig files in the order in which they count. Source: client-go `ClientConfigLoadingRules`."""
    if flag:
        return (flag,)
    if listed := environment.get("KUBECONFIG"):
        return tuple(dict.fromkeys(path for path in listed.split(os.pathsep) if path))
    home = environment.get("HOME")
    return (f"{home}/.kube/config",) if home else ()


def is_in_cluster(environment: Mapping[str, str]) -> bool:
    """Whether this runs in a pod of a cluster. Source: client-go `rest.InClusterConfig`."""
    return bool(environment.get("KUBERNETES_SERVICE_HOST") and environment.get("KUBERNETES_SERVICE_PORT"))


def connection_or_none(flags: ConnectionFlags, environment: Mapping[str, str]) -> Connection | None:
    """The cluster that is meant, if anything says so: a flag, a kubeconfig file, or running in a pod.

    Raises UsageError on flags that mean nothing.
    """
    connection = Connection(
        kubeconfig=kubeconfig_files(flags.kubeconfig, environment),
        context=flags.context,
        cluster_name=flags.cluster_name,
        user=flags.user,
        server=flags.server,
        token=flags.token,
        username=flags.username,
        password=flags.password,
        certificate_authority=flags.certificate_authority,
        client_certificate=flags.client_certificate,
        client_key=flags.client_key,
        insecure_skip_tls_verify=flags.insecure_skip_tls_verify,
        tls_server_name=flags.tls_server_name,
        as_user=flags.as_user,
        as_uid=flags.as_uid,
        as_groups=tuple(flags.as_group or ()),
        as_extra=tuple(flags.as_user_extra or ()),
        request_timeout=parse_timeout(flags.request_timeout),
        disable_compression=flags.disable_compression,
        cached_read=flags.cached_read,
        in_cluster=is_in_cluster(environment),
        user_agent=f"kexplain/{__version__}",
    )
    # Unlike Path.exists, this is False for what cannot be looked at.
    has_file = any(os.path.exists(path) for path in connection.kubeconfig)  # noqa: PTH110
    return connection if flags != ConnectionFlags() or connection.in_cluster or has_file else None


def parse_timeout(text: str) -> float | None:
    """Seconds, of a text such as `5`, `30s` or `1m30s`; None for no limit of one's own, which `0` means.

    Raises UsageError on anything else.
    """
    if not text:
        return None
    if text.isdecimal():
        seconds = float(text)
    elif _DURATION.fullmatch(text):
        seconds = sum(float(number) * _SECONDS_BY_UNIT[unit] for number, unit in _DURATION_PART.findall(text))
    else:
        raise UsageError(f'--request-timeout: "{text}" is not a duration such as 30s, 1m30s or 5')
    return seconds or None


@cache
def live_cluster(connection: Connection) -> ClusterSource:
    """The cluster of a connection. Raises ClusterError if that is not said, or wrong."""
    # The client is imported by runs that read a cluster, and by no others.
    from kexplain.load.live.client import LiveCluster  # noqa: PLC0415

    return LiveCluster(connection, Progress() if sys.stderr.isatty() else None)


class Progress:
    """A bar on stderr: how many objects have been read, of how many as far as the server has said."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: dict[Resource, tuple[int, int]] = {}
        self._width = 0
        self._has_ended = False

    def has_read(self, resource: Resource, count: int, to_come: int) -> None:
        """Redraw the bar; called by whichever thread has read something."""
        with self._lock:
            if self._has_ended:
                return
            self._counts[resource] = (count, to_come)
            done = sum(each for each, _ in self._counts.values())
            total = done + sum(each for _, each in self._counts.values())
            self._draw(
                f"reading [{'#' * (_BAR_WIDTH * done // max(total, 1)):.<{_BAR_WIDTH}}] {done} of {total} objects"
            )

    def has_ended(self) -> None:
        """Wipe the bar out, for good: what was under way when another list failed may still come in."""
        with self._lock:
            self._has_ended = True
            self._draw("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _draw(self, text: str) -> None:
        # Blanks instead of escape sequences: they work everywhere, and NO_COLOR wants none.
        sys.stderr.write(f"\r{text:<{self._width}}")
        sys.stderr.flush()
        self._width = len(text)
