"""Whether an API server would take a manifest: the one place where lint asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from kexplain.admission import AdmissionObjects
from kexplain.admission.optional_plugins import AdmissionPlugin
from kexplain.lint.subjects import Surroundings, describes_cluster
from kexplain.load import quantity_problems
from kexplain.load.raw_manifests import Manifest
from kexplain.objects.core import Namespace, Pod
from kexplain.objects.problem import Problem, Stage
from kexplain.validation import check

#: Fields that name objects that may not exist: rules report that, which know which kinds the cluster holds.
_NAMES = ("priorityClassName", "runtimeClassName")


class RefusalCheck:
    """Says of manifests, one after the other, what an API server would refuse."""

    def __init__(
        self,
        around: Surroundings,
        namespace: str,
        plugins: Collection[AdmissionPlugin],
        releases: Sequence[str],
    ) -> None:
        self._objects = _judged(around)
        self._namespace = namespace
        self._plugins = plugins
        self._releases = releases

    def refusals(self, manifest: Manifest) -> Iterator[Problem]:
        """Everything that an API server would find wrong with a new object, and where; a dump is none."""
        if isinstance(manifest.obj, Pod) and describes_cluster(manifest.obj):
            return
        problems = check(
            manifest.value,
            self._objects,
            namespace=self._namespace,
            plugins=self._plugins,
            releases=self._releases,
        )
        reported = {problem.path for problem in problems}
        for problem in problems:
            if not _is_missing_name(problem):
                yield problem
        if manifest.obj is not None:
            # Of kinds that are not validated, no more is known than that amounts must be amounts.
            yield from (each for each in quantity_problems(manifest.obj) if each.path not in reported)


def _judged(around: Surroundings) -> AdmissionObjects:
    """What admission reads. Namespaces are known to be missing only if the cluster lists any.

    Quotas are counted where pods are placed, one by one.
    """
    admission = replace(around.admission, quotas={}) if around.nodes else around.admission
    return admission if around.knows(Namespace) else replace(admission, namespaces={})


def _is_missing_name(problem: Problem) -> bool:
    return problem.stage is Stage.ADMISSION and bool(problem.path) and problem.path[-1] in _NAMES
