"""A scheduler extender as it is configured. Source: scheduler `apis/config` `Extender`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtenderTls:
    """How to speak TLS to an extender; what is given as data goes before what is given as a file."""

    insecure: bool = False
    server_name: str = ""
    cert_file: str = ""
    key_file: str = ""
    ca_file: str = ""
    cert_data: bytes = b""
    key_data: bytes = b""
    ca_data: bytes = b""


@dataclass(frozen=True, slots=True)
class ManagedResource:
    """An extended resource that an extender looks after; `ignored_by_scheduler` leaves it out of NodeResourcesFit."""

    name: str
    ignored_by_scheduler: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtenderConfig:
    """An HTTP service that filters, ranks, preempts or binds beside the plugins; an empty verb is not called."""

    url_prefix: str
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    weight: int = 0
    bind_verb: str = ""
    enable_https: bool = False
    tls: ExtenderTls | None = None
    timeout_seconds: float = 5.0
    node_cache_capable: bool = False
    managed_resources: tuple[ManagedResource, ...] = ()
    ignorable: bool = False
