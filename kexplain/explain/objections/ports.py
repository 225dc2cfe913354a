"""Objections because of host ports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from kexplain.cluster import NodeInfo
from kexplain.explain import edits
from kexplain.explain.objections.objection import Lookup, Objection, Proposal
from kexplain.explain.output import Fact
from kexplain.explain.room import moving, named
from kexplain.framework.evidence import PortInUse
from kexplain.objects.core import Pod


class PortFact(Fact, frozen=True, tag="PortInUse"):
    """A host port that is taken, and by whom."""

    port: int
    protocol: str
    host_ip: str = msgspec.field(name="hostIP")
    held_by: tuple[str, ...]


class Ports(Objection[PortInUse, PortFact]):
    """A host port of the pod is taken on the node."""

    evidence = PortInUse
    fact = PortFact
    fields = (("containers",),)

    def facts(self, evidence: PortInUse, node_info: NodeInfo, lookup: Lookup) -> Iterator[PortFact]:  # noqa: ARG002
        """The port, and the pods on the node that have it."""
        yield PortFact(
            port=evidence.wanted.port,
            protocol=evidence.wanted.protocol,
            host_ip=evidence.wanted.ip,
            held_by=tuple(p.pod.key for p in node_info.pods if evidence.in_use in p.host_ports),
        )

    def words(self, fact: PortFact) -> str:
        """The port, and the pods that have it."""
        holders = f" by {', '.join(fact.held_by)}" if fact.held_by else ""
        return f"{_port(fact)} is taken{holders}"

    def key(self, fact: PortFact) -> str:
        """The port."""
        return _port(fact)

    def cause(self, facts_by_node: Mapping[str, Sequence[PortFact]]) -> str:
        """The ports."""
        facts = next(iter(facts_by_node.values()))
        return f"{', '.join(map(_port, facts))} {'is' if len(facts) == 1 else 'are'} taken"

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[PortFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Use none: whoever needs another one changes it."""
        facts = next(iter(facts_by_node.values()))
        edit = edits.without_host_ports({(fact.port, fact.protocol) for fact in facts})
        text = f"use no {', '.join(map(_port, facts))}: another port would do too, and a Service needs no host port"
        yield Proposal("change-host-port", text, edit)

    def here(self, node_info: NodeInfo, facts: Sequence[PortFact], lookup: Lookup) -> Iterator[Proposal]:
        """Move the pods that have the ports."""
        holders = named(list(dict.fromkeys(key for fact in facts for key in fact.held_by)), lookup.cluster, [node_info])
        if holders:
            why = f" away from {node_info.name} to free {', '.join(map(_port, facts))}"
            yield moving([pod.key for pod in holders], why)


def _port(fact: PortFact) -> str:
    """A host port, with its address if it is bound to one."""
    address = "" if fact.host_ip == "0.0.0.0" else f"{fact.host_ip}:"  # noqa: S104 (compared, not bound)
    return f"hostPort {address}{fact.port}/{fact.protocol}"
