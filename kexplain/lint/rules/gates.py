"""Fields that an API server drops, as the feature gate that brings them is off."""

from collections.abc import Iterator

from kexplain.config.releases.release import traits
from kexplain.framework.traits import GATES
from kexplain.lint.rule import Rule
from kexplain.lint.subjects import Surroundings, Workload
from kexplain.objects.core import PodSpec
from kexplain.objects.problem import Problem
from kexplain.tables import sections
from kexplain.words import clauses

#: By feature gate, the fields of pods that an API server drops without it. Source: `dropDisabledFields`.
_DROPPED = sections("gated-fields")
_FIELDS = dict(zip(PodSpec.__struct_encode_fields__, PodSpec.__struct_fields__, strict=True))
_SETS = {gate.name: gate.field for gate in GATES}


def _dropped(workload: Workload, around: Surroundings) -> Iterator[Problem]:
    scheduler = around.scheduler
    known = {each.gate for each in traits(scheduler.release)}
    for gate, field in ((gate, field) for gate, fields in _DROPPED.items() for field in fields):
        # Without its gate, a release does not know the field either, and refuses it.
        if gate not in known or not getattr(workload.spec, _FIELDS[field]):
            continue
        if not any(getattr(each, _SETS[gate], False) for each in (scheduler.features, scheduler.rules)):
            message = f"does not count: the feature gate {gate} is off in Kubernetes {scheduler.release}"
            meant = _meant(workload) if field == "resources" else ""
            yield Problem(workload.at(field), clauses(message, meant), is_about_key=True)


def _meant(workload: Workload) -> str:
    """Where resources of a pod as a whole were likely to stand, if no container has any."""
    containers = workload.spec.containers or ()
    return "" if any(each.resources for each in containers) else "did you mean resources of a container?"


RULES = (Rule("field-without-gate", _dropped),)
