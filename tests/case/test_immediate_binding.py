from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.case.immediate_binding import bound_at_once
from kexplain.objects.meta import UNREAD
from kexplain.objects.persistent_volumes import PersistentVolume, PersistentVolumeClaim
from tests.storage_factories import claim, persistent_volume, storage_class

NAMES = claim(volume="pv", bound=False, phase="Pending")
UNKNOWN = replace(persistent_volume(size=None, reserved="data", phase="Bound"), api_version=UNREAD)


@pytest.mark.parametrize(
    ("asking", "volume", "is_bound"),
    [
        pytest.param(NAMES, persistent_volume(), True, id="named"),
        pytest.param(NAMES, persistent_volume(reserved="data"), True, id="reserved-for-it"),
        pytest.param(NAMES, UNKNOWN, True, id="nothing-is-known-of-it"),
        pytest.param(NAMES, persistent_volume("other"), False, id="another"),
        pytest.param(NAMES, persistent_volume(reserved="other"), False, id="reserved-for-another"),
        pytest.param(NAMES, persistent_volume(size="9Gi"), False, id="too-small"),
        pytest.param(NAMES, persistent_volume(storage_class="fast"), False, id="of-another-class"),
        pytest.param(claim(volume="pv"), persistent_volume(), False, id="bound-already"),
        pytest.param(claim(), persistent_volume(), False, id="waits-for-a-pod"),
        pytest.param(claim(storage_class=""), persistent_volume(storage_class=""), True, id="any"),
    ],
)
def test_what_is_bound_without_waiting_for_a_pod(
    asking: PersistentVolumeClaim, volume: PersistentVolume, is_bound: bool
) -> None:
    found = [*bound_at_once([asking], [volume], [storage_class()])]
    bound = [each.volume_name for each in found if isinstance(each, PersistentVolumeClaim) and each.is_fully_bound]
    assert bound == (["pv"] if is_bound else [])
