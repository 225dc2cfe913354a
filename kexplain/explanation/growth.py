"""Why no autoscaler adds the node that would help a pod."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kexplain.diagnosis.culprits import adder_of, with_culprit
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Finding
from kexplain.framework.trace import Decision
from kexplain.remedies.records import NewNode
from kexplain.tables import sections

#: What one more node would help against.
_SHORT_OF_NODES = sections("finding-kinds")["short of nodes"]


def _able(pool: str, nodes: Sequence[NewNode]) -> list[NewNode]:
    """Those of the pool that may take the pod, or of any where no node of that one would.

    Of a pool that nobody lets grow they are those that were asked for in its place.
    """
    able = [each for each in nodes if each.fits is not False]
    own = [each for each in able if pool and each.pool == pool]
    asked_for = [each for each in able if each.on_their_way]
    return asked_for if asked_for and own and not any(each.is_managed for each in own) else own or able


def with_growth(found: Finding | None, nodes: Sequence[NewNode], decision: Decision) -> Finding | None:
    """The finding with why there is no more of the pool that it is about, or of any."""
    if found is None or found.kind not in _SHORT_OF_NODES:
        return found
    care = adder_of(decision)
    if care is not None:
        return with_culprit(found, care)
    able = _able(found.pool, nodes)
    # A pool that takes the pod may grow in its place.
    hindered = [each.hindered_by or tuple(filter(None, [each.refused])) for each in able]
    if not able or not all(hindered) or any(each.fits and each.may_come for each in nodes):
        return found
    why = dict.fromkeys(text for each in hindered for text in each)
    said = told("cannot-grow", able[0].by, list(why)[:2])
    return replace(found, text=f"{found.text}, {said}", facts={**found.facts, "growth": said.published})
