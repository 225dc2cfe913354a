"""Objects of other projects that say what is amiss."""

from __future__ import annotations

from typing import Any

import pytest

from kexplain.objects.meta import ObjectMeta
from kexplain.objects.other_resources import OtherResource


def made(status: Any = None, said: str = "", deleted: str | None = None, **manifest: Any) -> OtherResource:
    metadata = ObjectMeta(name="a", namespace="n", deletion_timestamp=deleted)
    return OtherResource(metadata=metadata, of_kind="Run", said=said, manifest={**manifest, "status": status})


def condition(kind: str, status: str, message: str = "words") -> dict[str, Any]:
    return {"conditions": [{"type": kind, "status": status, "reason": "R", "message": message}]}


@pytest.mark.parametrize(
    ("status", "said", "message"),
    [
        pytest.param(condition("Ready", "False"), "", "words", id="not-ready"),
        pytest.param(condition("Ready", "False"), "event", "event", id="an-event-says-more"),
        pytest.param(condition("Ready", "True"), "event", "", id="ready"),
        pytest.param(condition("Ready", "Unknown"), "", "", id="not-known-yet"),
        pytest.param(condition("Ready", "False", ""), "", "", id="without-words"),
        pytest.param(condition("Degraded", "True"), "", "words", id="degraded"),
        pytest.param(condition("Degraded", "False"), "", "", id="not-degraded"),
        pytest.param(condition("Succeeded", "Unknown"), "", "words", id="goes-on"),
        pytest.param(condition("Succeeded", "False"), "", "", id="failed-for-good"),
        pytest.param(condition("Else", "False"), "", "", id="nobody-knows"),
        pytest.param({"phase": "Pending", "message": "waits"}, "", "waits", id="waits"),
        pytest.param({"applicationState": {"state": "PENDING", "errorMessage": "waits"}}, "", "waits", id="of-spark"),
        pytest.param({"phase": "Running", "message": "waits"}, "", "", id="runs"),
        pytest.param({"phase": "Pending"}, "", "", id="does-not-say"),
        pytest.param("odd", "", "", id="odd"),
        pytest.param(None, "", "", id="none"),
    ],
)
def test_complaints(status: Any, said: str, message: str) -> None:
    found = made(status, said).complaint
    assert (found.message if found else "") == message


def test_who_has_to_let_go() -> None:
    held = {"finalizers": ["x/y", "z"]}
    assert made(deleted="t", metadata=held).finalizers == ("x/y", "z")
    assert made(metadata=held).finalizers == ()
    assert made(deleted="t", metadata={"finalizers": "odd"}).finalizers == ()


def test_what_it_is_for_and_what_it_names() -> None:
    found = made({"holders": ["n/b"]}, spec={"targetRef": {"kind": "Deployment", "name": "web"}, "secretName": "tls"})
    assert found.target == ("Deployment", "n", "web")
    assert made().target == ("Deployment", "n", "")
    assert [found.waits_for(each) for each in ("b", "n/b", "c", "a")] == [True, True, False, False]
    assert [found.makes(each) for each in ("tls", "web", "a")] == [True, False, False]
    assert (found.kind, found.key) == ("Run", "Run n/a")
