"""What lies around what is scheduled, and what becomes of it where a server does not say all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.load.live.cluster import objects
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import Reply, StandIn, answers, refuses

PATH = "/apis/cert-manager.io/v1/certificates"
REASON = {"type": "Ready", "status": "False", "reason": "DoesNotExist", "message": "issuer letsencrypt not found"}
CERTIFICATE: dict[str, Any] = {
    "apiVersion": "cert-manager.io/v1",
    "kind": "Certificate",
    "metadata": {"name": "web-tls", "namespace": "shop", "uid": "c"},
    "status": {"conditions": [REASON]},
}
TOLD = "letsencrypt"


@pytest.fixture
def server() -> Iterator[StandIn]:
    with StandIn([*objects(), CERTIFICATE], tls=False) as stand_in:
        yield stand_in


def _kept(shell: Shell) -> tuple[bool, str]:
    """Whether a snapshot has what the other project said, and what was noted."""
    from kexplain.load import load  # noqa: PLC0415

    ended = shell.kexplain("snapshot", "-o", "x.snapshot")
    assert ended.code == 0, ended.err
    found = load([str(shell.directory / "x.snapshot")]).objects
    return any(TOLD in str(getattr(each, "complaints", "")) for each in found), ended.err


def test_what_others_have_written_is_found_by_asking_which_kinds_there_are(shell: Shell, server: StandIn) -> None:
    assert _kept(shell)[0]
    (query,) = (request.query for request in server.requests if request.path == PATH)
    assert query == {"limit": "500"}


def test_who_may_not_list_it_hears_nothing(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403), PATH)
    is_kept, err = _kept(shell)
    assert not is_kept
    assert "certificates" not in err


def test_what_cannot_be_read_is_a_note_and_the_rest_is_read(
    shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kexplain.load.live.api_client._FIRST_PAUSE_SECONDS", 0)
    server.always(refuses(500, "conversion webhook failed"), PATH)
    is_kept, err = _kept(shell)
    assert not is_kept
    assert "what others say cannot be read" in err
    assert "conversion webhook failed" in err
    assert "shop/web does not fit" in shell.kexplain("pod/web", "-n", "shop").out


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b'{"groups": ' + b"[" * 5000 + b"]" * 5000 + b"}", id="deep"),
        pytest.param(b'{"groups": "\xff"}', id="no-text"),
        pytest.param(b'{"groups": 5}', id="another-form"),
        pytest.param(b"{", id="cut"),
    ],
)
def test_a_server_that_does_not_say_which_kinds_it_has(shell: Shell, server: StandIn, body: bytes) -> None:
    server.always(answers(Reply(200, body)), "/apis")
    is_kept, _ = _kept(shell)
    assert not is_kept
    assert "shop/web does not fit" in shell.kexplain("pod/web", "-n", "shop").out
