"""What would let missing pods be created."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from kexplain.admission import declared_replicas
from kexplain.admission.refusals import Missing
from kexplain.case.case_builder import Contents
from kexplain.case.own_pods import has_ended, key_of, owner_of, wanted_of_job
from kexplain.case.records import OwnPods
from kexplain.cluster import Cluster
from kexplain.diagnosis.diagnose import diagnose
from kexplain.diagnosis.never_created import COUNTED_PODS, refusal
from kexplain.diagnosis.piled_up import FEW_RUNS
from kexplain.errors import KexplainError
from kexplain.grouping import grouped
from kexplain.load.json_patch import pointer
from kexplain.objects.apps import Deployment, is_recreated
from kexplain.objects.batch import CronJob, Job
from kexplain.objects.changes import DELETE, Change, Target
from kexplain.objects.core import Node, Pod, ServiceAccount
from kexplain.objects.custom_workloads import template_path_of
from kexplain.objects.meta import KubernetesObject, ObjectMeta
from kexplain.objects.persistent_volumes import PersistentVolumeClaim
from kexplain.objects.pod_claims import pod_claims
from kexplain.objects.problem import Problem, last_field, path_text
from kexplain.objects.quantity import nanos_to_milli, parse
from kexplain.objects.request_slips import cpu_slip
from kexplain.objects.requests import CPU
from kexplain.objects.scheduling import PriorityClass, RuntimeClass
from kexplain.objects.untrusted import at
from kexplain.objects.workload_kinds import template_path
from kexplain.patterns import regex
from kexplain.remedies.advice import advice
from kexplain.remedies.controller_fields import to_recreate
from kexplain.remedies.lost_nodes import left_waiting, letting_go, stopping
from kexplain.remedies.records import Remedy
from kexplain.remedies.refused import as_asked, created
from kexplain.remedies.rolling_updates import in_place
from kexplain.remedies.scaled_down import SCALED, scaling
from kexplain.remedies.steps import as_json, change, setting, target_of
from kexplain.words import joined, plural, some
from kexplain.world.members import Rollout
from kexplain.world.sources import ReadObjects
from kexplain.world.surge import deployment_bounds
from kexplain.world.world import World

#: The resource of a quota that counts claims.
_CLAIMS = "persistentvolumeclaims"
#: What an API server says of pods that Pod Security keeps out.
_POD_SECURITY = "violates PodSecurity"


def creating(own: OwnPods, finished: int = 0, objects: Iterable[KubernetesObject] = ()) -> Iterator[Remedy]:
    """Raise quotas by what missing pods need, or request what fits; mend what is refused; start what is suspended.

    So many pods that have `finished` may go where they use up a quota, as may those of other workloads among the
    `objects`.
    """
    if own.missing and own.excesses:
        yield from _within_quota(own, finished, objects)
    if own.missing and own.problems:
        if own.kind == "DaemonSet" and any(_POD_SECURITY in each.text for each in own.complaints):
            # Agents of nodes need the host that the Pod Security standard of the namespace keeps from its pods.
            yield advice("privileged-namespace", own.namespace)
        yield from _mend(own)
    if own.held is not None and not own.excesses and (own.missing or not own.pending):
        field, resume = ("paused", "resume") if isinstance(own.held, Deployment) else ("suspend", "start")
        yield advice("resume", resume, field, changes=[setting(target_of(own.held), {f"/spec/{field}": False})])
    yield from _of_others(own, objects)


def followed(remedies: Iterable[Remedy], own: OwnPods, contents: Contents, cluster: Cluster) -> Iterator[Remedy]:
    """These with where the missing pods are once their changes are made: what is created may find no node.

    Of a class that is not there it is said what comes next, with whatever people put in its place.
    """
    for each in remedies:
        changes = each.changes or tuple(_classes(own.problems))
        found = _rollout_after(changes, own, contents, cluster) if changes else None
        if found is None:
            yield each
            continue
        rollout, why = found
        wanted, served = own.missing + len(own.pending), sum(bool(pod.spec.node_name) for pod in own.pods)
        # A pod that a rollout makes beside the others is not there any more at its end.
        serves = wanted if rollout.complete else max(min(rollout.placed, rollout.desired) - served, 0)
        told = left_waiting(each, rollout.pending, why)
        yield replace(told, serves=min(serves, wanted), pending=wanted) if each.changes else told


def _classes(problems: Iterable[Problem]) -> Iterator[Change]:
    """Classes that are not there, as plain as can be."""
    for each in problems:
        if isinstance(each, Missing) and each.kind in (PriorityClass, RuntimeClass):
            made = change(None, each.kind(metadata=ObjectMeta(name=each.name)))
            yield from filter(None, [made])


def _rollout_after(
    changes: Sequence[Change], own: OwnPods, contents: Contents, cluster: Cluster
) -> tuple[Rollout, str] | None:
    """How far the workload gets, and what is wrong with the first of its pods that have no node then."""
    try:
        end = World(ReadObjects(contents, cluster)).after(changes).settled()
    except KexplainError:
        return None
    rollout = next((each for each in end.rollouts if (each.kind, each.name) == (own.kind, own.name)), None)
    if rollout is None:
        return None
    last = end.last_decisions
    tried = (last[pod.key] for pod in rollout.waiting if pod.key in last)
    judged = next(filter(None, map(diagnose, tried)), None)
    why, there = judged.diagnosis.text if judged else "", {pod.key for pod in own.pods}
    for each in end.pods:
        if each.pod.key not in there:
            # Pods that are made then have other names.
            why = why.replace(each.pod.key, "another of them")
    return rollout, why


def _of_others(own: OwnPods, objects: Iterable[KubernetesObject]) -> Iterator[Remedy]:
    """What is to be done about who stands in the way: an earlier pod, or what refuses the next one."""
    if own.missing and own.stuck and not own.complaints:
        yield from _letting_go(own.stuck[0], objects, by_kubelet=bool(own.stuck_said))
    elif own.excesses or own.problems:
        return
    elif own.waits_for and own.waits_for not in {pod.name for pod in own.pending}:
        yield advice("not-ready", own.waits_for, own.namespace)
    elif own.complaints:
        yield from as_asked(own, refusal(own.complaints[0].text))


def _letting_go(stuck: Pod, objects: Iterable[KubernetesObject], *, by_kubelet: bool) -> Iterator[Remedy]:
    there = next((each for each in objects if isinstance(each, Node) and each.name == stuck.spec.node_name), None)
    return stopping(stuck) if by_kubelet else letting_go(stuck, there)


def _within_quota(own: OwnPods, finished: int, objects: Iterable[KubernetesObject]) -> Iterator[Remedy]:
    """Room in quotas, or less that is asked of them."""
    if finished >= own.missing and [each.resource for each in own.excesses] == [COUNTED_PODS]:
        yield advice("clear-finished", finished, own.namespace)
    others = {each.others[0] for each in own.excesses if each.is_mostly_of_others}
    runs = [*_ending_runs(others, [each for each in objects if each.namespace == own.namespace])]
    if own.raised_by:
        yield advice("bound-raiser", own.raised_by)
    yield from (*runs, _raise_quota(own), *_without_surge(own))
    yield from () if runs else _leave_quota(own, objects)
    if any(each.resource == _CLAIMS for each in own.excesses):
        yield from _unused_claims(own, [each for each in objects if each.namespace == own.namespace])
    yield from _request_less(own)


def _ending_runs(others: Collection[str], objects: Sequence[KubernetesObject]) -> Iterator[Remedy]:
    """That a CronJob makes no more runs for now, and those end that pile up, where it is one of these others."""
    for each in objects:
        if isinstance(each, CronJob) and each.allows_overlap and f"{each.kind} {each.name}" in others:
            own = [job for job in objects if isinstance(job, Job) and owner_of(job, "") == key_of(each, "")]
            runs = [job for job in own if not has_ended(job)]
            ends = (Change(target=target_of(job), verb=DELETE) for job in runs)
            changes, about = (setting(target_of(each), {"/spec/suspend": True}), *ends), (each.name, each.namespace)
            if len(runs) >= FEW_RUNS:
                yield advice("suspend-runs", each.key, *about, [job.name for job in runs], changes=changes)


def _raise_quota(own: OwnPods) -> Remedy:
    """To what all missing pods need."""
    needed = {each: each.used + own.missing * each.asked for each in own.excesses}
    raised = [f"{each.resource} of quota {each.quota} to {each.amount(total)}" for each, total in needed.items()]
    hard: dict[str, dict[str, object]] = {}
    for each, total in needed.items():
        hard.setdefault(each.quota, {})[pointer(("spec", "hard", each.resource))] = each.amount(total)
    quota = partial(Target, api_version="v1", kind="ResourceQuota", namespace=own.namespace)
    changes = (setting(quota(name=name), limits) for name, limits in hard.items())
    return advice("raise-quota", raised, _all_missing(own), changes=changes)


def _unused_claims(own: OwnPods, objects: Sequence[KubernetesObject]) -> Iterator[Remedy]:
    """The claims that no pod uses, and that the workload itself would not use again."""
    used = {each.name for pod in objects if isinstance(pod, Pod) for each in pod_claims(pod)}
    claims = [each.name for each in objects if isinstance(each, PersistentVolumeClaim) and each.name not in used]
    found = [name for name in claims if not regex(rf".*-{own.name}-\d+").fullmatch(name)]
    if found:
        yield advice("delete-claims", some(found), len(found), found, own.namespace)


def _without_surge(own: OwnPods) -> Iterator[Remedy]:
    """That an old pod makes way for the one that only a rollout makes, where quotas have no room for both."""
    for each in own.controllers:
        replicas = declared_replicas(each) or 0
        if isinstance(each, Deployment) and not is_recreated(each) and len(own.pods) + own.missing > replicas:
            made = None if deployment_bounds(each, replicas).unavailable else change(each, in_place(each))
            if made:
                yield advice("roll-in-place", each.name, False, changes=[made])


def _leave_quota(own: OwnPods, objects: Iterable[KubernetesObject]) -> Iterator[Remedy]:
    """That another workload, which uses most of the quotas, gives up what the missing pods need, or one of them."""
    others = {each.others[0] for each in own.excesses if each.is_mostly_of_others}
    if len(others) != 1 or any(each.others[1] < each.asked for each in own.excesses):
        return
    other = others.pop()
    found = (each for each in objects if (each.namespace, f"{each.kind} {each.name}") == (own.namespace, other))
    yield from _scaling_down(own, other, next((each for each in found if isinstance(each, SCALED | Job)), None))


def _scaling_down(own: OwnPods, other: str, workload: KubernetesObject | None) -> Iterator[Remedy]:
    """That the other workload does with as many pods less; one that uses no more than half does not lose all."""
    shares = joined([f"{each.amount(each.others[1])} {each.resource}" for each in own.excesses])
    count = declared_replicas(workload) if isinstance(workload, SCALED) else None
    left = count - _given_up(own, count) if count else -1
    if left == 0 and not any(2 * each.others[1] > each.used for each in own.excesses):
        return
    if workload is None or left < 0:
        ends = [setting(target_of(workload), {"/spec/suspend": True})] if isinstance(workload, Job) else []
        yield advice("scale-other", other, shares, other.partition(" ")[0] in ("Job", "CronJob"), changes=ends)
    else:
        changes, lines = [setting(target_of(workload), {"/spec/replicas": left})], (scaling(workload, left),)
        yield advice("scale-other/to", other, shares, count, left, changes=changes, commands=lines)


def _given_up(own: OwnPods, count: int) -> int:
    """How many of so many pods of another workload use what the missing pods need beyond what is left."""
    needed = ((each.used + own.missing * each.asked - each.allowed, each.others[1]) for each in own.excesses)
    return max(-(-need * count // used) for need, used in needed)


def _request_less(own: OwnPods) -> Iterator[Remedy]:
    """What the quotas leave for each of the missing pods, where that is not much less than they ask for."""
    left = {each: max(each.allowed - each.used, 0) // own.missing for each in own.excesses}
    if all(4 * least >= 3 * each.asked for each, least in left.items()):
        amounts = joined([f"{each.amount(least)} {each.resource}" for each, least in left.items()])
        yield advice("request-less", amounts, _all_missing(own))


def _mend(own: OwnPods) -> Iterator[Remedy]:
    """What an API server refuses, at its place in what makes the pods; all of it at once where it is known how."""
    # A cron job that changes leaves the jobs alone that it has made.
    jobs = (each for each in own.controllers[1:] if isinstance(each, Job) and wanted_of_job(each))
    problems = [*map(partial(_as_meant, own), own.problems)]
    found = [_mending(each, problems) for each in (*own.controllers[:1], *jobs)]
    if changes := [each for each in found if each is not None]:
        yield advice("manifest", f"{_setting_in_words(problems)} in {own.kind} {own.name}", changes=changes)
        return
    accounts = [each for each in own.problems if isinstance(each, Missing) and each.kind is ServiceAccount]
    for each in accounts:
        yield _with_account(own, each)
    if others := [each for each in own.problems if each not in accounts]:
        yield from _mending_or_defaults(own, others)


def _mending_or_defaults(own: OwnPods, problems: Sequence[Problem]) -> Iterator[Remedy]:
    """The fields mended; where a quota wants amounts that no container has, or defaults of them in the namespace."""
    mended = advice("manifest", _mending_in_words(own, problems))
    amounts = ("resources", "requests"), ("resources", "limits")
    if any(each.path[-3:-1] not in amounts for each in problems) or not _is_unset(own, problems):
        yield mended
        return
    given = advice("defaults", own.namespace, list(dict.fromkeys(map(last_field, problems))))
    # What an operator makes it makes anew as it was.
    yield from (given, mended) if own.controllers[0].metadata.controller else (mended, given)


def _with_account(own: OwnPods, account: Missing) -> Remedy:
    """The account made, like that elsewhere, or another one named, which who makes the workload would undo."""
    by = own.controllers[0].metadata.controller if own.controllers else None
    field = path_text((*template_path(own.kind), *account.path))
    made = created("ServiceAccount", account.name, own.namespace)
    return advice("account", account.name, account.elsewhere, own, by, field, changes=[made])


def _as_meant(own: OwnPods, problem: Problem) -> Problem:
    """The problem; where CPUs are probably thousandths, these would do."""
    data = as_json(own.controllers[0]) if own.controllers and problem.path[-1:] == (CPU,) else None
    raw = at(data, *template_path(own.kind), *problem.path)
    slip = cpu_slip(raw, nanos_to_milli(parse(raw))) if isinstance(raw, str | int) and problem.would_do else None
    return replace(problem, would_do=slip.instead) if slip and slip.instead else problem


def _mending_in_words(own: OwnPods, problems: Sequence[Problem]) -> str:
    """Where in the workload what is wrong; what is not there is set, not mended."""
    path = template_path(own.kind)
    places = dict.fromkeys(path_text((*path, *each.path)) for each in problems)
    does, messages = "set" if _is_unset(own, problems) else "mend", dict.fromkeys(each.message for each in problems)
    text = f"{does} {joined([*places], 'and')} in {own.kind} {own.name}"
    if not path and own.kind != "Pod":
        # Where kinds of other projects have their pods' fields is theirs to know.
        fields = dict.fromkeys(map(last_field, problems))
        text = f"{does} {joined([*fields], 'and')} of its pods where {own.kind} {own.name} has them"
    # Of several the diagnosis says what is wrong.
    return f"{text}: {problems[0].message}" if len(messages) == 1 else text


def _is_unset(own: OwnPods, problems: Iterable[Problem]) -> bool:
    """Whether none of the fields is there, as far as the workload was read."""
    path, data = template_path(own.kind), as_json(own.controllers[0]) if own.controllers else None
    return data is not None and not any(at(data, *path, *each.path) is not None for each in problems)


def _setting_in_words(problems: Sequence[Problem]) -> str:
    """Which fields get which values: `set requests.cpu and limits.cpu to 2, and priorityClassName to high`."""
    # Of several values for one field the last one holds for all.
    last = {each.path: each for each in problems}.values()
    told = ((each.would_do, last_field(each)) for each in last)
    settings = ((each if isinstance(each, str) else json.dumps(each), field) for each, field in told)
    by_value = grouped(settings).items()
    return f"set {joined([f'{joined([*dict.fromkeys(fields)])} to {value}' for value, fields in by_value], 'and')}"


def _mending(workload: KubernetesObject, problems: Sequence[Problem]) -> Change | None:
    """The change of the template that leaves none of the problems; None where a value or place is not known."""
    if any(each.would_do is None for each in problems):
        return None
    data = as_json(workload)
    for each in problems:
        *where, last = [*template_path_of(workload), *each.path]
        place = _place(data, where)
        if not isinstance(place, dict) and not (isinstance(last, int) and last < len(place or ())):
            return None
        place[last] = list(each.would_do) if isinstance(each.would_do, tuple) else each.would_do
    after = msgspec.convert(data, type(workload))
    found = change(workload, after)
    return change(workload, to_recreate(after)) if found and found.recreate else found


def _place(data: Any, path: Sequence[str | int]) -> Any:
    """What stands at a place, where maps are made on the way; None for an item that a list does not have."""
    for step, following in zip(path, [*path[1:], ""], strict=True):
        if isinstance(data, dict):
            if data.get(step) is None and not isinstance(following, int):
                data[step] = {}
            data = data.get(step)
        else:
            data = data[step] if isinstance(step, int) and step < len(data or ()) else None
    return data


def _all_missing(own: OwnPods) -> str:
    return f"the {plural(own.missing, 'missing pod')}" if own.missing > 1 else "the missing pod"
