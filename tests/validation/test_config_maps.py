"""ConfigMaps and Secrets that an API server refuses."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest

from kexplain.validation.check import check

from .manifests import Json, case_name, fields, obj

TOO_MUCH = "x" * (1 << 20)


def config_map(**rest: Any) -> Json:
    return obj("v1", "ConfigMap", "c", **rest)


def secret(kind: str = "", **data: str) -> Json:
    return obj(
        "v1", "Secret", "s", data={key: b64encode(text.encode()).decode() for key, text in data.items()}, type=kind
    )


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (config_map(data={"a.b-C_1": "x"}, binaryData={"b": "YQ=="}, immutable=True), set()),
        (config_map(data={"a/b": "x", "..a": "", ".": ""}), {"data[a/b]", "data[..a]", "data[.]"}),
        (config_map(binaryData={"a b": "YQ=="}), {"binaryData[a b]"}),
        (config_map(data={"a": "x"}, binaryData={"a": "YQ=="}), {"data[a]"}),
        (config_map(data={"a": TOO_MUCH}), set()),
        (config_map(data={"a": TOO_MUCH, "b": "x"}), {""}),
        (config_map(data={"a": TOO_MUCH}, binaryData={"b": "YQ=="}), {""}),
    ],
    ids=lambda value: case_name(value)[:60],
)
def test_config_maps(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == expected


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        (secret(a="b"), set()),
        (secret("example.com/anything"), set()),
        (secret(**{"a b": ""}), {"data[a b]"}),
        (secret(a=TOO_MUCH, b="x"), {"data"}),
        (secret("kubernetes.io/tls", **{"tls.crt": ""}), {"data[tls.key]"}),
        (secret("kubernetes.io/basic-auth"), {"data[username]", "data[password]"}),
        (secret("kubernetes.io/basic-auth", username="u"), set()),
        (secret("kubernetes.io/ssh-auth", **{"ssh-privatekey": ""}), {"data[ssh-privatekey]"}),
        (secret("kubernetes.io/dockercfg", **{".dockercfg": "x"}), {"data[.dockercfg]"}),
        (secret("kubernetes.io/dockerconfigjson", **{".dockerconfigjson": "{}"}), set()),
        (secret("kubernetes.io/dockerconfigjson"), {"data[.dockerconfigjson]"}),
        (secret("kubernetes.io/service-account-token"), {"metadata.annotations[kubernetes.io/service-account.name]"}),
    ],
    ids=lambda value: case_name(value)[:60],
)
def test_secrets(manifest: Json, expected: set[str]) -> None:
    assert fields(manifest) == expected


def test_texts_of_a_secret_count_as_its_data() -> None:
    assert check({**secret("kubernetes.io/ssh-auth"), "stringData": {"ssh-privatekey": "x"}}) == ()
    assert fields({**secret(), "stringData": {"a b": ""}}) == {"data[a b]"}
