"""Nodes that take no pods, whoever asks."""

import textwrap
from collections.abc import Sequence

from kexplain.diagnosis.records import Diagnosis, Kind, Sign
from kexplain.diagnosis.scene import Scene
from kexplain.diagnosis.wishes import Wish
from kexplain.objects.node_service import Trouble
from kexplain.words import plural, verb

#: The most of a kubelet's words.
_MOST = 200


def no_nodes(scene: Scene) -> Diagnosis | None:
    """The cluster has no nodes at all."""
    if scene.cluster.node_infos:
        return None
    return Diagnosis(kind=Kind.NO_NODES, text="the cluster has no nodes")


def out_of_service(scene: Scene) -> Diagnosis | None:
    """None of the nodes where the pod belongs is in service."""
    lapsed = scene.circles.lapsed
    if scene.candidates or not lapsed:
        return None
    place = scene.place
    what = f"{place.every} {verb(len(lapsed), 'is')} {scene.places.out(lapsed)}"
    if scene.circles.narrowed & Wish.VOLUME:
        what += f"; its {scene.held} is nowhere else" if scene.zone else f"; its {scene.held}s are nowhere else"
    kind = Kind.ZONE_OUT_OF_SERVICE if scene.zone else Kind.POOL_OUT_OF_SERVICE
    amounts = _said_by_kubelets(scene, lapsed)
    plugin = plugin_of(scene, lapsed)
    return scene.diagnosis(kind, what, lapsed, plugin, amounts=amounts, evidence=signs(scene, lapsed))


def _said_by_kubelets(scene: Scene, names: Sequence[str]) -> str:
    """Why these nodes are not ready, where all say the same."""
    said = {
        each.message or ""
        for info in scene.infos(names)
        for each in info.node.status.conditions or ()
        if (each.type, each.status) == ("Ready", "False")
    }
    if len(said) != 1 or not (message := said.pop()):
        return ""
    whose = "its kubelet says" if len(names) == 1 else "their kubelets say"
    return f"{whose}: {textwrap.shorten(message, _MOST, placeholder=' …').removesuffix('.')}"


def plugin_of(scene: Scene, names: Sequence[str]) -> str:
    """The plugin that turns pods away from most of these nodes, as what ails them first has it."""
    troubles = scene.places.troubles(names)
    return "NodeUnschedulable" if troubles.most_common(1)[0][0] == Trouble.CORDONED else "TaintToleration"


def signs(scene: Scene, names: Sequence[str]) -> tuple[Sign, ...]:
    """What ails these nodes, one sign for each trouble."""
    by_trouble: dict[str, list[str]] = {}
    for name in names:
        service = scene.member(name).service
        for trouble in service.troubles[:1] if service else ():
            by_trouble.setdefault(trouble.value, []).append(name)
    return tuple(
        Sign(text=f"{plural(len(found), 'node')} {trouble}", nodes=tuple(found))
        for trouble, found in by_trouble.items()
    )
