"""Names that are one slip of the pen off one among the manifests: of what pods use, and of what is scaled."""

from collections.abc import Iterator, Mapping
from typing import Any

from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.autoscaling import HorizontalPodAutoscaler
from kexplain.objects.custom_workloads import CustomWorkload
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.problem import Path, Problem
from kexplain.objects.scheduling import PriorityClass
from kexplain.objects.storage import StorageClass
from kexplain.objects.untrusted import at
from kexplain.patterns import regex
from kexplain.words import slip_of

#: By the field that holds a reference, or a name: of what kind it is.
_HOLDERS: Mapping[str, str] = {
    **dict.fromkeys(("configMap", "configMapKeyRef", "configMapRef"), "ConfigMap"),
    **dict.fromkeys(("imagePullSecrets", "secret", "secretKeyRef", "secretRef"), "Secret"),
    "persistentVolumeClaim": "PersistentVolumeClaim",
}
_NAMES = {
    "serviceAccountName": "ServiceAccount",
    "priorityClassName": "PriorityClass",
    "serviceName": "Service",
    "storageClassName": "StorageClass",
}
#: Of what a cluster knows these rules of their own tell.
_TOLD: Mapping[str, type[KubernetesObject]] = {
    "PriorityClass": PriorityClass,
    "PersistentVolumeClaim": PersistentVolumeClaim,
    "StorageClass": StorageClass,
}
_FIELDS = ("name", "secretName", "claimName")
_DOUBLED = regex(r"([a-z])\1")
#: Shorter words differ by a letter on purpose, as `ro` and `rw` do, but for one that is doubled or has changed places.
_SHORTEST = 4


def _misspelt(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    """A name that nothing has, where a slip away something has it that the pod, or whoever refers to it, leaves out."""
    found = [*_references(subject)]
    for path, kind, name in found:
        if kind in _TOLD and around.knows(_TOLD[kind]):
            continue
        known = around.named(kind, subject.namespace)
        # Who uses both means both, unless a letter is doubled, or is not.
        used = {each for _, other, each in found if other == kind and _once(each) != _once(name)}
        meant = [each for each in known - used if _is_slip(name, each)] if name not in known else []
        if len(meant) == 1:
            yield Problem(path, f"no {kind} of the manifests is called {name}; did you mean {meant[0]}?")


def _references(subject: Subject) -> Iterator[tuple[Path, str, str]]:
    """What an object refers to: where, the kind and the name."""
    is_claim = isinstance(subject.obj, PersistentVolumeClaim)
    if is_claim or (isinstance(subject, Workload) and not isinstance(subject.obj, CustomWorkload)):
        yield from _within(at(subject.manifest.value, "spec"), ("spec",))
    elif isinstance(subject.obj, HorizontalPodAutoscaler):
        target = subject.obj.spec.scale_target_ref
        yield ("spec", "scaleTargetRef", "name"), target.kind or "", target.name or ""


def _within(value: Any, path: Path) -> Iterator[tuple[Path, str, str]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        if isinstance(key, str) and key in _HOLDERS and isinstance(each, dict | list):
            yield from _held(each, (*path, key), _HOLDERS[key])
        elif key in _NAMES and isinstance(each, str):
            yield (*path, key), _NAMES[key], each
        else:
            yield from _within(each, (*path, key))


def _held(value: Any, path: Path, kind: str) -> Iterator[tuple[Path, str, str]]:
    """The names in a reference, or in each of a list."""
    for index, each in enumerate(value if isinstance(value, list) else ()):
        yield from _held(each, (*path, index), kind)
    for field in _FIELDS:
        if isinstance(name := at(value, field), str):
            yield (*path, field), kind, name


def _is_slip(name: str, known: str) -> bool:
    """Whether a name is another but for a dash, or for a slip in one of its words."""
    if name.replace("-", "") == known.replace("-", ""):
        return True
    words = [*zip(name.split("-"), known.split("-"), strict=False)]
    differing = [(one, other) for one, other in words if one != other]
    if len(differing) != 1 or name.count("-") != known.count("-"):
        return False
    ((one, other),) = differing
    is_counted = one.rstrip("0123456789") == other.rstrip("0123456789")
    is_long = max(len(one), len(other)) >= _SHORTEST
    is_short_slip = _once(one) == _once(other) or sorted(one) == sorted(other)
    return not is_counted and (bool(slip_of(one, (other,))) if is_long else is_short_slip)


def _once(word: str) -> str:
    """The word with each letter that is doubled but once."""
    return _DOUBLED.sub(r"\1", word)


RULES = (Rule("misspelt-name", of_object=_misspelt),)
