"""`kexplain event`: what the message of an event means."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from kexplain.api import explain, load_case
from kexplain.case.references import Reference
from kexplain.cli.inputs import check_stdin, inputs, print_notes, standard_input
from kexplain.cli.output import write
from kexplain.cli.requests.event import Request
from kexplain.errors import InputError, UsageError
from kexplain.explanation.records import PodExplanation
from kexplain.load import Loaded, load
from kexplain.load.text.source import GZIP
from kexplain.messages.message import parse_message
from kexplain.messages.pasted_messages import pasted
from kexplain.messages.rows import Pasted
from kexplain.objects.core import Pod
from kexplain.objects.events import AUTOSCALER_REASONS, FAILED_SCHEDULING, Event
from kexplain.objects.meta import Condition
from kexplain.patterns import regex
from kexplain.report.event import EventReport, explain_message
from kexplain.words import plural

#: How a text begins that holds objects rather than messages.
_OBJECTS = regex(rb"\s*(?:[{\[]|---|(?:apiVersion|kind|items|metadata)\s*:)")
#: What events are called that say where a pod can run or cannot; nothing says it of a message by itself.
_REASONS = ("", FAILED_SCHEDULING, *AUTOSCALER_REASONS)
#: A line of a shell, which asks and says nothing.
_SHELL = regex(r"[$#%]? *kubectl\s")
#: What such an event may be about: a pod, or the group, job or claim on machines that it belongs to.
_KINDS = ("", "pod", "podgroup", "workload", "job", "provisioningrequest")


def run(request: Request) -> int:
    """Always 0: what cannot be read is raised."""
    targets = request.report.targets(request.reports)
    asked = request.events
    if not any(text.strip() for text in asked.texts):
        raise UsageError("no message to explain", "for instance: kexplain event '0/5 nodes are available: ...'")
    check_stdin([*asked.texts, *request.cluster.files])
    said = _meant([each for text in asked.texts for each in _said(text)], quiet=request.report.quiet)
    explained: dict[tuple[str, str], PodExplanation | None] = {}
    events = []
    for each in said:
        pod, namespace = each.name or asked.pod.removeprefix("pod/"), each.namespace or asked.namespace
        if pod and request.cluster.files and (pod, namespace) not in explained:
            try:
                explained[pod, namespace] = _explanation(request, pod, namespace)
            except UsageError as error:
                if not each.name:
                    raise
                # Events outlive their pods.
                explained[pod, namespace] = None
                print_notes([str(error)], quiet=request.report.quiet)
        name = f"{namespace}/{pod}" if pod and namespace else pod
        explanation = explained.get((pod, namespace))
        events.append(explain_message(each.message, name, explanation, reported_by=each.reporter))
    print_notes(_unseen(request.cluster.files, explained), quiet=request.report.quiet)
    write(EventReport(events=tuple(events)), request.report, targets)
    return 0


def _unseen(files: Sequence[str], explained: Collection[object]) -> list[str]:
    """That a cluster is given in which no pod is looked for."""
    return [] if explained or not files else ["the cluster is not looked at: --pod says which pod the message is about"]


def _meant(every: Sequence[Pasted], *, quiet: bool) -> list[Pasted]:
    """Those that say why a pod runs where it does or not at all, with a note on the others.

    Raises UsageError if there is none.
    """
    said = [each for each in every if _is_meant(each)]
    if not said:
        raise UsageError("there is no event in the input that says why a pod does not run, or where it can")
    if len(said) < len(every):
        left_out = f"{plural(len(every) - len(said), 'event')} left out: not about why a pod does not run"
        print_notes([left_out], quiet=quiet)
    return said


def _is_meant(said: Pasted) -> bool:
    """Whether it is one of those: by its reason, or because some component says so in these words."""
    is_named = said.reason in _REASONS and said.kind in _KINDS
    return is_named or any(part.is_known for part in parse_message(said.message).parts)


def _explanation(request: Request, pod: str, namespace: str) -> PodExplanation:
    return explain(load_case([Reference("Pod", pod)], inputs(request.cluster, namespace=namespace))).pods[0]


def _said(text: str) -> Sequence[Pasted]:
    if text == "-":
        given = standard_input().read()
    else:
        given = Path(text).read_bytes() if _is_file(text) else text.encode("utf-8", errors="replace")
    if given.startswith(GZIP):
        return list(_of_objects(load([text], stdin=BytesIO(given))))
    found = pasted(given.decode("utf-8", errors="replace"))
    if _OBJECTS.match(given):
        try:
            return list(_of_objects(load(["-"], stdin=BytesIO(given)))) or found.messages
        except InputError:
            # Less than a document, such as some lines of a pod's status; or a log in JSON, or words in brackets.
            if not found.messages and b"kind" in given and (text == "-" or _is_file(text)):
                raise
    return found.messages or [Pasted(line) for line in found.others if not _SHELL.match(line)]


def _is_file(text: str) -> bool:
    with suppress(OSError, ValueError):
        return Path(text).is_file()
    # Too long for a name, or with a NUL byte: a message.
    return False


def _of_objects(loaded: Loaded) -> Iterator[Pasted]:
    """What events say, and the conditions of pods that have no node."""
    for obj in loaded.objects:
        if isinstance(obj, Event) and obj.text:
            about, namespace = obj.subject, obj.subject.namespace or obj.namespace
            kind = (about.kind or "").lower()
            yield Pasted(obj.text, obj.reason or "", kind, about.name or "", namespace, obj.reporter)
        elif isinstance(obj, Pod):
            for condition in obj.status.conditions or ():
                if condition.message and _says_where(condition):
                    yield Pasted(condition.message, "", "pod", obj.name, obj.namespace)


def _says_where(condition: Condition) -> bool:
    is_pending = condition.type == "PodScheduled" and condition.status == "False"
    return is_pending or (condition.type == "DisruptionTarget" and condition.status == "True")
