"""From a decision to what it means: objections with their facts and words, verdicts on nodes, and causes."""

from kexplain.explain.causes import causes_of

__all__ = ["causes_of"]
