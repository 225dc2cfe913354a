"""Objections of extenders that give no reason."""

from kexplain.explain.objections.objection import Objection
from kexplain.framework.evidence import LeftOutByExtender


class LeftOut(Objection[LeftOutByExtender, LeftOutByExtender]):
    """An extender left the node out of its answer."""

    text = "left out without a reason"
