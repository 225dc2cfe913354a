from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.cli.flags.connection import ConnectionFlags, kubeconfig_files, parse_timeout
from kexplain.errors import UsageError

IN_CLUSTER = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "KUBERNETES_SERVICE_PORT": "443"}


@pytest.mark.parametrize(
    ("flag", "environment", "files"),
    [
        ("mine", {"KUBECONFIG": "a:b", "HOME": "/home/me"}, ("mine",)),
        ("", {"KUBECONFIG": "a::b:a", "HOME": "/home/me"}, ("a", "b")),
        ("", {"KUBECONFIG": "", "HOME": "/home/me"}, ("/home/me/.kube/config",)),
        ("", {}, ()),
    ],
)
def test_kubeconfig_files(flag: str, environment: dict[str, str], files: tuple[str, ...]) -> None:
    assert kubeconfig_files(flag, environment) == files


@pytest.mark.parametrize(
    ("text", "seconds"), [("", None), ("0", None), ("5", 5), ("30s", 30), ("1m30s", 90), ("1.5h", 5400), ("500ms", 0.5)]
)
def test_timeouts(text: str, seconds: float | None) -> None:
    assert parse_timeout(text) == seconds


@pytest.mark.parametrize("text", ["s", "1d", "-5", "1m 30s", "5.5"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(UsageError, match=r"--request-timeout: .* is not a duration"):
        parse_timeout(text)


def test_a_cluster_is_meant_by_a_flag_a_file_or_a_pod(tmp_path: Path) -> None:
    (tmp_path / ".kube").mkdir()
    (tmp_path / ".kube/config").touch()
    assert ConnectionFlags().connection({}) is None
    assert ConnectionFlags().connection({"HOME": "/nowhere"}) is None
    assert ConnectionFlags(context="prod").connection({}) is not None
    assert ConnectionFlags().connection({"HOME": str(tmp_path)}) is not None
    found = ConnectionFlags().connection(IN_CLUSTER)
    assert found is not None
    assert found.in_cluster
