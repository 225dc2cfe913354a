"""What plugins said of the pod before they were asked about nodes."""

from collections.abc import Iterator

from kexplain.explain.output import Output
from kexplain.framework.plugin import PreFiltered
from kexplain.framework.status import Status
from kexplain.framework.trace import Decision


class PreFilterAnswer(Output, frozen=True):
    """What a plugin said before it was asked about nodes.

    `status` is Success, Skip where the plugin has nothing to check for the pod, or the code of a rejection of all
    nodes. `nodes` are the only ones that can fit, null for any.
    """

    plugin: str
    status: str
    message: str = ""
    nodes: tuple[str, ...] | None = None


def pre_filter_answers(decision: Decision) -> tuple[PreFilterAnswer, ...]:
    """The answers in the order in which the plugins were asked; those behind a rejection were not."""
    return tuple(_answers(decision))


def _answers(decision: Decision) -> Iterator[PreFilterAnswer]:
    for plugin, answer in decision.pre_filter.items():
        if isinstance(answer, Status):
            yield PreFilterAnswer(plugin=plugin, status=answer.code.value, message=", ".join(answer.reasons))
        elif isinstance(answer, PreFiltered):
            nodes = None if answer.node_names is None else tuple(sorted(answer.node_names))
            yield PreFilterAnswer(plugin=plugin, status="Success", nodes=nodes)
        else:
            yield PreFilterAnswer(plugin=plugin, status="Skip")
