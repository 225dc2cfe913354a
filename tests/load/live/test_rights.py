"""Only GET is ever sent, and nothing is kept that scheduling does not read."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import yaml

from kexplain.load.live.api_resources import EVERYTHING, cluster_role
from tests.load.live.cluster import SECRET
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("trouble", [False, True], ids=["well", "in-trouble"])
@pytest.mark.parametrize(
    "words",
    [
        ["pod/web", "-n", "shop"],
        ["deploy/api", "-n", "shop"],
        ["snapshot", "-o", "x.snapshot"],
        ["diff", "pod/web", "-n", "shop"],
    ],
    ids=" ".join,
)
def test_nothing_but_get_goes_over_the_wire(shell: Shell, server: StandIn, words: list[str], trouble: bool) -> None:
    if trouble:
        server.always(refuses(403), "/api/v1/services", "/apis/apps/v1/deployments")
        server.then("/api/v1/pods", refuses(410), refuses(429, headers={"Retry-After": "0"}))
    shell.kexplain(*words, *(["--to-kubernetes-version", "1.36"] if words[0] == "diff" else []))
    assert server.requests
    assert {line.partition(" ")[0] for line in server.lines()} == {"GET"}
    assert not any("content-length" in request.headers for request in server.requests)


def test_only_what_the_role_permits_is_asked_for(shell: Shell, server: StandIn) -> None:
    permitted = {"/version", *(path for resource in EVERYTHING for _, path in resource.paths())}
    shell.kexplain("snapshot", "-o", "x.snapshot")
    assert {request.path for request in server.requests} <= permitted


def test_the_role_in_the_repository_is_the_one_that_is_printed(shell: Shell) -> None:
    printed = shell.kexplain("snapshot", "--print-rbac")
    assert printed.out == (ROOT / "fixtures" / "rbac" / "clusterrole.yaml").read_text() == cluster_role()
    role = yaml.safe_load(printed.out)
    verbs = {verb for rule in role["rules"] for verb in rule["verbs"]}
    resources = {resource for rule in role["rules"] for resource in rule.get("resources", ())}
    assert verbs == {"list", "get"}
    assert not resources & {"secrets", "configmaps", "*"}


@pytest.mark.parametrize("redacted", [False, True], ids=["as-it-is", "redacted"])
def test_secrets_are_never_kept(shell: Shell, redacted: bool) -> None:
    assert shell.kexplain("snapshot", "-o", "x.snapshot", *(["--redact"] if redacted else [])).code == 0
    text = gzip.decompress((shell.directory / "x.snapshot").read_bytes())
    assert b"worker-1" in text or redacted
    assert SECRET.encode() not in text
