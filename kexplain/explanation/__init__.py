"""From a decision to the full explanation of a pod: causes, the numbers behind them, and what would help."""

from kexplain.explanation.explanation import are_told_alike, explain, explain_alike
from kexplain.explanation.records import ExplainOptions, PodExplanation

__all__ = ["ExplainOptions", "PodExplanation", "are_told_alike", "explain", "explain_alike"]
