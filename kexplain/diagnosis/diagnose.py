"""The diagnosis of a pod that does not fit: the nodes sorted, and the first judge's word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from kexplain.diagnosis.attempts import of_attempt
from kexplain.diagnosis.beyond_templates import with_template
from kexplain.diagnosis.circles import Circles
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.judges import JUDGES, LAST
from kexplain.diagnosis.records import Finding, Kind, NodeCircles, When, finding
from kexplain.diagnosis.scene import Scene
from kexplain.explain.output import copied
from kexplain.framework.evidence import InsufficientResource
from kexplain.framework.trace import Decision, Outcome
from kexplain.objects.node_pools import comes_along
from kexplain.tables import sections

if TYPE_CHECKING:
    from kexplain.diagnosis.culprits import Care

#: What says itself who is out of service.
_SAYS_OUT = (Kind.POOL_OUT_OF_SERVICE, Kind.ZONE_OUT_OF_SERVICE)
#: What a component of the cluster may be at fault for.
_LOOKED_AFTER = (*_SAYS_OUT, *sections("finding-kinds")["looked after"])


class Diagnosed(Struct, frozen=True):
    """What is wrong, and how the nodes are sorted; no circles where nobody was asked about nodes."""

    diagnosis: Finding
    circles: Circles | None = None
    #: Who looks after what the diagnosis is about, if that is known.
    care: Care | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """The nodes where the pod belongs, those in service if any is; none where nobody was asked about nodes."""
        return self.circles.candidates or self.circles.lapsed if self.circles else ()

    @property
    def published(self) -> NodeCircles | None:
        """The circles as they are published."""
        return copied(self.circles, NodeCircles) if self.circles else None


def diagnose(decision: Decision) -> Diagnosed | None:
    """What somebody who knows the cluster would say first; None for a pod that fits."""
    if decision.outcome is Outcome.SCHEDULED:
        return None
    found = of_attempt(decision)
    if found is not None:
        found, care = _with_culprit(found, decision)
        return Diagnosed(found, care=care)
    scene = Scene.of(decision)
    judged = (found for judge in JUDGES if (found := judge(scene)) is not None)
    first = next(judged, None) or LAST(scene) or _unknown(decision)
    # What is short of room has no second fault: those judges come last.
    second = next(judged, None) if first.plugin != "NodeResourcesFit" else None
    if second is not None and second.plugin == "NodeResourcesFit" and not scene.everywhere_is(InsufficientResource):
        second = None
    first, care = _with_culprit(first, decision)
    whole = with_template(_in_full(first, second, scene), decision.pod, decision.cluster)
    return Diagnosed(whole, scene.circles, care)


def _with_culprit(found: Finding, decision: Decision) -> tuple[Finding, Care | None]:
    """The finding with who looks after what it is about, if that is known."""
    if found.kind not in _LOOKED_AFTER:
        return found, None
    # Most pods find nodes in service, with all that these should offer.
    from kexplain.diagnosis.culprits import care_of, with_culprit  # noqa: PLC0415

    care = care_of(found, decision.pod, decision.cluster)
    return (with_culprit(found, care), care) if care else (found, None)


def _unknown(decision: Decision) -> Finding:
    """What nobody has a word for: as the scheduler says it."""
    causes = [status for status in decision.statuses.by_node.values() if status.reasons]
    status = causes[0] if causes else decision.statuses.absent
    said = told("rejected", status.reasons[0] if status.reasons else decision.message)
    return finding(Kind.REJECTED, said, status.plugin, nodes=decision.statuses.by_node)


def _sentence(text: str, *, is_first: bool) -> str:
    return f"{text[0] if is_first else text[0].upper()}{text[1:]}{'' if text.endswith('?') else '.'}"


def _in_full(first: Finding, second: Finding | None, scene: Scene) -> Finding:
    """With the amounts, what else is wrong, and where the other nodes stand."""
    own, facts, besides = [first.amounts] if first.amounts else [], first.facts, ""
    if second is not None and second.plugin != first.plugin:
        besides = f"besides, {second.text}"
        own.append(besides)
        facts = {**facts, "besides": second.facts}
    sentences = [_sentence(text, is_first=not place) for place, text in enumerate(own)]
    found = scene.circles
    # A pod that comes with its node has nothing to look for on the others.
    is_nowhere = comes_along(scene.pod) or len(found.elsewhere) == len(scene.cluster.node_infos)
    elsewhere = () if is_nowhere else found.elsewhere
    said = frozenset(first.nodes) if first.kind in _SAYS_OUT or not scene.home else frozenset()
    reserved = [name for name in found.reserved if name not in said]
    out = [name for name in found.out_of_service if name not in said]
    sentences.append(str(scene.places.others(reserved, elsewhere, found.narrowed, out)))
    retry = When.BY_ITSELF if scene.nominated_node else first.retry
    return replace(first, detail=" ".join(filter(None, sentences)), retry=retry, facts=facts, besides=besides)
