"""Documents that kexplain publishes and reads again."""

from __future__ import annotations

import io

import msgspec
import pytest

from kexplain.errors import InputError
from kexplain.load.published import decode_published
from kexplain.load.text.source import Source


class Port(msgspec.Struct):
    number: int
    name: str


class Service(msgspec.Struct):
    ports: list[Port]
    labels: dict[str, str] | None = None
    selector: list[dict[str, str]] | dict[str, str] | None = None


def _decoded(text: str) -> Service:
    source = Source("service.json", None, io.BytesIO(text.encode()))
    return decode_published(source, source.read(), Service)


def _faults(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        _decoded(text)
    return [str(fault) for fault in caught.value.faults]


def test_a_sound_document_is_decoded() -> None:
    assert _decoded('{"ports": [{"number": 80, "name": "web"}]}') == Service([Port(80, "web")])


def test_every_fault_is_told_with_its_place() -> None:
    assert _faults('{"ports": [\n  {"number": "80"},\n  {"number": 1, "name": null}],\n "labels": 3}') == [
        'service.json:2:14: ports[0].number: expected a whole number, found a string',
        "service.json:2:3: ports[0]: name is required",
        "service.json:3:25: ports[1].name: expected a string, found nothing",
        "service.json:4:12: labels: expected an object or nothing, found a number",
    ]  # fmt: skip


def test_of_alternatives_the_one_that_fits_furthest_is_told() -> None:
    assert _faults('{"ports": [], "selector": [{"app": 3}]}') == [
        "service.json:1:36: selector[0].app: expected a string, found a number"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[3", "service.json: not JSON: Input data was truncated"),
        ("3", "service.json:1:1: expected an object, found a number"),
        ("{}", "service.json:1:1: ports is required"),
        ('{"ports": 3, "x": ' + "[" * 200 + "]" * 200 + "}", "service.json: nested deeper than 100 levels"),
    ],
)
def test_what_is_no_such_document(text: str, message: str) -> None:
    assert _faults(text) == [message]


def test_faults_are_bounded() -> None:
    assert len(_faults('{"ports": [' + ", ".join(["3"] * 1000) + "]}")) <= 50
