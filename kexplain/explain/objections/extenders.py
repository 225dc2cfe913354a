"""Objections of extenders that give no reason."""

from __future__ import annotations

from kexplain.explain.objections.objection import Objection
from kexplain.explain.output import Fact
from kexplain.framework.evidence import LeftOutByExtender


class LeftOutFact(Fact, frozen=True, tag="LeftOutByExtender"):
    """An extender left the node out of its answer without a word about it."""


class LeftOut(Objection[LeftOutByExtender, LeftOutFact]):
    """An extender left the node out of its answer."""

    evidence = LeftOutByExtender
    fact = LeftOutFact
    fields = ()

    def words(self, fact: LeftOutFact) -> str:  # noqa: ARG002
        """That it was left out."""
        return "left out without a reason"
