"""From a decision to an explanation: causes, the numbers behind them, and what would help."""

from kexplain.explain.explanation import ExplainOptions, causes_of, explain, explain_alike
from kexplain.explain.records import PodExplanation

__all__ = ["ExplainOptions", "PodExplanation", "causes_of", "explain", "explain_alike"]
