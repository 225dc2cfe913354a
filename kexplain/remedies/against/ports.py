"""What helps against objections because of host ports that are taken."""

from collections.abc import Iterator, Mapping, Sequence

from kexplain.cluster import NodeInfo
from kexplain.cluster.siblings import siblings
from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections.ports import PortFact, ports_text
from kexplain.remedies import pod_edits
from kexplain.remedies.advice import proposed
from kexplain.remedies.against.affinity import fewer
from kexplain.remedies.against.against import Against
from kexplain.remedies.edited_at import edited_at
from kexplain.remedies.moved_pods import moving, named
from kexplain.remedies.proposal import Proposal
from kexplain.remedies.records import Action, Rank


class AgainstPorts(Against[PortFact]):
    """A host port of the pod is taken on the node."""

    def proposals(self, home: Scene, facts_by_node: Mapping[str, Sequence[PortFact]]) -> Iterator[Proposal]:
        """Use none: whoever needs another one changes it."""
        facts = next(iter(facts_by_node.values()))
        edit = pod_edits.without_host_ports({(fact.port, fact.protocol) for fact in facts})
        text = f"drop {ports_text(facts)} (a Service needs none), or use another port"
        if home.pod.spec.host_network:
            # There each port that it opens is one of the host, named or not: it would start, and fail.
            text = f"use no hostNetwork, and a Service in front of it: then it needs no {ports_text(facts)}"
            edit = pod_edits.in_turn(edit, pod_edits.off_the_host)
        own = siblings(home.pod, home.cluster)
        held_by = {name: {key for fact in facts for key in fact.held_by} for name, facts in facts_by_node.items()}
        found = [*fewer(own, held_by, home, "on one node")]
        if home.pod.spec.host_network and not found:
            yield from _of_holders(facts, home, tuple(facts_by_node))
        # A port is cheap to change as long as nobody counts on it.
        is_free = not home.pod.spec.host_network and (bool(found) or not home.pod.is_stored)
        yield Proposal(Action.CHANGE_HOST_PORT, text, edit, rank=Rank.MENDS if is_free else Rank.LOOSENS)
        yield from found

    def at_node(self, node_info: NodeInfo, facts: Sequence[PortFact], home: Scene) -> Iterator[Proposal]:
        """Move the pods that have the ports."""
        holders = named(list(dict.fromkeys(key for fact in facts for key in fact.held_by)), home.cluster, [node_info])
        if holders:
            yield moving([pod.key for pod in holders], f" away from {node_info.name} to free {ports_text(facts)}")


def _of_holders(facts: Sequence[PortFact], home: Scene, nodes: tuple[str, ...]) -> Iterator[Proposal]:
    """That others give the ports up: where people say so, which may not be where the pods come from."""
    keys = dict.fromkeys(key for fact in facts for key in fact.held_by)
    found = [home.cluster.placed_pods.named(*key.split("/", 1)) for key in keys]
    for what in dict.fromkeys(filter(None, (edited_at(each.pod) for each in found if each))):
        yield proposed("ports/stop", what, ports_text(facts), nodes=nodes)
