"""Whether what selects pods misses those of the manifests by a slip of the pen."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kexplain.admission.workloads import template_of
from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Subject, Surroundings, Workload, budgets_of
from kexplain.objects.core import Pod, Service
from kexplain.objects.core.placement import PREFERRED, REQUIRED
from kexplain.objects.meta import KubernetesObject, Labels
from kexplain.objects.policy import PodDisruptionBudget
from kexplain.objects.problem import Path, Problem, WordEdit
from kexplain.objects.untrusted import at, entries, texts
from kexplain.patterns import regex
from kexplain.words import slip_of, some

_DIGITS = regex(r"\d+")
#: By kind, the selector of pods in its own namespace.
_SELECTORS: Mapping[str, Path] = {"NetworkPolicy": ("spec", "podSelector"), "PodDisruptionBudget": ("spec", "selector")}
_TERMS: Sequence[tuple[str, Path]] = ((REQUIRED, ()), (PREFERRED, ("podAffinityTerm",)))


def _service_selector(service: Subject, around: Surroundings) -> Iterator[Problem]:
    """A selector that selects nothing, but for a slip of the pen pods beside it that no service selects."""
    wanted = texts(service.manifest.value, "spec", "selector") if isinstance(service.obj, Service) else {}
    if not wanted:
        return
    selectors = [each.spec.selector for each in around.within(service.namespace, Service) if each.spec.selector]
    beside = [each for each in _beside(service, around) if not any(_selects(one, each.labels) for one in selectors)]
    yield from _missed(wanted, {key: ("spec", "selector", key) for key in wanted}, service, beside, around)


def _pod_selector(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """A selector of a budget or a policy, or within affinity, that selects nothing but for a slip of the pen."""
    for path, selector in _selectors(subject, around):
        places = {key: (*path, "matchLabels", key) for key in texts(selector, "matchLabels")}
        wanted, further = texts(selector, "matchLabels"), [*entries(selector, "matchExpressions")]
        for index, each in enumerate(further):
            values = each.get("values")
            if each.get("operator") == "In" and isinstance(values, list) and len(values) == 1:
                wanted[str(each.get("key"))] = str(values[0])
                places[str(each.get("key"))] = (*path, "matchExpressions", index, "values", 0)
        if wanted and len(wanted) == len(texts(selector, "matchLabels")) + len(further):
            yield from _missed(wanted, places, subject, _beside(subject, around), around)


def _selectors(subject: Subject, around: Surroundings) -> Iterator[tuple[Path, Any]]:
    if path := _SELECTORS.get(subject.obj.kind):
        yield path, at(subject.manifest.value, *path)
    if not isinstance(subject, Workload):
        return
    for name in ("podAffinity", "podAntiAffinity"):
        for when, within in _TERMS:
            # What is required and not there, another rule reports on a cluster.
            if name == "podAffinity" and when == REQUIRED and around.has_cluster:
                continue
            for index, each in enumerate(entries(subject.template, "spec", "affinity", name, when)):
                term = at(each, *within) if within else each
                if not at(term, "namespaces") and at(term, "namespaceSelector") is None:
                    place = subject.at("affinity", name, when, index, *within, "labelSelector")
                    yield place, at(term, "labelSelector")


def _missed(
    wanted: Labels, places: Mapping[str, Path], subject: Subject, beside: Sequence[Workload], around: Surroundings
) -> Iterator[Problem]:
    """The labels that are slips of the pen, or in a known cluster all of them, if no pods have what is wanted."""
    if any(_selects(wanted, labels) for labels in _labels(subject.namespace, around)):
        return
    found = [*_slips(wanted, places, subject, beside, around)]
    yield from found
    if not found and around.knows(Pod) and isinstance(subject.obj, Service | PodDisruptionBudget):
        said = " and ".join(f"{key}: {value}" for key, value in wanted.items())
        yield Problem(("spec", "selector"), f"no pods in the manifests or the cluster have {said}")


def _slips(
    wanted: Labels, places: Mapping[str, Path], subject: Subject, beside: Sequence[Workload], around: Surroundings
) -> Iterator[Problem]:
    """The label that is one slip of the pen off one of workloads beside it."""
    for key, value in wanted.items():
        others = {name: each for name, each in wanted.items() if name != key}
        alike = [each for each in beside if _selects(others, each.labels)]
        for meant, label in _meant(key, value, [each.labels for each in alike]):
            names = [each.name for each in alike if _selects({meant: label}, each.labels)]
            message = f"no pods have {key}: {value}; did you mean {meant}: {label}, which those of {some(names)} have?"
            edit = None if _has_budget(subject, alike, around) else WordEdit(meant if meant != key else label)
            yield Problem(places[key], message, is_about_key=meant != key and places[key][-1] == key, edit=edit)


def _has_budget(subject: Subject, workloads: Sequence[Workload], around: Surroundings) -> bool:
    """Whether a budget would be a second one on pods, which nobody could evict then."""
    return isinstance(subject.obj, PodDisruptionBudget) and any(budgets_of(each, around) for each in workloads)


def _labels(namespace: str, around: Surroundings) -> Iterator[Labels]:
    """Those of all pods of a namespace, and of templates there, of which there may be no pods now."""
    templates = (template_of(each) for each in around.within(namespace, KubernetesObject))
    yield from (each.metadata.labels or {} for each in templates if each)
    yield from (each.labels for each in around.workloads if each.namespace == namespace)
    yield from (pod.labels for pod in around.pods if (pod.namespace or around.namespace) == namespace)


def _beside(subject: Subject, around: Surroundings) -> list[Workload]:
    """The workloads of its namespace, in files of its directory."""
    return [each for each in around.workloads if each.namespace == subject.namespace and each.stands_beside(subject)]


def _selects(selector: Labels, labels: Labels) -> bool:
    return selector.items() <= labels.items()


def _meant(key: str, value: str, labels: Sequence[Labels]) -> Iterator[tuple[str, str]]:
    """The label that is one slip of the pen away; counting up is none."""
    likely = slip_of(value, {each[key] for each in labels if key in each})
    if likely and _DIGITS.sub("", likely) != _DIGITS.sub("", value):
        yield key, likely
    likely = slip_of(key, {name for each in labels for name, has in each.items() if has == value})
    if likely:
        yield likely, value


RULES = (
    Rule("service-selects-nothing", of_object=_service_selector), Rule("selector-misses-pods", of_object=_pod_selector),
)  # fmt: skip
