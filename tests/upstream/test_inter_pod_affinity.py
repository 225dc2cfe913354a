from __future__ import annotations

from typing import Any

import pytest

from kexplain.objects.core import Node, Pod
from tests.factories import affinity, namespace, node, pod, selector, term

from .case import FOR_GOOD, FOR_NOW, Case, check

PLUGIN = "InterPodAffinity"
DB, WEB, ZONE = {"app": "db"}, {"app": "web"}, "topology.kubernetes.io/zone"
ONE: list[Node] = [node("n1", zone="1")]
NOW, GONE = {"n1": FOR_NOW}, {"n1": FOR_GOOD}


def _near(*terms: Any, **further: Any) -> Pod:
    return pod("p", affinity=affinity(near=terms), **further)


def _far(*terms: Any, **further: Any) -> Pod:
    return pod("p", affinity=affinity(far=terms), **further)


def _there(**further: Any) -> list[Pod]:
    return [pod("there", **{"node": "n1", "labels": DB, **further})]


IN_DB = term(selector(None, ("app", "In", ["db", "cache"])), ZONE)
NOT_WEB = term(selector(None, ("app", "NotIn", ["web"])), ZONE)
BOTH = term(selector(None, ("app", "Exists", []), ("app", "NotIn", ["db"])), ZONE)
TEAMS = [namespace("default"), namespace("shop", {"team": "a"})]
OF_TEAM = term(DB, ZONE, namespace_selector=selector({"team": "a"}))
CASES = [
    Case("no wish, nobody there", pod("p"), ONE, PLUGIN),
    Case("near to one of several values", _near(IN_DB), ONE, PLUGIN, running=_there()),
    Case("near to any other", _near(NOT_WEB), ONE, PLUGIN, running=_there()),
    Case("another namespace is not meant", _near(IN_DB), ONE, PLUGIN, GONE, _there(namespace="shop")),
    Case(
        "another namespace is meant",
        _near(term(DB, ZONE, namespaces=["shop"])),
        ONE,
        PLUGIN,
        running=_there(namespace="shop"),
    ),
    Case("nobody is like that", _near(term(WEB, ZONE)), ONE, PLUGIN, GONE, _there()),
    Case("several terms, all met", _near(IN_DB, NOT_WEB), ONE, PLUGIN, running=_there()),
    Case("several terms, one not", _near(IN_DB, term(WEB, ZONE)), ONE, PLUGIN, GONE, _there()),
    Case("requirements of a selector are ANDed", _near(BOTH), ONE, PLUGIN, GONE, _there()),
    Case("the first of its own kind may go anywhere", _near(term(WEB, ZONE), labels=WEB), ONE, PLUGIN),
    Case(
        "one of its own kind elsewhere",
        _near(term(WEB, ZONE), labels=WEB),
        [node("n1", zone="1"), node("n2", zone="2")],
        PLUGIN,
        GONE,
        [pod("there", node="n2", labels=WEB)],
    ),
    Case("a node without the key", _near(term(DB, "rack")), ONE, PLUGIN, GONE, _there()),
    Case("far from who is there", _far(term(DB, ZONE)), ONE, PLUGIN, NOW, _there()),
    Case("far from others than those there", _far(term(WEB, ZONE)), ONE, PLUGIN, running=_there()),
    Case(
        "in another zone is far",
        _far(term(DB, ZONE)),
        [node("n1", zone="1"), node("n2", zone="2")],
        PLUGIN,
        NOW,
        _there(),
    ),
    Case("without the key nothing is near", _far(term(DB, "rack")), ONE, PLUGIN, running=_there()),
    Case(
        "who is there keeps it away",
        pod("p", labels=WEB),
        ONE,
        PLUGIN,
        NOW,
        _there(affinity=affinity(far=[term(WEB, ZONE)])),
    ),
    Case(
        "who is there keeps others away",
        pod("p", labels=WEB),
        ONE,
        PLUGIN,
        running=_there(affinity=affinity(far=[term(DB, ZONE)])),
    ),
    Case(
        "near to who keeps it away",
        _near(IN_DB, labels=WEB),
        ONE,
        PLUGIN,
        NOW,
        _there(affinity=affinity(far=[term(WEB, ZONE)])),
    ),
    Case(
        "near and far from the same",
        pod("p", affinity=affinity(near=[IN_DB], far=[term(DB, ZONE)])),
        ONE,
        PLUGIN,
        NOW,
        _there(),
    ),
    Case(
        "one of two terms of who is there is enough",
        pod("p", labels=WEB),
        ONE,
        PLUGIN,
        NOW,
        _there(affinity=affinity(far=[term({"app": "x"}, ZONE), term(WEB, ZONE)])),
    ),
    Case(
        "one of its own two terms is enough", _far(term({"app": "x"}, ZONE), term(DB, ZONE)), ONE, PLUGIN, NOW, _there()
    ),
    Case("namespaces by their labels", _near(OF_TEAM), ONE, PLUGIN, running=_there(namespace="shop"), others=TEAMS),
    Case(
        "namespaces with other labels", _near(OF_TEAM), ONE, PLUGIN, GONE, _there(namespace="shop"), [namespace("shop")]
    ),
    Case("far from namespaces by their labels", _far(OF_TEAM), ONE, PLUGIN, NOW, _there(namespace="shop"), TEAMS),
    Case(
        "far from all namespaces",
        _far(term(DB, ZONE, namespace_selector=selector())),
        ONE,
        PLUGIN,
        NOW,
        _there(namespace="shop"),
        TEAMS,
    ),
    Case(
        "far from namespaces with other labels",
        _far(OF_TEAM),
        ONE,
        PLUGIN,
        running=_there(namespace="shop"),
        others=[namespace("shop")],
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_neighbours(case: Case) -> None:
    check(case)
