"""Manifests of which one undoes what another does."""

from collections.abc import Iterator

from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Subject, Surroundings
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.problem import Problem
from kexplain.words import some, verb


def _declared_twice(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """An object that a manifest of the same directory, or before it in the same file, declares as well."""
    for other in around.alike(subject):
        if other is subject:
            return
        if subject.obj.name and other.stands_beside(subject):
            source, line = other.manifest.origin.source, other.manifest.origin.locate()[0]
            said = f"{subject.name} is declared in {source}:{line} as well: of the two, the one applied last holds"
            yield Problem(("metadata", "name"), said)
            return


def _several_autoscalers(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """An autoscaler whose workload another one scales, too. Source: podautoscaler `validateAndParseSelector`."""
    scaler = subject.obj
    if isinstance(scaler, HorizontalPodAutoscaler):
        target = scaler.spec.scale_target_ref
        beside = around.within(subject.namespace, HorizontalPodAutoscaler)
        others = {each.name for each in beside if each.spec.scale_target_ref == target}
        if rivals := sorted(others - {scaler.name}):
            scaled = f"{some(rivals)} {verb(len(rivals), 'scales')} {target.kind} {target.name} as well"
            yield Problem(("spec", "scaleTargetRef"), f"{scaled}, so that none of them scales it")


RULES = (Rule("declared-twice", of_object=_declared_twice), Rule("several-autoscalers", of_object=_several_autoscalers))
