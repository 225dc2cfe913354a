"""What helps against objections because of host ports that are taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.explain.objections.objection import Lookup
from kexplain.explain.objections.ports import PortFact, port_text
from kexplain.objects.core import Pod
from kexplain.remedies import edits
from kexplain.remedies.against.against import Against
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.room import moving, named


class AgainstPorts(Against[PortFact]):
    """A host port of the pod is taken on the node."""

    fact = PortFact

    def proposals(self, pod: Pod, facts_by_node: Mapping[str, Sequence[PortFact]]) -> Iterator[Proposal]:  # noqa: ARG002
        """Use none: whoever needs another one changes it."""
        facts = next(iter(facts_by_node.values()))
        edit = edits.without_host_ports({(fact.port, fact.protocol) for fact in facts})
        text = f"use no {', '.join(map(port_text, facts))}: another port would do too, and a Service needs no host port"
        yield Proposal("change-host-port", text, edit)

    def here(self, node_info: NodeInfo, facts: Sequence[PortFact], lookup: Lookup) -> Iterator[Proposal]:
        """Move the pods that have the ports."""
        holders = named(list(dict.fromkeys(key for fact in facts for key in fact.held_by)), lookup.cluster, [node_info])
        if holders:
            why = f" away from {node_info.name} to free {', '.join(map(port_text, facts))}"
            yield moving([pod.key for pod in holders], why)
