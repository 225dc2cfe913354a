"""What controllers and the queue make of a remedy, pod by pod."""

from __future__ import annotations

from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.changes import Change
from kexplain.remedies.carrying_out import carry_out
from kexplain.remedies.steps import target_of
from tests.factories import cluster, node, pod


def test_pods_that_were_put_on_their_nodes_here_take_no_further_room() -> None:
    """They have a place, though no API server has written it into them yet."""
    leaving, waiting = pod("leaving", cpu="2", node="n1", uid="1"), pod("waiting", cpu="2", uid="2")
    there = cluster([node("n1", cpu="4")], [leaving]).assume(pod("placed", cpu="2", uid="3"), "n1")
    deletion = Change(target=target_of(leaving), verb="delete")
    done = carry_out([deletion], [waiting], [leaving], there, build_scheduler())
    assert done is not None
    assert (done.host, done.serves) == ("n1", 1)
