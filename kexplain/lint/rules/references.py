"""Whether what a pod names exists, and can be used by that many pods; and whether what selects pods misses them.

That something is not there is held against a manifest only if the cluster holds others of its kind: a dump of nodes
and pods says nothing about classes and claims.
"""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from kexplain.admission.refusals import Missing
from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Subject, Surroundings, Workload
from kexplain.objects.apps import Deployment, StatefulSet
from kexplain.objects.core import PersistentVolumeClaimSpec, ReplicationController
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.problem import Path, Problem, slip_edit
from kexplain.objects.scheduling import PriorityClass, RuntimeClass
from kexplain.objects.storage import StorageClass
from kexplain.patterns import regex
from kexplain.words import clauses, did_you_mean

_DIGITS = regex(r"\d+")
_ONE_NODE = frozenset({"ReadWriteOnce", "ReadWriteOncePod"})


def missing(problem: Problem) -> tuple[Rule, Problem] | None:
    """The rule for a class that admission does not find, with the words of these rules; None if it is about others."""
    rule = _BY_MISSING_KIND.get(problem.kind) if isinstance(problem, Missing) else None
    if rule is None or not isinstance(problem, Missing):
        return None
    return rule, replace(problem, message=clauses(f"there is no {problem.kind.__name__} {problem.name}", problem.near))


def _claim(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    if not around.knows(PersistentVolumeClaim):
        return
    known = around.names(PersistentVolumeClaim, workload.namespace)
    for at, claim in _claims_of(workload):
        if claim not in known and not _is_made(claim, around):
            message = f"there is no claim {claim} in namespace {workload.namespace}"
            yield Problem(at, clauses(message, did_you_mean(claim, known)), edit=slip_edit(claim, known))


def _claims_of(workload: Workload) -> Iterator[tuple[Path, str]]:
    """The names of the claims that its pods mount, and where they stand."""
    for index, volume in enumerate(workload.spec.volumes or ()):
        if volume.persistent_volume_claim and (name := volume.persistent_volume_claim.claim_name):
            yield workload.at("volumes", index, "persistentVolumeClaim", "claimName"), name


def _is_made(claim: str, around: Surroundings) -> bool:
    """Whether a StatefulSet of the manifests makes the claim: a backup may well mount it."""
    sets = (each.obj for each in around.workloads if isinstance(each.obj, StatefulSet))
    stems = [f"{of.metadata.name}-{each.name}-" for each in sets for of in each.spec.volume_claim_templates or ()]
    return any(claim.startswith(stem) and claim.removeprefix(stem).isdigit() for stem in stems)


def _storage_class(subject: Subject, around: Surroundings) -> Iterator[Problem]:
    if not around.knows(StorageClass):
        return
    known = around.names(StorageClass)
    for path, spec in claim_specs(subject):
        # A volume that is named, or one without a provisioner, may carry a class that is no object.
        if spec.storage_class_name and spec.storage_class_name not in known and not spec.volume_name:
            name = spec.storage_class_name
            message = clauses(f"there is no StorageClass {name}", did_you_mean(name, known))
            yield Problem((*path, "storageClassName"), message, edit=slip_edit(name, known))


def claim_specs(subject: Subject) -> Iterator[tuple[Path, PersistentVolumeClaimSpec]]:
    """What a claim on a volume, or the templates of such, ask for, and where it stands."""
    if isinstance(subject.obj, PersistentVolumeClaim):
        yield ("spec",), subject.obj.spec
    elif isinstance(subject.obj, StatefulSet):
        for index, template in enumerate(subject.obj.spec.volume_claim_templates or ()):
            yield ("spec", "volumeClaimTemplates", index, "spec"), template.spec


def _shared_claim(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """A claim that one node can mount, for replicas that land on several."""
    replicas = workload.replicas or 0
    if replicas < 2 or not isinstance(workload.obj, Deployment | StatefulSet | ReplicationController):
        return
    claims = {claim.name: claim for claim in around.within(workload.namespace, PersistentVolumeClaim)}
    for at, name in _claims_of(workload):
        claim = claims.get(name)
        modes = set(claim.spec.access_modes or ()) if claim else set()
        if claim is not None and modes and modes <= _ONE_NODE:
            taker = "one pod" if modes == {"ReadWriteOncePod"} else "one node"
            listed = ", ".join(sorted(modes))
            yield Problem(
                at, f"all {replicas} replicas mount {claim.name}, which only {taker} can use at a time ({listed})"
            )


def _labels_of_a_volume(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    """A claim that two workloads mount with different labels of SELinux; Recursive opts out, if both say so."""
    own = _selinux(workload)
    if own is None or own.policy == "Recursive":
        return
    for at, claim in _claims_of(workload):
        for each in _sharing(claim, workload, around):
            other = _selinux(each)
            if other and other.label != own.label:
                labels = f"{other.label} there, {own.label} here"
                yield Problem(at, f"{each.obj.kind} {each.name} mounts it with another label of SELinux: {labels}")


class _SELinux(NamedTuple):
    """What pods are labelled with, and how their volumes get that label."""

    label: str
    policy: str | None


def _selinux(workload: Workload) -> _SELinux | None:
    """None where the pod as a whole names no level, without which volumes are not mounted with a label."""
    context = workload.spec.security_context
    options = context.se_linux_options if context else None
    if context is None or options is None or not options.level:
        return None
    named = (options.user, options.role, options.type, options.level)
    return _SELinux(":".join(part for part in named if part), context.se_linux_change_policy)


def _sharing(claim: str, workload: Workload, around: Surroundings) -> Iterator[Workload]:
    """The workloads of its namespace that mount a claim, itself among them."""
    for each in around.workloads:
        if each.namespace == workload.namespace and any(name == claim for _, name in _claims_of(each)):
            yield each


_PRIORITY_CLASS = Rule("missing-priority-class")
_RUNTIME_CLASS = Rule("missing-runtime-class")
_BY_MISSING_KIND = {PriorityClass: _PRIORITY_CLASS, RuntimeClass: _RUNTIME_CLASS}


RULES = (
    _PRIORITY_CLASS, _RUNTIME_CLASS, Rule("missing-claim", _claim),
    Rule("missing-storage-class", of_object=_storage_class), Rule("claim-for-one-node", _shared_claim),
    Rule("volume-with-two-labels", _labels_of_a_volume),
)  # fmt: skip
