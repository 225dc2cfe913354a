from __future__ import annotations

from typing import Any

import pytest

from kexplain.validation.check import check

NOW = "2026-01-01T00:00:00.000000Z"
POD = {"kind": "Pod", "name": "p", "namespace": "default"}
SAID = {"action": "Binding", "reason": "Scheduled", "reportingInstance": "s-1", "eventTime": NOW}


def event(version: str, **fields: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": "Event", "metadata": {"name": "e"}, **fields}


def core(**fields: Any) -> dict[str, Any]:
    return event("v1", **{"involvedObject": POD, **fields})


def new(**fields: Any) -> dict[str, Any]:
    return event(
        "events.k8s.io/v1", **{"regarding": POD, "type": "Normal", "reportingController": "s", **SAID, **fields}
    )


@pytest.mark.parametrize(
    ("manifest", "fields"),
    [
        pytest.param(core(), [], id="old"),
        pytest.param(core(**SAID), ["reportingComponent"], id="new-in-the-core"),
        pytest.param(core(involvedObject={**POD, "namespace": "x"}), ["involvedObject.namespace"], id="elsewhere"),
        pytest.param(new(), [], id="new"),
        pytest.param(new(type="Bad", note="n" * 1025), ["message", "type"], id="type-and-note"),
        pytest.param(new(series={"count": 1}), ["series.count", "series.lastObservedTime"], id="series"),
        pytest.param(new(deprecatedCount=1), ["count"], id="deprecated"),
        pytest.param(new(action="a" * 129, reason=""), ["action", "reason"], id="action-and-reason"),
        pytest.param({**core(), "metadata": {"name": "a/b"}}, ["metadata.name"], id="name"),
        pytest.param({**core(), "metadata": {}}, ["metadata.name"], id="no-name"),
    ],
)  # fmt: skip
def test_events(manifest: dict[str, Any], fields: list[str]) -> None:
    assert sorted({each.field for each in check(manifest)}) == fields
