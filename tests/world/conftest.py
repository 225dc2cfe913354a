"""What becomes of each cluster, and what cannot be done to it, is recorded for each test that comes upon it.

The recording is rewritten by `pytest tests/world --rewrite-golden` only; read its difference.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kexplain.world.members import Rollout
from kexplain.world.world import Followed, World
from tests.said import Heard, listen_to_errors

HEARD = Heard(Path(__file__).parent / "said.txt")
#: They hold one world to another, of which there are many.
_OF_MANY = ("test_recorded", "test_sources")


def _of_rollout(each: Rollout) -> Iterator[str]:
    """All that is said of a workload, but what is empty."""
    figures = {name: getattr(each, name) for name in each.__struct_fields__}
    said = [f"{name} {value}" for name, value in figures.items() if isinstance(value, str | int) and value]
    yield ", ".join(said)
    yield from (f"  refused: {refused}" for refused in each.refusals)
    for name in ("waiting", "stuck", "unready"):
        if pods := figures[name]:
            yield f"  {name}: {', '.join(pod.key for pod in pods)}"


def _in_lines(followed: Followed) -> Iterator[str]:
    for each in followed.rollouts:
        yield from _of_rollout(each)
    pods = sorted((info.pod.key, node.name) for node in followed.cluster.node_infos for info in node.pods)
    yield f"end: {', '.join(f'{pod} on {node}' for pod, node in pods)}"
    yield f"wait: {', '.join(pod.pod.key for pod in followed.settled.waiting)}"
    yield from (f"note: {note}" for note in followed.notes)
    yield from (f"refused {obj.kind} {obj.name}: {why}" for obj, why in followed.refused)


@pytest.fixture(autouse=True)
def heard(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    lines: list[str] = []
    settled = World.settled

    def listening(world: World, **more: Any) -> Followed:
        followed = settled(world, **more)
        lines.extend(_in_lines(followed))
        return followed

    monkeypatch.setattr(World, "settled", listening)
    listen_to_errors(monkeypatch, lines)
    yield
    if request.path.stem not in _OF_MANY:
        HEARD.check(request, lines)


def pytest_sessionfinish() -> None:
    """Record what all tests have come upon."""
    HEARD.write()
