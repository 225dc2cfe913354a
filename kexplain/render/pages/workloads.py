"""Workloads that were named, in words."""

from collections.abc import Iterable, Iterator, Sequence

from kexplain.case.records import ControllerMessage
from kexplain.case.references import kind_with_pods
from kexplain.diagnosis.records import Finding, Kind
from kexplain.grouping import grouped
from kexplain.parameters import parameter
from kexplain.render.pages import Sheet, columns
from kexplain.report.not_running import NotRunning, how_they_stand
from kexplain.report.workloads import WorkloadReport
from kexplain.shell import command
from kexplain.words import clauses, plural, some, verb

_NAMES_SHOWN = 4
_SEVERAL = 2


def workload_verdict(workload: WorkloadReport) -> str:
    """How the pods of a workload stand, in a sentence."""
    there = len(workload.placed) + len(workload.pending)
    name = f"{workload.namespace}/{workload.name} ({workload.kind})"
    if workload.refused:
        return f"{name}: {_refused(workload)}"
    if workload.waits_for:
        later = f"{workload.missing} of {plural(workload.wanted or 0, 'pod')}"
        ready = f"before {workload.waits_for} is ready (podManagementPolicy OrderedReady)"
        return f"{name}: {later} {verb(workload.missing, 'is')} not created {ready}"
    why = f": {workload.diagnosis.text}" if workload.diagnosis else ""
    if not (there or workload.missing or workload.stalled):
        return f"{name}: there are no pods{why or ', and none are wanted now'}"
    if workload.missing or workload.pending:
        return f"{name}: {_lacking(workload, there + workload.missing)}{why if workload.missing else ''}"
    if workload.stopped or workload.stalled:
        return f"{name}: {_not_running(workload, there)}{why}"
    has = "the only pod has" if there == 1 else f"all {there} pods have"
    return f"{name}: {has} a node; {_besides(workload)}"


def _besides(workload: WorkloadReport) -> str:
    """How it stands with a workload whose pods all have a node."""
    if workload.messages:
        return "no more could be created"
    starting = sum(not each.started for each in workload.placed)
    return f"{starting} of them {verb(starting, 'is')} not started yet" if starting else "all is well"


def _refused(workload: WorkloadReport) -> str:
    if workload.kind == "Pod" and workload.wanted == 1:
        return "an API server refuses it"
    of = "the claims of " if workload.claims_refused else ""
    return f"an API server refuses {of}{workload.missing} of {plural(workload.wanted or 0, 'pod')}"


def _not_running(workload: WorkloadReport, there: int) -> str:
    """How many pods do not run although they have a node."""
    count = len(workload.stopped)
    if not count:
        return "the rollout gets no further"
    return f"{count} of {plural(there, 'pod')} {how_they_stand(workload.stopped)}"


def _lacking(workload: WorkloadReport, wanted: int) -> str:
    """How many pods are on their way out, missing or pending."""
    leaving, pending = workload.leaving, len(workload.pending)
    missing = workload.missing - leaving
    counts = (leaving, "has", "not gone yet"), (missing, "has", "not been created"), (pending, "is", "pending")
    (count, first), *others = [(count, f"{verb(count, does)} {said}") for count, does, said in counts if count]
    which = f"{count} of {plural(wanted, 'pod')}"
    if workload.kind == "Deployment" and not others and count <= wanted - (workload.wanted or wanted):
        # All that it wants in the end are there, of the one template or the other.
        which = "the surge pod" if count == 1 else f"{count} surge pods"
    return clauses(f"{which} {first}", *(f"{each} {said}" for each, said in others))


