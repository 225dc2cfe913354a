"""What controllers and the queue make of a remedy, pod by pod."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kexplain.cluster import Cluster
from kexplain.config.scheduler_settings import build_scheduler
from kexplain.objects.changes import Change
from kexplain.objects.core import Pod
from kexplain.remedies.carrying_out import MOST_PODS, NODES_LOOKED_AT, carry_out
from kexplain.remedies.steps import target_of
from kexplain.world.sources import CountedObjects
from kexplain.world.world import World
from tests.factories import cluster, node, pod
from tests.remedies import situations
from tests.remedies.test_scaled_down import helping

_IS_N1 = {"key": "metadata.name", "operator": "In", "values": ["n1"]}


def _world(there: Cluster, waiting: Sequence[Pod]) -> World:
    return World(CountedObjects(there, build_scheduler(), waiting))


def test_pods_that_were_put_on_their_nodes_here_take_no_further_room() -> None:
    """They have a place, though no API server has written it into them yet."""
    leaving, waiting = pod("leaving", cpu="2", node="n1", uid="1"), pod("waiting", cpu="2", uid="2")
    there = cluster([node("n1", cpu="4")], [leaving]).assume(pod("placed", cpu="2", uid="3"), "n1")
    deletion = Change(target=target_of(leaving), verb="delete")
    done = carry_out([deletion], [waiting], [leaving], _world(there, [waiting]))
    assert done is not None
    assert (done.host, done.serves) == ("n1", 1)


def test_many_pods_are_followed_where_nodes_are_few() -> None:
    leaving = pod("leaving", cpu="2", node="n1", uid="gone")
    waiting = [pod(f"waiting-{number}", cpu="10m", uid=str(number)) for number in range(MOST_PODS + 5)]
    deletion = Change(target=target_of(leaving), verb="delete")
    few = cluster([node("n1", cpu="4")], [leaving])
    done = carry_out([deletion], waiting, [leaving], _world(few, waiting))
    assert done is not None
    assert done.serves == len(waiting)
    many = cluster([node(f"n{number}", cpu="4") for number in range(NODES_LOOKED_AT // MOST_PODS)])
    assert carry_out([deletion], waiting, [leaving], _world(many, waiting)) is None


def test_a_daemon_set_is_followed(tmp_path: Path) -> None:
    """What its changed template comes to is known of the pod that waits and of those that run."""
    there = [situations.node("n1", "1500m"), situations.node("n2", "4")]
    agents = [*situations.of_kind("DaemonSet", "agent", situations.template("2"), ["n2", ""], replicas=None)]
    pin = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [_IS_N1]}]}}
    agents[-1]["spec"]["affinity"] = {"nodeAffinity": pin}
    remedies = helping(tmp_path / "cluster.json", [*there, *agents])
    less = next(each for each in remedies if each.action == "request-less")
    assert (less.tried, less.nodes, less.serves) == (True, ("n1",), None)
