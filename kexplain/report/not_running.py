"""Pods that have a node and do not run, for who looks for what is pending."""

from collections.abc import Sequence
from itertools import starmap

from kexplain.case.case import Case
from kexplain.diagnosis.records import Held, Kind
from kexplain.explain.output import Output, copied
from kexplain.objects.core import Pod
from kexplain.remedies.records import Helps
from kexplain.words import verb


class NotRunning(Output, frozen=True):
    """A pod that has a node and does not run, or is not resized, by what its status says.

    `kind` is that of a diagnosis, `by` who says so, and `reason` in which word. `remedies` are those of the first of
    all that fare alike.
    """

    namespace: str
    name: str
    node: str
    kind: str
    by: str
    text: str
    reason: str = ""
    remedies: Helps = ()


def not_running(case: Case) -> tuple[NotRunning, ...]:
    """All of them, of what was searched."""
    if not case.stopped:
        return ()
    # Pods that have a node run, mostly.
    from kexplain.explanation.not_scheduled import mending_of  # noqa: PLC0415
    from kexplain.remedies.held import all_helped  # noqa: PLC0415

    return tuple(starmap(row, all_helped(case.stopped, case.cluster, case.stopped_events, mending_of(case.scheduler))))


def row(pod: Pod, found: Held, remedies: Helps = ()) -> NotRunning:
    """A pod with what keeps it from running."""
    return copied(found.hold, NotRunning, namespace=pod.namespace, name=pod.name, remedies=remedies)


def how_they_stand(pods: Sequence[NotRunning], count: int = 0) -> str:
    """What is the matter with such pods, as a verb for so many: some do not run, others run and are not ready."""
    count = count or len(pods)
    unready = sum(each.kind == Kind.NOT_READY for each in pods)
    if unready == len(pods):
        return f"{verb(count, 'runs')} and {verb(count, 'is')} not ready"
    rest = f", or {verb(count, 'is')} not ready" if unready else ""
    return f"{verb(count, 'has')} a node and {verb(count, 'does')} not run{rest}"
