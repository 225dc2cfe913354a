"""Pods that a live cluster would never create."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.load.live.cluster import pending
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses


def _explained(shell: Shell, *words: str, **spec: Any) -> tuple[int, str]:
    new = pending()
    new["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1m"
    new["spec"] |= spec
    (shell.directory / "new.json").write_text(json.dumps(new))
    ended = shell.kexplain("new.json", *words)
    return ended.code, ended.err


@pytest.mark.parametrize(
    ("words", "spec", "problem"),
    [
        ([], {"priorityClassName": "imporant"}, 'PriorityClass "imporant" is not there; did you mean important?'),
        ([], {"runtimeClassName": "sandbox"}, 'RuntimeClass "sandbox" is not there; did you mean sandboxed?'),
        (["-n", "nobody"], {}, 'metadata.namespace: Namespace "nobody" is not there'),
    ],
    ids=["priority-class", "runtime-class", "namespace"],
)
def test_what_is_not_there_is_refused(shell: Shell, words: list[str], spec: dict[str, Any], problem: str) -> None:
    code, err = _explained(shell, *words, **spec)
    assert code == 2
    assert problem in err
    assert "an API server refuses such a pod" in err


def test_nothing_is_refused_because_of_a_list_that_nobody_may_read(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403), "/apis/scheduling.k8s.io/v1/priorityclasses")
    code, err = _explained(shell, priorityClassName="imporant")
    assert code == 0
    assert 'PriorityClass "imporant" is not among the input' in err or "priorityclasses" in err
