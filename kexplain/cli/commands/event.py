"""`kexplain event`: what the message of an event means."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from kexplain.api import explain, load_case
from kexplain.cli.inputs import check_stdin, standard_input
from kexplain.cli.output import write
from kexplain.cli.requests.event import Request
from kexplain.errors import UsageError
from kexplain.explain.records import PodExplanation
from kexplain.load import Loaded, load
from kexplain.objects.events import Event
from kexplain.patterns import regex
from kexplain.report.event import EventReport, explain_message

#: How a text begins that holds objects rather than messages.
_OBJECTS = regex(rb"\s*(?:[{\[]|---|(?:apiVersion|kind|items|metadata)\s*:)")


class _Said(NamedTuple):
    """A message, and the pod that it is about, where an event names it."""

    message: str
    pod: str = ""
    namespace: str = ""


def run(request: Request) -> int:
    """Always 0: what cannot be read is raised."""
    targets = request.report.targets(request.reports)
    asked = request.events
    if not any(text.strip() for text in asked.texts):
        raise UsageError("no message to explain", "for instance: kexplain event '0/5 nodes are available: ...'")
    check_stdin([*asked.texts, *request.cluster.files])
    said = [each for text in asked.texts for each in _said(text)]
    if not said:
        raise UsageError("there is no event of a pod in the input")
    explained: dict[tuple[str, str], PodExplanation] = {}
    events = []
    for each in said:
        pod, namespace = each.pod or asked.pod.removeprefix("pod/"), each.namespace or asked.namespace
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


def _said(text: str) -> Iterator[_Said]:
    if text == "-":
        given = standard_input().read()
        if _OBJECTS.match(given):
            yield from _of_objects(load(["-"], stdin=BytesIO(given)))
        else:
            lines = given.decode("utf-8", errors="replace").splitlines()
            yield from (_Said(line.strip()) for line in lines if line.strip())
    elif _is_file(text):
        yield from _of_objects(load([text]))
    else:
        yield _Said(text)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        # Too long for a name, or with a NUL byte: a message.
        return False


def _of_objects(loaded: Loaded) -> Iterator[_Said]:
    for obj in loaded.objects:
        if isinstance(obj, Event) and obj.text and obj.subject.kind in ("Pod", None):
            yield _Said(obj.text, obj.subject.name or "", obj.subject.namespace or obj.namespace)
