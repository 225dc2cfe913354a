from __future__ import annotations

import io
import json
from typing import Any

import pytest

from kexplain.errors import InputError
from kexplain.load import load
from kexplain.objects.meta import KubernetesObject
from kexplain.objects.resource import DeviceCapacity, ResourceClaim, ResourceClaimTemplate, ResourceSlice


def loaded(version: str, kind: str, spec: dict[str, Any]) -> KubernetesObject:
    made = {"apiVersion": f"resource.k8s.io/{version}", "kind": kind, "metadata": {"name": "x"}, "spec": spec}
    [obj] = load(["-"], stdin=io.BytesIO(json.dumps(made).encode())).objects
    return obj


PROPERTIES = {"attributes": {"model": {"string": "a"}}, "capacity": {"memory": {"value": "1Gi"}}}
EXACTLY = {"deviceClassName": "gpu", "allocationMode": "All", "adminAccess": True}
ALTERNATIVES = [{"name": "s", "deviceClassName": "gpu"}]


def test_slices_of_v1beta1_have_the_shape_of_v1() -> None:
    old = loaded("v1beta1", "ResourceSlice", {"driver": "d", "devices": [{"name": "g", "basic": PROPERTIES}]})
    new = loaded("v1", "ResourceSlice", {"driver": "d", "devices": [{"name": "g", **PROPERTIES}]})
    assert isinstance(old, ResourceSlice)
    assert isinstance(new, ResourceSlice)
    [one], [other] = old.spec.devices or (), new.spec.devices or ()
    assert (one.name, one.attributes, one.capacity, one.basic) == ("g", other.attributes, other.capacity, None)


def test_capacities_of_v1alpha3_are_bare_quantities() -> None:
    basic = {"capacity": {"memory": "1Gi", "cores": 4}}
    old = loaded("v1alpha3", "ResourceSlice", {"driver": "d", "devices": [{"name": "g", "basic": basic}]})
    assert isinstance(old, ResourceSlice)
    [device] = old.spec.devices or ()
    assert device.capacity == {"memory": DeviceCapacity(value="1Gi"), "cores": DeviceCapacity(value=4)}


def test_a_wrong_capacity_is_told_where_it_stands() -> None:
    with pytest.raises(InputError) as raised:
        loaded("v1alpha3", "ResourceSlice", {"devices": [{"name": "g", "basic": {"capacity": {"memory": []}}}]})
    assert "spec.devices[0].basic.capacity" in str(raised.value)


def test_claims_of_v1beta1_have_the_shape_of_v1() -> None:
    old = {"devices": {"requests": [{"name": "r", **EXACTLY}, {"name": "f", "firstAvailable": ALTERNATIVES}]}}
    new = {"devices": {"requests": [{"name": "r", "exactly": EXACTLY}, {"name": "f", "firstAvailable": ALTERNATIVES}]}}
    claims = [loaded(version, "ResourceClaim", old) for version in ("v1alpha3", "v1beta1")]
    claims += [loaded(version, "ResourceClaim", new) for version in ("v1beta2", "v1")]
    specs = [claim.spec for claim in claims if isinstance(claim, ResourceClaim)]
    assert len(specs) == 4
    assert all(spec == specs[0] for spec in specs)
    template = loaded("v1beta1", "ResourceClaimTemplate", {"spec": old})
    assert isinstance(template, ResourceClaimTemplate)
    assert template.spec.spec == specs[0]
