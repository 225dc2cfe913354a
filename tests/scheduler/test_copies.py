import pytest

from kexplain.config.component.default_profile import default_profile
from kexplain.framework.extender import ExtenderConfig
from kexplain.objects.core import Pod
from kexplain.scheduler.copies import Copies
from kexplain.scheduler.cycle import Scheduler
from kexplain.scheduler.scheduling_queue import alone
from tests.factories import HOSTNAME, ZONE, affinity, cluster, node, pod, spread, term, volume
from tests.storage_factories import claim, storage_class

LABELS = {"app": "web"}
NODES = [node(f"n{number}", zone="ab"[number % 2]) for number in range(4)]
MADE = cluster(NODES, [pod("there", labels=LABELS, node="n0")], claim("data"), storage_class("wait"))
KEEPS_APART = affinity(far=[term(LABELS, HOSTNAME)])
DEFAULT = Scheduler({"default-scheduler": default_profile()})


def knows_the_next(made: Pod, scheduler: Scheduler = DEFAULT) -> bool:
    """Whether a second copy is placed by what is known once the scheduler has placed one."""
    queue = alone(scheduler, MADE, 0)
    queue.enter([made])
    *_, first = queue.attempts()
    assert first.decision.host
    return bool(Copies(queue, made, 1).place(made, queue, [first.decision.host]))


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(pod("web", labels=LABELS, cpu="1"), id="plain"),
        pytest.param(pod("web", labels=LABELS, affinity=KEEPS_APART), id="keeps apart"),
        pytest.param(pod("web", labels=LABELS, spread=[spread(ZONE, LABELS, max_skew=3)]), id="spread"),
        pytest.param(pod("web", labels=LABELS, spread=[spread(HOSTNAME, LABELS, soft=True)]), id="preferably spread"),
        pytest.param(pod("web", labels=LABELS, affinity=affinity(prefers_near=[(5, term(LABELS, ZONE))])), id="near"),
    ],
)
def test_what_is_known_serves_the_next_copy(made: Pod) -> None:
    assert knows_the_next(made)


@pytest.mark.parametrize(
    ("made", "scheduler"),
    [
        pytest.param(pod("web", volumes=[volume("data", claim="data")]), DEFAULT, id="reserves"),
        pytest.param(pod("web", labels=LABELS, affinity=affinity(near=[term(LABELS, ZONE)])), DEFAULT, id="needs near"),
        pytest.param(pod("web"), Scheduler(DEFAULT.profiles, extenders=(ExtenderConfig("http://x"),)), id="extender"),
    ],
)
def test_where_more_has_to_be_known(made: Pod, scheduler: Scheduler) -> None:
    assert not knows_the_next(made, scheduler)
