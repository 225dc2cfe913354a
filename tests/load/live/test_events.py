"""What the scheduler itself has said about a pod, beside what is said here."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses
from tests.load.snapshot.dumps import text_of

SEEN = "2026-11-01T11:00:00Z"


def _message(shell: Shell) -> str:
    return shell.kexplain("pod/web", "-n", "shop", "-o", "event").out.strip()


def _uid(server: StandIn, name: str) -> str:
    """The uid of a pod of the cluster."""
    (pod,) = (obj for obj in server.held("/api/v1/pods") if obj["metadata"]["name"] == name)
    return str(pod["metadata"]["uid"])


def _event(server: StandIn, message: str, name: str = "web", **fields: Any) -> None:
    number = len(server.held("/api/v1/events"))
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{name}.{number}", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": name, "uid": _uid(server, name)},
        "type": "Warning",
        "reason": "FailedScheduling",
        "message": message,
        "reportingComponent": "default-scheduler",
        "eventTime": SEEN,
        **fields,
    }
    server.hold("v1", "Event", event)


def _told(shell: Shell, *words: str) -> dict[str, Any]:
    """The event in the JSON report, which is the same live and of a snapshot."""
    words = words or ("pod/web", "-n", "shop")
    live = json.loads(shell.kexplain(*words, "-o", "json").out)["pods"][0]["event"]
    shell.kexplain("snapshot", "-o", "x.snapshot")
    kept = json.loads(shell.kexplain(*words, "--cluster", "x.snapshot", "-o", "json").out)["pods"][0]["event"]
    assert kept == live
    told: dict[str, Any] = live
    return told


def test_the_same_message(shell: Shell, server: StandIn) -> None:
    _event(server, _message(shell), series={"count": 12, "lastObservedTime": "2026-11-01T12:00:00Z"})
    assert _told(shell)["agreement"] == "Same"
    out = shell.kexplain("pod/web", "-n", "shop").out
    assert f"the event of 2026-11-01T12:00:00Z (12 times since {SEEN}) says the same" in out


def test_the_same_reasons_with_another_word_on_preemption(shell: Shell, server: StandIn) -> None:
    _event(server, f"{_message(shell)} preemption: not eligible due to preemptionPolicy=Never.")
    told = _told(shell)
    assert (told["agreement"], told["differences"]) == ("SameReasons", [])
    assert "gives the same reasons, each for as many nodes" in shell.kexplain("pod/web", "-n", "shop").out


def test_other_reasons_are_told_one_by_one(shell: Shell, server: StandIn) -> None:
    _event(server, "0/4 nodes are available: 1 Too many pods, 3 Insufficient cpu. preemption: 0/4 nodes are available.")
    told = _told(shell)
    assert told["agreement"] == "Different"
    assert told["nodes"] == 4
    assert {"reason": "Too many pods", "there": 1, "here": 0} in told["differences"]
    out = shell.kexplain("pod/web", "-n", "shop").out
    assert f"the event of {SEEN} differs: nodes: event 4, now 3; " in out
    assert "Too many pods: event 1, now 0" in out


def test_the_newest_of_several_counts_and_none_of_an_earlier_pod(shell: Shell, server: StandIn) -> None:
    _event(server, "the newest", eventTime="2026-11-02T00:00:00Z", reportingComponent="other")
    _event(server, "older")
    _event(
        server,
        "of a pod that is gone",
        eventTime="2026-11-03T00:00:00Z",
        involvedObject={"kind": "Pod", "namespace": "shop", "name": "web", "uid": "gone"},
    )
    _event(server, "of another kind", eventTime="2026-11-04T00:00:00Z", type="Normal", reason="Killing")
    told = _told(shell)
    assert (told["message"], told["reportedBy"]) == ("the newest", "other")
    assert "by other differs: the newest" in shell.kexplain("pod/web", "-n", "shop").out


def test_events_of_the_newer_api_group_are_read_of_files(shell: Shell, server: StandIn) -> None:
    event = {
        "apiVersion": "events.k8s.io/v1",
        "kind": "Event",
        "metadata": {"name": "web.1", "namespace": "shop"},
        "regarding": {"kind": "Pod", "namespace": "shop", "name": "web"},
        "reason": "FailedScheduling",
        "note": "0/1 nodes are available: 1 Insufficient cpu.",
        "reportingController": "default-scheduler",
        "deprecatedLastTimestamp": SEEN,
    }
    shell.kexplain("snapshot", "-o", "x.snapshot")
    (shell.directory / "event.json").write_text(json.dumps(event))
    words = ("pod/web", "-n", "shop", "--cluster", "x.snapshot", "--cluster", "event.json", "-o", "json")
    (pod,) = json.loads(shell.kexplain(*words).out)["pods"]
    assert pod["event"]["message"] == event["note"]


def test_a_pod_that_fits_by_now(shell: Shell, server: StandIn) -> None:
    _event(server, "0/1 nodes are available: 1 Insufficient cpu.", "api-0000")
    ended = shell.kexplain("pod/api-0000", "-n", "shop")
    assert "disagrees: 0/1 nodes are available: 1 Insufficient cpu.; the cluster has changed since" in ended.out
    assert "shop/api-0000 runs on worker-1  (" in ended.out


def test_warnings_are_asked_for_and_of_the_others_those_that_tell_something(shell: Shell, server: StandIn) -> None:
    shell.kexplain("pod/web", "-n", "shop")
    asked = [request.query["fieldSelector"] for request in server.requests if "events" in request.path]
    assert len(asked) == len(set(asked))
    assert "type=Warning" in asked
    assert all(each.startswith("type=Normal,") for each in asked if each != "type=Warning")
    assert {f"type=Normal,reason={each}" for each in ("TriggeredScaleUp", "Preempted")} < set(asked)


def test_what_autoscalers_say_stands_apart_from_the_scheduler(shell: Shell, server: StandIn) -> None:
    _event(server, "0/1 nodes are available: 1 Insufficient cpu.")
    _event(server, "Failed to schedule pod, no nodepools found", reportingComponent="karpenter", eventTime="2026-11-02")
    _event(
        server,
        "pod triggered scale-up: [{a 1->2 (max: 3)}]",
        type="Normal",
        reason="TriggeredScaleUp",
        eventTime="2026-11-03",
    )
    _event(server, "Pod should schedule on: nodeclaim/a-1", type="Normal", reason="Nominated", eventTime="2026-11-04")
    words = ("pod/web", "-n", "shop", "-o", "json")
    (pod,) = json.loads(shell.kexplain(*words).out)["pods"]
    assert pod["event"]["message"].startswith("0/1 nodes")
    assert [each["reason"] for each in pod["autoscaler"]] == ["FailedScheduling", "TriggeredScaleUp", "Nominated"]
    assert "new nodes are on their way" in pod["autoscaler"][1]["meaning"][0]
    shell.kexplain("snapshot", "-o", "x.snapshot")
    (kept,) = json.loads(shell.kexplain(*words, "--cluster", "x.snapshot").out)["pods"]
    assert kept["autoscaler"] == pod["autoscaler"]


def test_each_pod_has_what_was_said_of_it(shell: Shell, server: StandIn) -> None:
    _event(server, "pod didn't trigger scale-up: 1 Insufficient cpu", type="Normal", reason="NotTriggerScaleUp")
    ended = shell.kexplain("pod/web", "pod/api-0000", "-n", "shop", "-o", "json")
    said = {pod["pod"]["name"]: pod["autoscaler"] for pod in json.loads(ended.out)["pods"]}
    assert said["web"][0]["reason"] == "NotTriggerScaleUp"
    assert said["api-0000"] == []


@pytest.mark.parametrize("code", [403, 500])
def test_events_that_cannot_be_read_are_a_note(
    shell: Shell, server: StandIn, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kexplain.load.live.api_client._FIRST_PAUSE_SECONDS", 0)
    server.always(refuses(code), "/api/v1/events")
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert ended.code == 1
    assert "shop/web does not fit" in ended.out
    assert {403: "not permitted to list events", 500: "events cannot be read"}[code] in ended.err


def test_a_snapshot_keeps_the_schedulers_words_only_and_redacted_ones_without_names(
    shell: Shell, server: StandIn
) -> None:
    _event(server, "0/3 nodes are available: 1 node(s) had untolerated taint {team: hush}, 2 Insufficient cpu.")
    _event(server, "hush-kubelet", type="Normal", reason="Killing")
    for redact in ([], ["--redact"]):
        assert shell.kexplain("snapshot", "-o", "x.snapshot", *redact).code == 0
        text = text_of((shell.directory / "x.snapshot").read_bytes())
        assert b"2 Insufficient cpu" in text
        assert b"hush-kubelet" not in text
        assert (b"hush" in text) is not bool(redact)


def test_the_event_of_a_missing_claim_says_the_same_once_names_are_redacted(shell: Shell, server: StandIn) -> None:
    (web,) = [pod for pod in server.held("/api/v1/pods") if pod["metadata"]["name"] == "web"]
    web["spec"]["volumes"][0]["persistentVolumeClaim"]["claimName"] = "forgotten"
    message = _message(shell)
    assert 'persistentvolumeclaim "forgotten" not found' in message
    _event(server, message)
    shell.kexplain("snapshot", "--redact", "-o", "x.snapshot")
    assert b"forgotten" not in text_of((shell.directory / "x.snapshot").read_bytes())
    (pod,) = json.loads(shell.kexplain("--cluster", "x.snapshot", "-o", "json").out)["pods"]
    assert pod["event"]["agreement"] == "Same"
