"""From a decision to an explanation: causes, the numbers behind them, and what would help."""

from kexplain.explain.explanation import ExplainOptions, explain, explain_alike
from kexplain.explain.records import PodExplanation

__all__ = ["ExplainOptions", "PodExplanation", "explain", "explain_alike"]
