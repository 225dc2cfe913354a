"""Pods that have a node and do not run: a row for those that fare alike."""

from collections.abc import Sequence

from kexplain.grouping import grouped
from kexplain.render.pages import Column, Sheet, Style, numbers
from kexplain.render.pages.workloads import heading
from kexplain.render.view import View
from kexplain.report.not_running import NotRunning
from kexplain.shell import command
from kexplain.words import some

#: From this width on there is room for a table.
ROOMY = 120
_SHOWN = 2


def sheet(pods: Sequence[NotRunning], view: View) -> Sheet:
    """The most pods first, each row with the first thing that would help."""
    groups = grouped(((pod.kind, pod.text), pod) for pod in pods)
    rows = [
        (
            str(len(alike)),
            some([f"{pod.namespace}/{pod.name}" for pod in alike], _SHOWN),
            f"on {some(list(dict.fromkeys(pod.node for pod in alike if pod.node)), _SHOWN)}",
            f"{kind}: {text}",
            next((each.text for pod in alike for each in pod.remedies), ""),
        )
        for (kind, text), alike in sorted(groups.items(), key=lambda item: -len(item[1]))
    ]
    of, node = Column("OF", Style.BOLD), Column("NODE", Style.DIM)
    heads = (*numbers("PODS"), of, node, Column("WHY"), Column("WHAT WOULD HELP", Style.REMEDY))
    more = command("kexplain", f"pod/{pods[0].name}", namespace=pods[0].namespace, flags=view.again or ())
    notes = [] if view.again is None else [f"more about one of them: {more}"]
    return Sheet(heading(pods), heads, rows, notes=notes, stacked_below=ROOMY)
