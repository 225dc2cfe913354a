from __future__ import annotations

import pytest

from kexplain.cel.references import references

MODEL, MEMORY = ("attributes", "d", "model"), ("capacity", "d", "memory")


@pytest.mark.parametrize(
    ("expression", "paths"),
    [
        ('device.driver == "device.attributes"', (("driver",),)),
        ('device.attributes["d"].model == "x"', (MODEL,)),
        ("device.attributes['d']['model'] == 'x'", (MODEL,)),
        ('device.attributes[?"d"].?model.orValue("") == "x"', (MODEL,)),
        ('device.capacity["d"].memory.compareTo(quantity("1")) > 0 && device.driver == "x"', (MEMORY, ("driver",))),
        ('// device.driver\nhas(device.attributes["d"].model)', (MODEL,)),
        ("device.allowMultipleAllocations", (("allowMultipleAllocations",),)),
        ("x.device.driver", ()),
        # Whatever else is done with them reads everything.
        ('"model" in device.attributes["d"]', None),
        ('device.attributes["d"].size() == 1', None),
        ("device.attributes.exists(k, true)", None),
        ('cel.bind(d, device.attributes["d"], d.model == "x")', None),
        ("device.attributes[r'd'].model", None),
        ("device", None),
        ("has(device.driver)", None),
    ],
)
def test_paths(expression: str, paths: tuple[tuple[str, ...], ...] | None) -> None:
    assert references(expression).paths == paths


def test_maps_have_another_name_where_they_are_indexed() -> None:
    found = references('"d" in device.attributes && device.attributes["d"].x && device . capacity ["e"].y == z')
    assert found.renamed == (
        '"d" in device.attributes && device.indexedAttributes["d"].x && device . indexedCapacity ["e"].y == z'
    )
    assert set(found.domains) == {"d", "e"}
    assert not found.is_bare
    assert references("true && device.nope").unknown_field == ("nope", 14)
