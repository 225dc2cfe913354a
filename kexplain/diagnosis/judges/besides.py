"""What keeps the pod off the other candidates."""

from collections import Counter
from collections.abc import Mapping, Sequence

from kexplain.diagnosis.findings.statement import Few, Statement, told
from kexplain.diagnosis.judges.words import cause
from kexplain.diagnosis.records import Finding, Kind
from kexplain.diagnosis.scene import Scene
from kexplain.framework.evidence import (
    AntiAffinityMatched,
    Evidence,
    ExistingAntiAffinity,
    PortInUse,
    SkewExceeded,
    UntoleratedTaints,
)

_KINDS: Mapping[type[Evidence], Kind] = {
    AntiAffinityMatched: Kind.ANTI_AFFINITY, ExistingAntiAffinity: Kind.ANTI_AFFINITY,
    SkewExceeded: Kind.SPREAD_UNSATISFIED, PortInUse: Kind.HOST_PORT_TAKEN,
    UntoleratedTaints: Kind.RESERVATION_NOT_TOLERATED,
}  # fmt: skip


def besides(scene: Scene, names: Sequence[str]) -> Statement | None:
    """What keeps the pod off most of these nodes; None where there are none."""
    if not names:
        return None
    kind, count = _commonest(scene, names)
    if kind is UntoleratedTaints:
        found = {name: scene.objected(name, UntoleratedTaints) for name in names}
        taints = sorted({str(taint) for every in found.values() for each in every for taint in each.taints})
        return told("kept-off-by-taints", taints, Few.of(name for name, every in found.items() if every))
    if kind is None or kind not in _KINDS:
        return told("kept-off", "", len(names))
    return told(f"kept-off/{kind.__name__}", kind.__name__, count)


def several(scene: Scene) -> Finding | None:
    """One thing on some candidates, another on others: what most of them have, then the rest."""
    names = scene.circles.candidates
    kind, _ = _commonest(scene, names) if names else (None, 0)
    said = cause(scene, names, kind) if kind else None
    if said is None or kind is None:
        return None
    having = frozenset(said.nodes)
    rest = besides(scene, [name for name in names if name not in having])
    objected = told("objected", said.text, beside=rest)
    return scene.finding(_KINDS.get(kind, Kind.REJECTED), objected, said.plugin, said.nodes)


def _commonest(scene: Scene, names: Sequence[str]) -> tuple[type[Evidence] | None, int]:
    """The kind of objection that most of these nodes have, and how many of them."""
    counts = Counter(kind for name in names for kind in {type(each) for _, each in scene.evidence(name)})
    return counts.most_common(1)[0] if counts else (None, 0)
