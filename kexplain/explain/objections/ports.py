"""Objections because of host ports."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup, Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence import PortInUse
from kexplain.words import listed, verb


class PortFact(Fact, frozen=True, tag="PortInUse"):
    """A host port that is taken, and by whom."""

    port: int
    protocol: str
    host_ip: str = msgspec.field(name="hostIP")
    held_by: tuple[str, ...]


class Ports(Objection[PortInUse, PortFact]):
    """A host port of the pod is taken on the node."""

    fields = (("containers",),)

    def facts(self, evidence: PortInUse, node_info: NodeInfo, lookup: Lookup) -> Iterator[PortFact]:
        """The port, and the pods on the node that have it."""
        yield PortFact(
            port=evidence.wanted.port,
            protocol=evidence.wanted.protocol,
            host_ip=evidence.wanted.ip,
            held_by=tuple(p.pod.key for p in node_info.pods if evidence.in_use in p.host_ports),
        )

    def words(self, fact: PortFact) -> str:
        return f"{port_text(fact)} is taken" + (f" by {', '.join(fact.held_by)}" if fact.held_by else "")

    def key(self, fact: PortFact) -> str:
        return port_text(fact)

    def cause(self, facts_by_node: Mapping[str, Sequence[PortFact]]) -> str:
        facts = next(iter(facts_by_node.values()))
        return f"{ports_text(facts)} {verb(len(facts), 'is')} taken"


def ports_text(facts: Sequence[PortFact]) -> str:
    """Host ports, of many only the first."""
    return listed([*map(port_text, facts)])


def port_text(fact: PortFact) -> str:
    """A host port, with its address if it is bound to one."""
    address = "" if fact.host_ip == "0.0.0.0" else f"{fact.host_ip}:"  # noqa: S104 (compared, not bound)
    return f"hostPort {address}{fact.port}/{fact.protocol}"
