"""`kexplain event`: what the message of an event means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path

from kexplain.api import explain, load_case
from kexplain.cli.inputs import check_stdin, print_notes, standard_input
from kexplain.cli.output import write
from kexplain.cli.requests.event import Request
from kexplain.errors import UsageError
from kexplain.explanation.records import PodExplanation
from kexplain.load import Loaded, load
from kexplain.messages.pasted import Pasted, pasted
from kexplain.objects.events import AUTOSCALER_REASONS, FAILED_SCHEDULING, Event
from kexplain.patterns import regex
from kexplain.report.event import EventReport, explain_message
from kexplain.words import plural

#: How a text begins that holds objects rather than messages.
_OBJECTS = regex(rb"\s*(?:[{\[]|---|(?:apiVersion|kind|items|metadata)\s*:)")
_COMPRESSED = b"\x1f\x8b"
#: What events are called that say where a pod can run or cannot; nothing says it of a message by itself.
_REASONS = ("", FAILED_SCHEDULING, *AUTOSCALER_REASONS)


def run(request: Request) -> int:
    """Always 0: what cannot be read is raised."""
    targets = request.report.targets(request.reports)
    asked = request.events
    if not any(text.strip() for text in asked.texts):
        raise UsageError("no message to explain", "for instance: kexplain event '0/5 nodes are available: ...'")
    check_stdin([*asked.texts, *request.cluster.files])
    every = [each for text in asked.texts for each in _said(text)]
    said = [each for each in every if each.kind in ("pod", "") and each.reason in _REASONS]
    if not said:
        raise UsageError("there is no event in the input that says where a pod can run or cannot")
    if len(said) < len(every) and not request.report.quiet:
        print_notes([f"{plural(len(every) - len(said), 'event')} left out: not about where a pod can run"])
    explained: dict[tuple[str, str], PodExplanation] = {}
    events = []
    for each in said:
        pod, namespace = each.name or asked.pod.removeprefix("pod/"), each.namespace or asked.namespace
        if pod and request.cluster.files and (pod, namespace) not in explained:
            explained[pod, namespace] = _explanation(request, pod, namespace)
        name = f"{namespace}/{pod}" if pod and namespace else pod
        events.append(explain_message(each.message, name, explained.get((pod, namespace))))
    write(EventReport(events=tuple(events)), request.report.view(), targets, color=request.report.color)
    return 0


def _explanation(request: Request, pod: str, namespace: str) -> PodExplanation:
    case = load_case(
        [f"pod/{pod}"], request.cluster.files, namespace=namespace, recursive=request.cluster.recursive,
        stdin=standard_input(),
    )  # fmt: skip
    return explain(case).pods[0]


def _said(text: str) -> Iterable[Pasted]:
    if text != "-" and not _is_file(text):
        return pasted(text)
    given = standard_input().read() if text == "-" else Path(text).read_bytes()
    if given.startswith(_COMPRESSED) or _OBJECTS.match(given):
        return _of_objects(load([text], stdin=BytesIO(given)))
    return pasted(given.decode("utf-8", errors="replace"))


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        # Too long for a name, or with a NUL byte: a message.
        return False


def _of_objects(loaded: Loaded) -> Iterator[Pasted]:
    for obj in loaded.objects:
        if isinstance(obj, Event) and obj.text:
            about, namespace = obj.subject, obj.subject.namespace or obj.namespace
            yield Pasted(obj.text, obj.reason or "", (about.kind or "").lower(), about.name or "", namespace)
