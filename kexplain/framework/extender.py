"""Scheduler extenders: how one is configured, and what it answers when it is asked.

Source: scheduler `apis/config` `Extender`, `framework.Extender`, `extender.go`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec
from msgspec import Struct

from kexplain.cluster import Cluster, NodeInfo
from kexplain.framework.plugin import MAX_NODE_SCORE
from kexplain.framework.postfilter import Candidate
from kexplain.objects.core import Pod
from kexplain.objects.meta import Record
from kexplain.patterns import regex

#: The highest score of an extender, which stands for 100 points.
MAX_EXTENDER_PRIORITY = 10
#: Of an extender that is given none.
DEFAULT_TIMEOUT_SECONDS = 5.0
POINTS_PER_PRIORITY = MAX_NODE_SCORE // MAX_EXTENDER_PRIORITY
_PASSWORD = regex(r"(?<=://)([^/?#@]*?):[^/?#]*@")


def without_password(url: str) -> str:
    """The URL as it may be shown."""
    return _PASSWORD.sub(r"\1:xxxxx@", url)


class ExtenderTls(Record, frozen=True):
    """How to speak TLS to an extender; what is given as data, in base64, goes before what is given as a file."""

    insecure: bool = False
    server_name: str = ""
    cert_file: str = ""
    key_file: str = ""
    ca_file: str = ""
    cert_data: str = ""
    key_data: str = ""
    ca_data: str = ""


class ManagedResource(Record, frozen=True):
    """An extended resource that an extender looks after; `ignored_by_scheduler` leaves it out of NodeResourcesFit."""

    name: str = ""
    ignored_by_scheduler: bool = False


class ExtenderConfig(Record, frozen=True):
    """An HTTP service that filters, ranks, preempts or binds beside the plugins; an empty verb is not called.

    `http_timeout` is a Go duration.
    """

    url_prefix: str = ""
    filter_verb: str = ""
    preempt_verb: str = ""
    prioritize_verb: str = ""
    weight: int = 0
    bind_verb: str = ""
    enable_https: bool = msgspec.field(name="enableHTTPS", default=False)
    tls_config: ExtenderTls | None = None
    http_timeout: str = "0s"
    node_cache_capable: bool = False
    managed_resources: tuple[ManagedResource, ...] = ()
    ignorable: bool = False

    @property
    def name(self) -> str:
        """What it goes by in reports."""
        return f"extender {without_password(self.url_prefix)}"

    @property
    def timeout_seconds(self) -> float:
        """How long it has to answer."""
        from kexplain.objects.go_duration import parse_duration  # noqa: PLC0415 (few schedulers have extenders)

        seconds = parse_duration(self.http_timeout) or 0.0
        return seconds if seconds > 0 else DEFAULT_TIMEOUT_SECONDS

    @property
    def asked_verbs(self) -> tuple[ExtenderVerb, ...]:
        """What it is asked for in a scheduling cycle; binding comes after."""
        return tuple(verb for verb in ExtenderVerb if getattr(self, f"{verb}_verb"))

    def is_interested_in(self, pod: Pod) -> bool:
        """Whether it is asked about the pod: it looks after everything, or a container wants what it looks after."""
        managed = {resource.name for resource in self.managed_resources}
        if not managed:
            return True
        return any(not managed.isdisjoint((*each.requests, *each.limits)) for each in pod.spec.every_container)


class ExtenderVerb(StrEnum):
    """What an extender can be asked for, in the order of a cycle."""

    FILTER = "filter"
    PRIORITIZE = "prioritize"
    PREEMPT = "preempt"


class ExtenderError(Exception):
    """An extender could not be asked, or answered with something that cannot be used; the text is upstream's."""


class ExtenderFiltered(Struct, frozen=True):
    """The nodes that an extender leaves, in its order, and what it says of others.

    It may leave out a node without a word, and speak of nodes that it was not asked about.
    """

    node_infos: tuple[NodeInfo, ...]
    failed: Mapping[str, str] = msgspec.field(default_factory=dict)
    #: These go before `failed`.
    failed_and_unresolvable: Mapping[str, str] = msgspec.field(default_factory=dict)


class Extender(Protocol):
    """An extender that can be asked. Every method raises ExtenderError."""

    @property
    def config(self) -> ExtenderConfig:
        """What it is configured with; only what it has a verb for is asked of it."""

    def filter(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> ExtenderFiltered:
        """Which of these nodes will do."""

    def prioritize(self, pod: Pod, node_infos: Sequence[NodeInfo]) -> Mapping[str, int]:
        """Scores by node name, 0 to 10 if it keeps to the rules; nodes may be missing."""

    def process_preemption(
        self, pod: Pod, candidates: Sequence[Candidate], cluster: Cluster
    ) -> Mapping[str, Candidate]:
        """The candidates that it leaves, by node name; their victims may be others, or none."""
