"""What happens by itself if one waits: what the scheduler has begun to do for a pod, and what it would do next."""

from __future__ import annotations

from collections.abc import Iterator

from kexplain.explain.records import Remedy
from kexplain.framework.trace import Decision
from kexplain.words import some

_FOR_PREEMPTION = "wait-for-preemption"


def waits(decision: Decision) -> Iterator[Remedy]:
    """The reasons to do nothing about a pod that does not fit, each with what it waits for."""
    yield from _going(decision)
    for _, answer in decision.post_filter:
        if answer.deallocates:
            text = (
                f"wait: nothing else uses claim {answer.deallocates}; the scheduler takes its devices away and tries "
                "the pod again at once"
            )
            yield Remedy(action="wait-for-deallocation", text=text)
    if decision.preemption is not None and decision.nominated_node:
        chosen = next(c for c in decision.preemption.candidates if c.node_name == decision.nominated_node)
        text = f"wait: the scheduler would evict {some([victim.key for victim in chosen.victims])} to make room"
        yield Remedy(action=_FOR_PREEMPTION, text=text, nodes=(decision.nominated_node,))


def _going(decision: Decision) -> Iterator[Remedy]:
    """That pods which leave the node that the pod was nominated for have not gone yet."""
    node_info = decision.cluster.node_info_by_name.get(decision.pod.status.nominated_node_name or "")
    pods = [each.pod for each in node_info.pods if each.pod.metadata.deletion_timestamp] if node_info else []
    if node_info is None or not pods:
        return
    last = max(pod.metadata.deletion_timestamp or "" for pod in pods)
    gone = f"{some([pod.key for pod in pods])} {'is' if len(pods) == 1 else 'are'} gone"
    text = f"wait: nominated to {node_info.name}, where it is tried again once {gone} (deleted, with time until {last})"
    yield Remedy(action=_FOR_PREEMPTION, text=text)
