from __future__ import annotations

import pytest

from kexplain.explain.objections.ports import PortFact
from tests.explain.objections.asking import cause_of, key, texts, words


def port(number: int = 80, protocol: str = "TCP", host_ip: str = "0.0.0.0", *held_by: str) -> PortFact:  # noqa: S104
    return PortFact(port=number, protocol=protocol, host_ip=host_ip, held_by=held_by)


@pytest.mark.parametrize(
    ("facts", "one", "many", "others"),
    [
        pytest.param([port()], "hostPort 80/TCP is taken", "hostPort 80/TCP is taken", "hostPort 80/TCP", id="one"),
        pytest.param([port(80, "TCP", "10.0.0.1", "ns/a", "ns/b")], "hostPort 10.0.0.1:80/TCP is taken by ns/a, ns/b",
                     "hostPort 10.0.0.1:80/TCP is taken", "hostPort 10.0.0.1:80/TCP", id="address-and-holders"),
        pytest.param([port(), port(53, "UDP")], "hostPort 80/TCP is taken; hostPort 53/UDP is taken",
                     "hostPort 80/TCP, hostPort 53/UDP are taken", "hostPort 80/TCP, hostPort 53/UDP", id="two"),
    ],
)  # fmt: skip
def test_words(facts: list[PortFact], one: str, many: str, others: str) -> None:
    assert words(*facts) == one
    assert cause_of({"n0": facts, "n1": facts}) == many
    assert texts(*facts) == [f"drop {others} (a Service needs none), or use another port"]


def test_who_holds_a_port_makes_no_other_cause() -> None:
    assert key(port()) == key(port(80, "TCP", "0.0.0.0", "ns/a"))  # noqa: S104
    assert key(port()) != key(port(host_ip="10.0.0.1"))
