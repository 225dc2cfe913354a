"""What an objection says of several nodes, as causes do."""

from collections.abc import Sequence

from msgspec import Struct

from kexplain.diagnosis.scene import Scene
from kexplain.explain.objections import BY_EVIDENCE
from kexplain.explain.output import Fact
from kexplain.framework.evidence import Evidence


class Said(Struct, frozen=True):
    """What is said of most of some nodes, by which plugin."""

    text: str
    plugin: str
    nodes: tuple[str, ...]


def cause(scene: Scene, names: Sequence[str], kind: type[Evidence]) -> Said | None:
    """The words of an objection of that kind to most of these nodes; None if there is none."""
    objection = BY_EVIDENCE[kind]
    groups: dict[tuple[str, ...], dict[str, Sequence[Fact]]] = {}
    plugin = ""
    for info in scene.infos(names):
        found = [(status.plugin, each) for status, each in scene.evidence(info.name) if type(each) is kind]
        if found:
            plugin = found[0][0]
            facts = [fact for _, each in found for fact in scene.facts(each, info)]
            groups.setdefault(tuple(map(objection.key, facts)), {})[info.name] = facts
    if not groups:
        return None
    largest = max(groups.values(), key=len)
    return Said(objection.cause(largest), plugin, tuple(largest))
