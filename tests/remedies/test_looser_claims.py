"""Claims on devices that ask for less."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from kexplain.diagnosis.scene import Scene
from kexplain.objects.core import Pod, PodResourceClaim
from kexplain.objects.resource import ResourceClaim
from kexplain.remedies.looser_claims import Looser, deallocated, doing_without, loosened, of_class, unconstrained
from kexplain.remedies.proposal import Proposal
from tests.factories import cluster, pod

CLAIM = msgspec.convert(
    {
        "metadata": {"name": "gpus", "namespace": "default"},
        "spec": {
            "devices": {
                "requests": [
                    {"name": "r0", "exactly": {"deviceClassName": "gpu", "count": 2, "selectors": [{}]}},
                    {"name": "r1", "firstAvailable": [{"name": "big", "deviceClassName": "gpu", "count": 3}]},
                ],
                "constraints": [
                    {"requests": ["r0", "r1"], "matchAttribute": "x/numa"},
                    {"requests": ["r0"], "matchAttribute": "x/model"},
                ],
            }
        },
        "status": {"allocation": {}, "reservedFor": []},
    },
    ResourceClaim,
)
ASKING = pod("web")


def home(asking: Pod = ASKING) -> Scene:
    return Scene(asking, cluster([], [], CLAIM))


def made(proposals: Sequence[Proposal]) -> ResourceClaim:
    ((step,),) = (proposal.steps for proposal in proposals)
    assert step.edit is not None
    changed: ResourceClaim = step.edit(CLAIM)
    return changed


@pytest.mark.parametrize(
    ("request_name", "way", "text"),
    [
        ("r0", Looser.ANY, "drop the selectors of request r0 from claim default/gpus"),
        ("r0", Looser.FEWER, "ask for 1 device instead of 2 in request r0 of claim default/gpus"),
        ("r0", Looser.TOLERANT, "tolerate tainted devices in request r0 of claim default/gpus"),
        ("r0", Looser.SMALLER, "ask for no capacity in request r0 of claim default/gpus"),
        ("r1/big", Looser.FEWER, "ask for 1 device instead of 2 in request r1/big of claim default/gpus"),
    ],
)
def test_a_request_is_loosened_and_others_stay(request_name: str, way: Looser, text: str) -> None:
    proposals = list(loosened("default/gpus", request_name, [way], home(), 1, 2))
    assert [proposal.text for proposal in proposals] == [text]
    before, after = CLAIM.spec.devices.requests or (), made(proposals).spec.devices.requests or ()
    changed = [old.name for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ([request_name.partition("/")[0]] if way is not Looser.SMALLER else [])


def test_a_request_that_is_dropped_takes_its_constraints_along() -> None:
    devices = made(list(loosened("default/gpus", "r1", [Looser.DROPPED], home()))).spec.devices
    assert [each.name for each in devices.requests or ()] == ["r0"]
    assert [each.match_attribute for each in devices.constraints or ()] == ["x/model"]


def test_a_constraint_is_dropped_alone() -> None:
    devices = made(list(unconstrained("default/gpus", "x/numa", home()))).spec.devices
    assert [each.match_attribute for each in devices.constraints or ()] == ["x/model"]
    assert len(devices.requests or ()) == 2


def test_claims_of_the_pod_ask_for_another_class() -> None:
    asking = pod("web")
    spec = msgspec.structs.replace(
        asking.spec, resource_claims=(PodResourceClaim(name="c", resource_claim_name="gpus"),)
    )
    changed = made(list(of_class("r0", "gpu", "gpu-v2", home(msgspec.structs.replace(asking, spec=spec)))))
    first = (changed.spec.devices.requests or ())[0]
    assert first.exactly is not None
    assert first.exactly.device_class_name == "gpu-v2"


def test_claims_that_are_not_there_are_left_alone() -> None:
    assert list(loosened("default/none", "r0", Looser, home())) == []
    assert list(deallocated(["default/none"], [], home())) == []
    assert list(doing_without(["default/gpus"], ASKING)) == []


def test_devices_are_free_once_their_users_are_gone() -> None:
    (step,) = deallocated(["default/gpus"], [pod("user")], home())
    assert (step.kind, step.name, step.edit) == (Pod, "user", None)


def test_a_claim_that_nobody_uses_is_made_again() -> None:
    (step,) = deallocated(["default/gpus"], [], home())
    assert step.edit is not None
    assert step.edit(CLAIM).status.allocation is None
