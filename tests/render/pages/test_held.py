"""How it stands with pods that something else than the scheduler keeps from running."""

from __future__ import annotations

import pytest

from kexplain.diagnosis.records import Hold, Kind
from kexplain.render.pages.held import is_held


@pytest.mark.parametrize(
    ("kind", "node", "one", "several"),
    [
        (Kind.NOT_TRIED, "", "", ""),
        (Kind.SUSPENDED, "", " is not created", " are not created"),
        (Kind.QUEUE_ADMITTED, "", " is let in by Kueue", " are let in by Kueue"),
        (Kind.QUEUE_WAITING, "", " is held back by Kueue", " are held back by Kueue"),
        (Kind.CLAIM_NOT_PROVISIONED, "", " waits for a volume", " wait for volumes"),
        (Kind.PREEMPTED, "n1", " was preempted on n1", " were preempted on n1"),
        (Kind.STUCK_TERMINATING, "n1", " is still being deleted", " are still being deleted"),
        (Kind.EVICTED, "n1", " was evicted from n1", " were evicted from n1"),
        (Kind.TURNED_AWAY, "n1", " was turned away by the kubelet of n1", " were turned away by the kubelet of n1"),
        (Kind.RESIZE_DEFERRED, "n1", " runs on n1 and is not resized", " run on n1 and are not resized"),
        (Kind.RESIZE_INFEASIBLE, "n1", " runs on n1 and is not resized", " run on n1 and are not resized"),
        (Kind.RESIZE_FAILED, "n1", " runs on n1 and is not resized", " run on n1 and are not resized"),
        (Kind.NOT_READY, "n1", " runs on n1 and is not ready", " run on n1 and are not ready"),
        (Kind.VOLUME_NOT_MOUNTED, "n1", " has node n1 and does not run", " have node n1 and do not run"),
    ],
)
def test_how_it_stands(kind: Kind, node: str, one: str, several: str) -> None:
    held = Hold(kind=kind, by="Kueue", text="words", node=node)
    assert (is_held(held), is_held(held, "are")) == (one, several)
