from __future__ import annotations

import pytest

from kexplain.explain.objections.affinity import AffinityFact, AntiAffinityFact, ExistingAntiAffinityFact
from kexplain.framework.evidence import Evidence
from kexplain.objects.selectors import EVERYTHING
from tests.explain.objections.asking import cause, key, proposals, texts, words


def near(
    domain: str | None = "a", *elsewhere: str, selector: str = "app=db", namespaces: tuple[str, ...] = ("ns",),
    others: tuple[str, ...] = (),
) -> AffinityFact:  # fmt: skip
    return AffinityFact(
        topology_key="zone", domain=domain, selector=selector, namespaces=namespaces, found_elsewhere=elsewhere,
        found_in_other_namespaces=others,
    )  # fmt: skip


def away(*pods: str, matching: int = 0, domain: str = "a", selector: str = "app=db") -> AntiAffinityFact:
    return AntiAffinityFact(
        topology_key="zone", domain=domain, selector=selector, matching=matching or len(pods), pods=pods
    )


def repelled(*pods: str, matching: int = 0, domain: str = "a") -> ExistingAntiAffinityFact:
    return ExistingAntiAffinityFact(topology_key="zone", domain=domain, matching=matching or len(pods), pods=pods)


@pytest.mark.parametrize(
    ("fact", "one", "many"),
    [
        pytest.param(near(), "needs a pod app=db in zone=a", "needs a pod app=db in the same zone; none runs in ns",
                     id="nowhere"),
        pytest.param(near(None), "needs a pod app=db, but has no label zone",
                     "needs a pod app=db in the same zone; none runs in ns", id="no-domain"),
        pytest.param(near("a", "ns/x", "ns/y"), "needs a pod app=db in zone=a",
                     "needs a pod app=db in the same zone; such pods run elsewhere: ns/x, ns/y", id="elsewhere"),
        pytest.param(near(others=("b/x",)), "needs a pod app=db in zone=a",
                     "needs a pod app=db in the same zone; none runs in ns, but in other namespaces: b/x",
                     id="other-namespace"),
        pytest.param(near(selector=str(EVERYTHING), namespaces=()), "needs any pod in zone=a",
                     "needs any pod in the same zone; none runs in any namespace", id="empty-selector"),
        pytest.param(away("ns/x"), "must be away from ns/x (pods app=db) in zone=a",
                     "must not share zone with pods app=db: ns/x", id="away"),
        pytest.param(away("ns/x", "ns/y", matching=5, selector=str(EVERYTHING)),
                     "must be away from ns/x, ns/y and 3 more (all pods) in zone=a",
                     "must not share zone with all pods: ns/x, ns/y", id="away-from-many"),
        pytest.param(away(matching=1), "must be away from 1 pod (pods app=db) in zone=a",
                     "must not share zone with pods app=db: ", id="away-from-one-unknown"),
        pytest.param(repelled("ns/x"), "anti-affinity of ns/x in zone=a",
                     "anti-affinity of running pods over zone: ns/x", id="repelled"),
        pytest.param(repelled(matching=2), "anti-affinity of 2 pods in zone=a",
                     "anti-affinity of running pods over zone: ", id="repelled-by-unknown"),
    ],
)  # fmt: skip
def test_words(fact: Evidence, one: str, many: str) -> None:
    assert words(fact) == one
    assert cause(fact, fact) == many
    assert key(fact)


def test_pods_of_all_nodes_are_named_once() -> None:
    assert cause(away("ns/x"), away("ns/y", domain="b"), away("ns/x")).endswith(": ns/x, ns/y")
    assert cause(*(repelled(name) for name in "abcdef")).endswith(": a, b, c, d and 2 more")


def test_domains_make_no_other_cause() -> None:
    assert key(near()) == key(near("b", "ns/x"))
    assert key(away("ns/x")) == key(away("ns/y", domain="b"))
    assert key(repelled("ns/x")) == key(repelled("ns/y", domain="b"))


PREFERRED = "make the affinity to pods app=db in the same zone preferred"


@pytest.mark.parametrize(
    ("fact", "helps"),
    [
        pytest.param(near(), [PREFERRED, "run a pod app=db in the same zone"], id="near"),
        pytest.param(near(None), [PREFERRED, "run a pod app=db on a node with the label zone"], id="no-domain"),
        pytest.param(near(others=("c/x", "b/y", "b/z")),
                     ["add namespaces: [b, c] to the affinity term",
                      PREFERRED, "run a pod app=db in the same zone"], id="other-namespaces"),
        pytest.param(away("ns/x"),
                     ["make the anti-affinity to pods app=db preferred"], id="away"),
        pytest.param(repelled("ns/x", "ns/y"), ["move ns/x, ns/y, or make their anti-affinity preferred"],
                     id="repelled"),
    ],
)  # fmt: skip
def test_what_would_help(fact: Evidence, helps: list[str]) -> None:
    assert texts(fact) == helps


def test_only_moving_pods_is_promised_untried() -> None:
    assert [each.edit is None for each in proposals(away("ns/x"))] == [False]
    (moved,) = proposals(repelled("ns/x"))
    assert moved.edit is None
    assert moved.nodes == ("n0",)
