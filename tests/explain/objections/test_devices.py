from __future__ import annotations

import pytest

from kexplain.framework.evidence import Evidence
from kexplain.framework.evidence.devices import (
    ClaimElsewhere,
    MissingDeviceClass,
    SelectorCount,
    TakenDevice,
    UndeclaredFeatures,
    UnmetCombination,
    UnmetRequest,
)
from tests.explain.objections.asking import by_hand, cause, key, words


def unmet(
    offered: int = 4,
    matching: int = 0,
    free: int = 0,
    wanted: int = 1,
    *,
    passed: int | None = None,
    taken: tuple[TakenDevice, ...] = (),
    taints: tuple[str, ...] = (),
    too_small: int = 0,
) -> UnmetRequest:
    selectors = () if passed is None else (SelectorCount(owner="claim d/c", expression="E", asked=4, matching=passed),)
    return UnmetRequest(
        claim="d/c", request="r", device_class="gpu", wanted=wanted, offered=offered, matching=matching, free=free,
        selectors=selectors, taken=taken, taints=taints, too_small=too_small,
    )  # fmt: skip


PREFIX = "claim d/c, request r needs 1 device of class gpu: "
HELD = (TakenDevice(device="a/b/c", claim="d/other", users=("web",)),)
CASES: list[tuple[Evidence, str, str]] = [
    (unmet(0), PREFIX + "the node offers none", "provide devices of class gpu (is their driver running?)"),
    (unmet(passed=0), PREFIX + "none of 4 devices meets E", "relax E in request r"),
    (
        unmet(matching=2, wanted=3, passed=2),
        "claim d/c, request r needs 3 devices of class gpu: 2 of 4 devices meet E; the node has 2",
        "relax E in request r",
    ),
    (
        unmet(1, 1, 1, wanted=2),
        "claim d/c, request r needs 2 devices of class gpu: the node has 1",
        "add devices of class gpu, or request at most 1",
    ),
    (
        unmet(4, 1, taken=HELD),
        PREFIX + "1 of 4 devices matches, 0 free; 1 taken by d/other (pod web)",
        "free a device: stop what uses claim d/other (pod web)",
    ),
    (
        unmet(4, 2, taints=("k:NoSchedule",)),
        PREFIX + "2 of 4 devices match, 0 free; tainted k:NoSchedule",
        "tolerate k:NoSchedule in request r",
    ),
    (
        unmet(4, 2, too_small=2),
        PREFIX + "2 of 4 devices match, 0 free; 2 with too little left",
        "request less capacity in r",
    ),
    (
        UnmetCombination(
            claims=("d/c",), requests=("a", "b"), attribute="x/numa", values_by_request={"a": ("0",), "b": ()}
        ),
        "claim d/c: a and b must share x/numa (a could have 0; no device for b has it)",
        "drop the constraint matchAttribute x/numa from claim d/c",
    ),
    (
        UnmetCombination(claims=("d/c", "d/e"), requests=("a", "b")),
        "claims d/c, d/e: enough devices for each of a and b, but not for all of them",
        "request fewer devices in claims d/c, d/e",
    ),
    (
        ClaimElsewhere(claim="d/c", nodes="zone=z", users=("web",)),
        "claim d/c is already allocated to devices for zone=z, used by pod web",
        "use a claim other than d/c, or delete and recreate it once nothing uses it",
    ),
    (
        ClaimElsewhere(claim="d/c", nodes=""),
        "claim d/c is allocated, but its devices could not be made ready",
        "use a claim other than d/c, or delete and recreate it once nothing uses it",
    ),
    (
        MissingDeviceClass(request="r", device_class="gpus", known=("gpu", "nic")),
        "request r: device class gpus does not exist; existing classes: gpu, nic",
        "create device class gpus (did you mean gpu?)",
    ),
    (
        MissingDeviceClass(request="r", device_class="gpus", known=()),
        "request r: device class gpus does not exist",
        "create device class gpus",
    ),
    (UndeclaredFeatures(features=("F",)), "kubelet does not declare F", "enable F in the kubelet"),
]


@pytest.mark.parametrize(("fact", "says", "helps"), CASES)
def test_words(fact: Evidence, says: str, helps: str) -> None:
    assert words(fact) == says
    assert by_hand(fact) == helps
    assert cause(fact) == says
    assert key(fact)


def test_causes_add_up_what_the_nodes_have() -> None:
    facts = [unmet(4, 3, 1, wanted=2, taken=HELD * 2), unmet(4, 2, 0, wanted=2, taken=HELD * 2)]
    assert cause(*facts) == (
        "claim d/c, request r needs 2 devices of class gpu: 5 of 8 devices match, 1 free (at most 1 on one node); "
        "4 taken by d/other (pod web)"
    )
    assert len({key(fact) for fact in facts}) == 1
    assert cause(unmet(0), unmet(0)) == PREFIX + "these nodes offer none"
