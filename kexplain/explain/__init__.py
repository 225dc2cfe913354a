"""From a decision to an explanation: causes, the numbers behind them, and what would help."""

from kexplain.explain.explanation import ExplainOptions, explain
from kexplain.explain.records import PodExplanation, Report

__all__ = ["ExplainOptions", "PodExplanation", "Report", "explain"]
