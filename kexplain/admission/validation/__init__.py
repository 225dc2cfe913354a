"""Would an API server take a manifest? Everything that it would find wrong, with the fields that it would name."""

from __future__ import annotations

from kexplain.admission.validation.check import check
from kexplain.admission.validation.problem import Path, Problem, Stage

__all__ = ["Path", "Problem", "Stage", "check"]
