"""What keeps the pod off the other candidates, in a few words each."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.records import Diagnosis, Kind
from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence import (
    AntiAffinityMatched,
    Evidence,
    ExistingAntiAffinity,
    PortInUse,
    SkewExceeded,
    UntoleratedTaints,
)
from kexplain.words import joined, plural, verb

_WORDS: Mapping[type[Evidence], Callable[[int], str]] = {
    AntiAffinityMatched: lambda count: f"{verb(count, 'runs')} a pod to keep away from",
    ExistingAntiAffinity: lambda count: f"{verb(count, 'runs')} a pod that keeps away from it",
    SkewExceeded: lambda count: f"{verb(count, 'has')} too many of the pods already",
    PortInUse: lambda count: f"{verb(count, 'has')} the host port in use",
}
_KINDS: Mapping[type[Evidence], Kind] = {
    AntiAffinityMatched: Kind.ANTI_AFFINITY,
    ExistingAntiAffinity: Kind.ANTI_AFFINITY,
    SkewExceeded: Kind.SPREAD_UNSATISFIED,
    PortInUse: Kind.HOST_PORT_TAKEN,
    UntoleratedTaints: Kind.RESERVATION_NOT_TOLERATED,
}


def besides(scene: Scene, names: Sequence[str]) -> str:
    """What keeps the pod off these nodes: `2 more have the taint maintenance=true:NoSchedule`; empty for none."""
    if not names:
        return ""
    kind, count = _commonest(scene, names)
    if kind is UntoleratedTaints:
        taints = {
            str(taint) for name in names for each in scene.found(name, UntoleratedTaints) for taint in each.taints
        }
        return f"{count} more {verb(count, 'has')} the taint {joined(sorted(taints), 'or')}"
    words = _WORDS.get(kind) if kind else None
    if words is None:
        return f"something else keeps it off {plural(len(names), 'more node')}"
    return f"{count} more {words(count)}"


def several(scene: Scene) -> Diagnosis | None:
    """One thing on some candidates, another on others: what most of them have, then the rest."""
    names = scene.circles.candidates
    kind, _ = _commonest(scene, names) if names else (None, 0)
    said = cause(scene, names, kind) if kind else None
    if said is None or kind is None:
        return None
    having = frozenset(said.nodes)
    rest = [name for name in names if name not in having]
    found = _KINDS.get(kind, Kind.REJECTED)
    return scene.diagnosis(found, said.text, said.nodes, said.plugin, amounts=besides(scene, rest))


def _commonest(scene: Scene, names: Sequence[str]) -> tuple[type[Evidence] | None, int]:
    """The kind of objection that most of these nodes have, and how many of them."""
    counts = Counter(kind for name in names for kind in {type(each) for _, each in scene.evidence(name)})
    return counts.most_common(1)[0] if counts else (None, 0)
