"""Nodes that take no pods, whoever asks."""

import textwrap
from collections.abc import Sequence

from kexplain.diagnosis.findings import nodes as said
from kexplain.diagnosis.piled_up import evicted_for
from kexplain.diagnosis.records import Finding, Kind, Relation, Sign, finding, link
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.objects.core import Node

#: The most of a kubelet's words.
_MOST = 200


def no_nodes(scene: Scene) -> Finding | None:
    """The cluster has no nodes at all."""
    return None if scene.cluster.node_infos else finding(Kind.NO_NODES, said.no_nodes())


def out_of_service(scene: Scene) -> Finding | None:
    """None of the nodes where the pod belongs is in service."""
    lapsed = scene.circles.lapsed
    if scene.candidates or not lapsed:
        return None
    held = f"{scene.held}{'' if scene.zone else 's'}" if scene.circles.narrowed & Wish.VOLUME else ""
    kind = Kind.ZONE_OUT_OF_SERVICE if scene.zone else Kind.POOL_OUT_OF_SERVICE
    ailments = scene.places.ailments(lapsed)
    out = said.out_of_service(scene.place, ailments, held, said_by_kubelets(scene, lapsed))
    # The plugin that turns pods away from most of these nodes, as what ails them first has it.
    plugin = "NodeUnschedulable" if ailments.is_cordon else "TaintToleration"
    by_trouble: dict[str, list[str]] = {}
    for name in lapsed:
        service = scene.service(name)
        for trouble in service.troubles[:1] if service else ():
            by_trouble.setdefault(trouble.value, []).append(name)
    found = by_trouble.items()
    signs = [Sign(text=str(said.out_of_service_sign(each, len(names))), nodes=tuple(names)) for each, names in found]
    chain = [link(Relation.RUNS_ON, Node, name) for name in lapsed] if len(lapsed) == 1 else ()
    return scene.finding(kind, out, plugin, lapsed, evidence=signs, chain=chain)


def said_by_kubelets(scene: Scene, names: Sequence[str]) -> str:
    """Why these nodes are not ready, or have no network, where all say the same."""
    messages = {
        each.message or ""
        for info in scene.infos(names)
        for each in info.node.status.conditions or ()
        if (each.type, each.status) in (("Ready", "False"), ("NetworkUnavailable", "True"))
    }
    greedy = evicted_for(names, scene.cluster)
    message = messages.pop() if len(messages) == 1 else str(greedy or "")
    return textwrap.shorten(message, _MOST, placeholder=" …").removesuffix(".")