def places(workload: WorkloadReport, title: str = "") -> list[Sheet]:
    """The pods of the workload by their nodes, those that do not run by themselves; `title` is that of the others."""
    why = {one.name: one.text for one in workload.stopped}
    # What is wrong with pods that wait for a node, or are not there, stands above.
    said = not (workload.pending or workload.missing) and len({*why.values()}) == 1
    stopped = [(one.node, one.name, *([] if said else [why[one.name]])) for one in workload.placed if one.name in why]
    others = [(one.node, one.name) for one in workload.placed if one.name not in why]
    verb_of = "RUN" if all(one.started for one in workload.placed if one.name not in why) else "ARE"
    tables = (heading(workload.stopped), stopped), (f"WHERE THE OTHERS {verb_of}" if why else title, others)
    return [_by_node(heading, rows) for heading, rows in tables if rows]


def heading(stopped: Sequence[NotRunning]) -> str:
    """What stands over pods that do not run although they have a node."""
    return how_they_stand(stopped, _SEVERAL).upper()


def _by_node(title: str, pods: Iterable[tuple[str, ...]]) -> Sheet:
    """A table of pods by node, name and perhaps why they do not run: a row for those of a node that are alike."""
    names = grouped(((node, *why), name) for node, name, *why in pods)
    rows = [(node, some(names[node, *why], _NAMES_SHOWN), *why) for node, *why in sorted(names)]
    return Sheet(title, columns(*("NODE", "PODS", "WHY")[: len(rows[0])]), rows)


def detail_of(workload: WorkloadReport) -> str:
    """The amounts behind what is wrong, unless they are a controller's message, to the letter."""
    detail = workload.diagnosis.detail if workload.diagnosis else ""
    return "" if any(detail == message.text for message in workload.messages) else detail


def complaints(workload: WorkloadReport) -> Iterator[str]:
    """Why pods of the workload have not been created, as its controllers say."""
    if workload.refused or workload.waits_for:
        yield from (message.text for message in workload.messages)
        return
    yield from _stopped_besides(workload)
    if detail := detail_of(workload):
        yield detail
    yield from map(_complaint, (each for each in workload.messages if not _is_said(each, workload.diagnosis)))
    if workload.stalled:
        yield workload.stalled
    if workload.missing and not workload.messages and not workload.diagnosis:
        kind = workload.kind.lower()
        described = command("kubectl describe", kind, workload.name, namespace=workload.namespace)
        yield f"no condition or event says why; look at {described}, and at the log of the controller manager"


def how_to_see_room(workload: WorkloadReport, again: Sequence[str] | None) -> Iterator[str]:
    """What tells whether missing pods would have room; those of DaemonSets have a node each, which nothing else has."""
    is_here = workload.diagnosis and workload.diagnosis.kind == Kind.STUCK_TERMINATING
    is_known = is_here or workload.refused or workload.waits_for or workload.kind == "DaemonSet"
    if not workload.missing or is_known or not kind_with_pods(workload.kind):
        return
    how = parameter("replicas", str(workload.missing))
    if again is not None:
        what, flags = f"{workload.kind.lower()}/{workload.name}", [*again, *how.split()]
        how = command("kexplain", what, namespace=workload.namespace, flags=flags)
    yield f"no scheduler sees a pod before it is created; whether the missing pods would have room: {how}"


def _stopped_besides(workload: WorkloadReport) -> Iterator[str]:
    """How many do not run, where the headline is about those without a node."""
    count, why = len(workload.stopped), workload.diagnosis
    if why and count and workload.pending and not workload.missing:
        yield f"besides, {count} {how_they_stand(workload.stopped)}: {why.text}"


def _is_said(message: ControllerMessage, diagnosis: Finding | None) -> bool:
    """Whether what is wrong says all of it: the numbers of a quota, or a webhook's own words, which come last."""
    if diagnosis is None:
        return False
    return diagnosis.kind is Kind.QUOTA_USED_UP or message.text.rpartition(": ")[2] in diagnosis.text


def _complaint(message: ControllerMessage) -> str:
    last = f"last at {message.last_seen}" if message.last_seen else ""
    when = ", ".join(filter(None, (f"{message.times} times" if message.times > 1 else "", last)))
    return f"{message.controller}: {message.text}{f' ({when})' if when else ''}"
