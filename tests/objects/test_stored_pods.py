"""Which pods of a snapshot somebody may look at, and what columns say of the others."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.objects.core import (
    EphemeralVolume,
    PersistentVolumeClaimVolume,
    Pod,
    PodResourceClaim,
    PodSchedulingGroup,
    Volume,
)
from kexplain.objects.meta import Condition
from kexplain.objects.stored_pods import Values
from tests.factories import pod
from tests.load.snapshot.stored import running, snapshot_of


def _with_spec(**fields: object) -> Pod:
    whole = running("p")
    return replace(whole, spec=replace(whole.spec, **fields))


def _with_status(**fields: object) -> Pod:
    whole = running("p")
    return replace(whole, status=replace(whole.status, **fields))


def _conditions(*types: str) -> tuple[Condition, ...]:
    return tuple(Condition(type=each, status="True") for each in types)


@pytest.mark.parametrize(
    ("other", "is_loose"),
    [
        pytest.param(running("p"), False, id="runs"),
        pytest.param(_with_spec(volumes=(Volume(name="token"),)), False, id="volume-without-a-claim"),
        pytest.param(_with_status(conditions=_conditions("Ready", "PodScheduled")), False, id="ready"),
        pytest.param(_with_status(conditions=(Condition(type="Ready", status="False"),)), True, id="does-not-serve"),
        pytest.param(_with_status(conditions=(Condition(type="Synced", status="False"),)), False, id="of-others"),
        pytest.param(_with_status(conditions=()), False, id="without-conditions"),
        pytest.param(pod("p", uid="u"), True, id="waits"),
        pytest.param(running("p", phase="Pending"), True, id="starts"),
        pytest.param(running("p", phase="Succeeded"), True, id="has-ended"),
        pytest.param(_with_status(phase=None), True, id="of-no-phase"),
        pytest.param(_with_status(conditions=_conditions("DisruptionTarget")), True, id="is-disrupted"),
        pytest.param(
            _with_spec(volumes=(Volume(persistent_volume_claim=PersistentVolumeClaimVolume(claim_name="c")),)),
            True,
            id="has-a-claim",
        ),
        pytest.param(_with_spec(volumes=(Volume(ephemeral=EphemeralVolume()),)), True, id="has-an-ephemeral-claim"),
        pytest.param(_with_spec(resource_claims=(PodResourceClaim(name="c"),)), True, id="has-devices"),
        pytest.param(_with_spec(scheduling_group=PodSchedulingGroup(pod_group_name="g")), True, id="of-a-group"),
    ],
)
def test_what_somebody_may_look_at_is_loose(other: Pod, is_loose: bool) -> None:
    stored = snapshot_of(running("a"), other, running("b")).stored
    assert stored is not None
    assert {*stored.loose} == ({1} if is_loose else set())


def test_nothing_is_stored_where_two_pods_have_one_name_or_one_has_no_namespace() -> None:
    assert snapshot_of(running("a"), running("a")).stored is None
    assert snapshot_of(running("a"), running("b", namespace="")).stored is None
    assert snapshot_of(running("a"), running("a", namespace="other")).stored is not None


def test_nodes_that_pods_are_on() -> None:
    stored = snapshot_of(running("a"), running("b", on="n2"), running("c", on="n3", phase="Pending")).stored
    assert stored is not None
    assert stored.node_names == {"n1", "n2"}
    (gone,) = stored.named({"b"})
    assert stored.without({id(gone)}).node_names == {"n1"}
    assert stored.without({0}) is stored


def test_columns() -> None:
    shared, plain = Values(["x", "y"], [1, 0, 1]), Values(["x", "y"], None)
    assert [*shared.by_row(), *plain.by_row()] == ["y", "x", "y", "x", "y"]
    assert ([*shared.rows_where("y".__eq__)], [*plain.rows_where("y".__eq__)]) == ([0, 2], [1])
    assert [*shared.rows_where(bool)] == [0, 1, 2]
    assert [(count, [*numbers]) for count, numbers in (shared.numbered(str), plain.numbered(len))] == [
        (2, [1, 0, 1]),
        (1, [0, 0]),
    ]
