"""What an API server would refuse of a manifest, by rule."""

from collections.abc import Iterator, Sequence

from kexplain.admission import AdmissionObjects
from kexplain.lint.rule import Rule
from kexplain.lint.rules.references import missing
from kexplain.lint.rules.verdicts import REFUSED
from kexplain.lint.subjects import describes_cluster
from kexplain.load import quantity_problems
from kexplain.load.raw_manifests import Manifest
from kexplain.objects.core import Pod
from kexplain.objects.problem import Problem
from kexplain.validation.check import check
from kexplain.validation.custom_workloads import check_template


def refusals(manifest: Manifest, objects: AdmissionObjects, releases: Sequence[str]) -> Iterator[tuple[Rule, Problem]]:
    """Everything that an API server would find wrong with a new object, and where; a dump is none."""
    if isinstance(manifest.obj, Pod) and describes_cluster(manifest.obj):
        return
    of_template = check_template(manifest.obj, manifest.value, objects, releases=releases)
    problems = (*check(manifest.value, objects, releases=releases), *of_template)
    yield from (missing(problem) or (REFUSED, problem) for problem in problems)
    if manifest.obj is not None:
        reported = {problem.path for problem in problems}
        # Of templates that are no template of Kubernetes, no more is known than that amounts must be amounts.
        yield from ((REFUSED, each) for each in quantity_problems(manifest.obj) if each.path not in reported)
