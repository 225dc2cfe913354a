from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from kexplain.validation.check import check

BLOCK = "-----BEGIN {kind}-----\nAAAA\n-----END {kind}-----\n"


def encoded(kind: str) -> str:
    return b64encode(BLOCK.format(kind=kind).encode()).decode()


def request(name: str = "c", **spec: Any) -> dict[str, Any]:
    spec = {
        "signerName": "example.com/ca",
        "usages": ["client auth"],
        "request": encoded("CERTIFICATE REQUEST"),
        **spec,
    }
    return {
        "apiVersion": "certificates.k8s.io/v1", "kind": "CertificateSigningRequest", "metadata": {"name": name},
        "spec": spec,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("manifest", "fields"),
    [
        pytest.param(request(), [], id="sound"),
        pytest.param(request(name="a/b"), ["metadata.name"], id="name"),
        pytest.param(request(request=encoded("CERTIFICATE")), ["spec.request"], id="certificate"),
        pytest.param(request(request=""), ["spec.request"], id="empty"),
        pytest.param(request(usages=["sing"]), ["spec.usages[0]"], id="usage"),
        pytest.param(request(usages=["any", "any"]), ["spec.usages[1]"], id="twice"),
        pytest.param(request(usages=[]), ["spec.usages"], id="no-usage"),
        pytest.param(request(expirationSeconds=599), ["spec.expirationSeconds"], id="short"),
        pytest.param(request(signerName="kubernetes.io/legacy-unknown"), ["spec.signerName"], id="legacy"),
        pytest.param(request(signerName="example/ca"), ["spec.signerName"], id="signer-without-dot"),
        pytest.param(request(signerName="example.com/a/b"), ["spec.signerName"], id="signer-of-three"),
        pytest.param(request(signerName="example.com/A"), ["spec.signerName"], id="signer-in-capitals"),
        pytest.param(request(signerName=""), ["spec.signerName"], id="no-signer"),
    ],
)  # fmt: skip
def test_requests(manifest: dict[str, Any], fields: list[str]) -> None:
    assert sorted({each.field for each in check(manifest)}) == fields
