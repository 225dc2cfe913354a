"""Reports on so many pods and nodes that they are written as they come, and nothing is kept that has been written."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

from msgspec.structs import replace

from kexplain.api import Explanations, Report
from kexplain.cli.atomic import whole_file
from kexplain.cli.flags.report import OutputFlags, Target
from kexplain.cli.output import make_exact, write
from kexplain.explanation.records import PodExplanation
from kexplain.render import stream
from kexplain.render.harmless import log_lines
from kexplain.render.view import View


def write_streamed(
    found: Explanations,
    node_names: Sequence[str],
    view: View,
    shown: OutputFlags,
    targets: Sequence[Target],
    watched: Callable[[Iterator[PodExplanation]], Iterator[PodExplanation]],
) -> Report:
    """The report on all pods, written; without verdicts on nodes where every format does without the whole.

    Pods are `watched` as they come, unless they are seen on the terminal themselves.
    Raises KexplainError if a file cannot be written.
    """
    made = [(target, stream(target.format, found.head, node_names, view)) for target in targets]
    streams = [(target, each) for target, each in made if each is not None]
    whole = [target for target, each in made if each is None]
    are_seen = sys.stdout.isatty() and any(not target.path for target, _ in streams)
    kept: list[PodExplanation] = []
    with ExitStack() as stack:
        outputs = [(_opened(target, stack), each) for target, each in streams]
        for output, each in outputs:
            output(each.begin)
        for pod in found.pods if are_seen else watched(found.pods):
            for output, each in outputs:
                output(each.pod(pod))
            kept.append(pod if whole else replace(pod, node_verdicts=()))
        report = found.report(kept)
        for output, each in outputs:
            output(each.end(report))
    write(report, shown, whole, view)
    return report


_Write = Callable[[str], object]


def _opened(target: Target, stack: ExitStack) -> _Write:
    if not target.path:
        make_exact(target.format)
        return lambda text: sys.stdout.write(log_lines(text))
    write = stack.enter_context(whole_file(target.path))
    return lambda text: write(text.encode())
