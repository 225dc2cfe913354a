"""How a cluster is reached and as whom: kubeconfig files, flags, plugins, proxies, certificates."""

from __future__ import annotations

import base64
import json
import os
import socket
import stat
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, process_time
from typing import Any

import pytest

from kexplain.load.live.api_resources import SCHEDULING
from kexplain.load.live.client import LiveCluster, access
from kexplain.load.live.connection import Connection
from tests.load.live.cluster import objects
from tests.load.live.conftest import Ended, Shell
from tests.load.live.stand_in import PKI, TOKEN, StandIn

CLIENT = {"client-certificate": str(PKI / "client.pem"), "client-key": str(PKI / "client.key")}


@pytest.fixture
def server() -> Iterator[StandIn]:
    with StandIn(objects()) as stand_in:
        yield stand_in


def _explained(shell: Shell, *flags: str | Path) -> Ended:
    return shell.kexplain("pod/web", "-n", "shop", *flags)


def _one_line(ended: Ended) -> str:
    assert (ended.code, ended.out, ended.err.count("\n")) == (3, "", 1)
    return ended.err


def _encoded(name: str) -> str:
    return base64.b64encode((PKI / name).read_bytes()).decode()


def _plugin(directory: Path, script: str, **more: Any) -> dict[str, Any]:
    path = directory / "plugin"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    told = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(path), "interactiveMode": "Never"}
    return {"exec": {**told, **more}}


def _credential(**fields: Any) -> str:
    credential = {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": fields}
    return f"cat <<'END'\n{json.dumps(credential)}\nEND"


# -------------------------------------------------------------------------------------------------- credentials


@pytest.mark.parametrize(
    "user",
    [
        pytest.param({"token": TOKEN}, id="token"),
        pytest.param(CLIENT, id="certificate"),
        pytest.param(
            {"client-certificate-data": _encoded("client.pem"), "client-key-data": _encoded("client.key")},
            id="certificate-in-the-file",
        ),
    ],
)
def test_credentials_of_the_kubeconfig_are_used(
    shell: Shell, user: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(shell.directory))
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1
    assert not [*shell.directory.glob("kexplain-*")]


def test_a_token_file_is_read_without_its_line_break(shell: Shell) -> None:
    (shell.directory / "token").write_text(f"{TOKEN}\n")
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user={"tokenFile": "token"})).code == 1


def test_a_plugin_brings_a_token(shell: Shell) -> None:
    user = _plugin(shell.directory, _credential(token=TOKEN))
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1


def test_a_plugin_brings_a_certificate(shell: Shell) -> None:
    pair = {
        "clientCertificateData": (PKI / "client.pem").read_text(),
        "clientKeyData": (PKI / "client.key").read_text(),
    }
    user = _plugin(shell.directory, _credential(**pair))
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo session expired >&2; exit 7", "it ended with exit code 7. session expired; "),
        ("echo this is no JSON", "what it wrote is no JSON: Expecting value"),
        ("echo '[]'", "what it wrote is no ExecCredential"),
        (_credential(), "it brought neither a token nor clientCertificateData with clientKeyData"),
        (_credential(clientCertificateData="x"), "it brought neither a token nor"),
        (_credential(token=[TOKEN]), "its token, clientCertificateData or clientKeyData is not a string"),
        (
            _credential(token=TOKEN).replace("/v1", "/v1beta1"),
            "it wrote apiVersion client.authentication.k8s.io/v1beta1",
        ),
        ("exec cat /dev/zero", "it wrote more than 1 MiB"),
        ("exec cat /dev/zero >&2", "it wrote more than 1 MiB"),
        ("sleep 60", "it did not end within 0.5 s"),
        ("sleep 60 & exec sleep 60", "it did not end within 0.5 s"),
    ],
    ids=[
        *("fails", "no-json", "no-object", "no-credentials", "no-key", "no-text", "another-version"),
        *("endless-output", "endless-errors", "never-ends", "leaves-another-behind"),
    ],
)
def test_a_plugin_that_fails_is_one_line(
    shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch, script: str, reason: str
) -> None:
    monkeypatch.setattr("kexplain.load.live.credential_plugin._SECONDS", 0.5)
    began = monotonic()
    user = _plugin(shell.directory, script, installHint="run corp-login first")
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)))
    assert "the credential plugin" in line
    assert reason in line
    assert line.endswith("; run corp-login first\n")
    assert not server.requests
    assert monotonic() - began < 5


def test_a_plugin_may_leave_a_process_behind(shell: Shell) -> None:
    # Such as an agent that keeps what it has been told, and holds on to the pipe.
    user = _plugin(shell.directory, f"sleep 60 &\n{_credential(token=TOKEN)}")
    began = monotonic()
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1
    assert monotonic() - began < 10


def test_a_plugin_is_told_of_the_cluster_where_it_wants_to_be(shell: Shell) -> None:
    script = f'echo "$KUBERNETES_EXEC_INFO" > "{shell.directory}/told"\n{_credential(token=TOKEN)}'
    user = _plugin(shell.directory, script, provideClusterInfo=True)
    own = {"name": "client.authentication.k8s.io/exec", "extension": {"audience": "prod"}}
    config = shell.kubeconfig("other", user=user, cluster={"extensions": [own]})
    assert _explained(shell, "--kubeconfig", config).code == 1
    told = json.loads((shell.directory / "told").read_text())
    assert (told["apiVersion"], told["kind"]) == ("client.authentication.k8s.io/v1", "ExecCredential")
    assert told["spec"]["interactive"] is False
    cluster = told["spec"]["cluster"]
    assert cluster.keys() == {"server", "certificate-authority-data", "config"}
    assert base64.b64decode(cluster["certificate-authority-data"]) == (PKI / "ca.pem").read_bytes()
    assert cluster["config"] == {"audience": "prod"}


def test_a_plugin_that_must_ask_needs_a_terminal(shell: Shell) -> None:
    user = _plugin(shell.directory, _credential(token=TOKEN), interactiveMode="Always")
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)))
    assert "it needs a terminal to ask on, and there is none" in line


def test_a_plugin_that_is_not_there_is_one_line(shell: Shell) -> None:
    user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": "no-such-plugin"}}
    assert "the credential plugin no-such-plugin is not on the PATH" in _one_line(
        _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user))
    )


def _plugin_below(directory: Path, token: str) -> None:
    """A credential plugin in a folder `bin`, which leaves a trace."""
    (directory / "bin").mkdir(parents=True)
    path = directory / "bin" / "login"
    path.write_text(f"#!/bin/sh\ntouch '{directory}/ran'\n{_credential(token=token)}\n")
    path.chmod(0o700)


def _plugin_named(command: str) -> dict[str, Any]:
    return {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": command, "interactiveMode": "Never"}}


@pytest.mark.parametrize("command", ["./bin/login", "bin/login", "../kube/bin/login"])
def test_a_plugin_with_a_path_is_beside_the_kubeconfig(
    shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    _plugin_below(shell.directory / "home" / "kube", TOKEN)
    _plugin_below(shell.directory / "kube", "of-a-stranger")
    monkeypatch.chdir(shell.directory / "kube")
    path = shell.kubeconfig("home/kube/config", user=_plugin_named(command))
    assert _explained(shell, "--kubeconfig", path).code == 1
    assert (shell.directory / "home" / "kube" / "ran").exists()
    assert not (shell.directory / "kube" / "ran").exists()
    assert {*server.requests[0].headers["authorization"]} == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize("path", ["", ".", ":.:bin", "bin"])
def test_a_plugin_of_a_bare_name_is_on_the_path_only(
    shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    _plugin_below(shell.directory, "of-a-stranger")
    (shell.directory / "login").symlink_to("bin/login")
    config = shell.kubeconfig("other", user=_plugin_named("login"))
    monkeypatch.setenv("PATH", path)
    line = _one_line(_explained(shell, "--kubeconfig", config))
    assert "the credential plugin login is not on the PATH" in line
    assert not (shell.directory / "ran").exists()
    assert not server.requests
    monkeypatch.setenv("PATH", f"{path}:{shell.directory / 'bin'}:/usr/bin:/bin")
    assert "does not accept the credentials" in _one_line(_explained(shell, "--kubeconfig", config))
    assert (shell.directory / "ran").exists()


def _token(expires: int) -> str:
    parts = ({"alg": "RS256"}, {"sub": "jane", "exp": expires})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + ".x"


@pytest.mark.parametrize("expires", [0, 1 << 33], ids=["expired", "good"])
@pytest.mark.parametrize("trusts", [True, False])
def test_no_secret_of_a_legacy_provider_is_sent(shell: Shell, server: StandIn, expires: int, *, trusts: bool) -> None:
    with StandIn([], certificate="elsewhere") as issuer:
        config = {
            "client-id": "kubernetes",
            "client-secret": "the-client-secret",
            "refresh-token": "the-refresh-token",
            "id-token": _token(expires),
            "idp-issuer-url": issuer.address,
            **({"idp-certificate-authority": str(PKI / "ca.pem")} if trusts else {}),
        }
        user = {"auth-provider": {"name": "oidc", "config": config}}
        line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)))
        assert not issuer.requests
    assert "does not accept the credentials of user jane" in line
    assert {*server.requests[0].headers["authorization"]} == {f"Bearer {_token(expires)}"}


@pytest.mark.parametrize(
    ("provider", "problem", "instead"),
    [
        ({"name": "gcp", "config": {"cmd-path": "{touch}"}}, "nor by kubectl since 1.26", "gke-gcloud-auth-plugin"),
        ({"name": "gcp", "config": {"cmd-path": "touch", "cmd-args": "{ran}", "access-token": "x"}}, "", "gke-gcloud"),
        ({"name": "azure"}, "nor by kubectl since 1.26", "kubelogin"),
        ({"name": "oidc", "config": {"idp-issuer-url": "{address}"}}, "has no id-token", "kubectl oidc-login"),
        ({}, "", "kubectl oidc-login"),
        ({"name": "mine"}, "the legacy auth provider mine of user", "or give a token with --token"),
    ],
)
def test_legacy_providers_do_not_run(
    shell: Shell, server: StandIn, provider: dict[str, Any], problem: str, instead: str
) -> None:
    ran = shell.directory / "ran"
    names = {"{touch}": f"touch {ran}", "{ran}": str(ran), "{address}": server.address}
    settings = {key: names.get(value, value) for key, value in provider.get("config", {}).items()}
    user = {"auth-provider": {"name": "", **provider, "config": settings}}
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)))
    assert problem in line
    assert instead in line
    assert not ran.exists()
    assert not server.requests
    assert _explained(shell, "--kubeconfig", shell.directory / "other", "--token", TOKEN).code == 1


@pytest.mark.parametrize(
    ("user", "who"), [({"token": "wrong"}, "user jane in context test"), ({}, "user jane in context test")], ids=str
)
def test_credentials_that_are_not_accepted_are_one_line(shell: Shell, user: dict[str, str], who: str) -> None:
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)))
    assert f"does not accept the credentials of {who} (401: Unauthorized); log in again" in line


def test_flags_count_before_the_kubeconfig(shell: Shell, server: StandIn) -> None:
    wrong = shell.kubeconfig("other", user={"token": "wrong"}, cluster={"server": "https://127.0.0.1:1"})
    assert _explained(shell, "--kubeconfig", wrong, "--server", server.address, "--token", TOKEN).code == 1


def test_flags_alone_are_enough(shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", "")
    flags = ["--server", server.address, "--certificate-authority", str(PKI / "ca.pem")]
    pair = ["--client-certificate", str(PKI / "client.pem"), "--client-key", str(PKI / "client.key")]
    assert _explained(shell, *flags, *pair).code == 1
    assert _explained(shell, *flags, "--token", TOKEN).code == 1


def test_impersonation_is_sent_in_headers(shell: Shell, server: StandIn) -> None:
    flags = ["--as", "joe", "--as-group", "ops", "--as-group", "dev", "--as-uid", "7", "--as-user-extra", "why=test"]
    assert _explained(shell, *flags).code == 1
    assert all(
        (request.headers["impersonate-user"], request.headers["impersonate-group"]) == (["joe"], ["ops", "dev"])
        and (request.headers["impersonate-uid"], request.headers["impersonate-extra-why"]) == (["7"], ["test"])
        for request in server.requests
    )


def test_impersonation_of_the_kubeconfig_is_sent_too(shell: Shell, server: StandIn) -> None:
    user = {"token": TOKEN, "as": "joe", "as-groups": ["ops"], "as-user-extra": {"why": ["a", "b"]}}
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1
    headers = server.requests[0].headers
    assert (headers["impersonate-user"], headers["impersonate-group"]) == (["joe"], ["ops"])
    assert headers["impersonate-extra-why"] == ["a", "b"]


@pytest.mark.parametrize(
    ("key", "sent"),
    [("example.org/scopes", "example.org%2fscopes"), ("50% of it", "50%25%20of%20it"), ("\u00e4", "%c3%a4")],
)
def test_keys_that_no_header_can_hold_are_escaped(shell: Shell, server: StandIn, key: str, sent: str) -> None:
    user = {"token": TOKEN, "as": "joe", "as-user-extra": {key: ["a"]}}
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1
    assert _explained(shell, "--as", "joe", "--as-user-extra", f"{key}=a").code == 1
    assert {request.headers[f"impersonate-extra-{sent}"][0] for request in server.requests} == {"a"}


@pytest.mark.parametrize("flag", [["--as", "a\nb"], ["--token", "a\nb"], ["--token", "caf\u00e9"]], ids=str)
def test_what_no_header_can_hold_is_one_line(shell: Shell, server: StandIn, flag: list[str]) -> None:
    assert "such as a line break" in _one_line(_explained(shell, *flag))
    assert not server.requests


def test_names_are_sent_as_utf_8(shell: Shell, server: StandIn) -> None:
    assert _explained(shell, "--as", "j\u00f6e").code == 1
    assert server.requests[0].headers["impersonate-user"][0].encode("latin-1").decode() == "j\u00f6e"


def test_a_group_without_a_user_is_one_line(shell: Shell) -> None:
    assert "need --as" in _one_line(_explained(shell, "--as-group", "ops"))


# ------------------------------------------------------------------------------------------------- certificates


@pytest.mark.parametrize(
    ("certificate", "authority", "problem"),
    [
        ("server", "stranger.pem", "its certificate is not trusted"),
        ("elsewhere", "ca.pem", "its certificate is not trusted"),
    ],
    ids=["unknown-signer", "for-another-host"],
)
def test_a_bad_certificate_is_one_line(shell: Shell, certificate: str, authority: str, problem: str) -> None:
    with StandIn(objects(), certificate=certificate) as other:
        told = {"server": other.address, "certificate-authority": str(PKI / authority)}
        line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", cluster=told)))
        assert problem in line
        assert "--certificate-authority" in line
        assert not other.requests


def test_a_certificate_may_be_for_another_name(shell: Shell) -> None:
    with StandIn(objects(), certificate="elsewhere") as other:
        path = shell.kubeconfig("other", cluster={"server": other.address})
        assert _explained(shell, "--kubeconfig", path, "--tls-server-name", "elsewhere.example").code == 1


def test_a_certificate_may_be_ignored(shell: Shell) -> None:
    with StandIn(objects(), certificate="elsewhere") as other:
        path = shell.kubeconfig("other", cluster={"server": other.address})
        assert _explained(shell, "--kubeconfig", path, "--insecure-skip-tls-verify").code == 1


@pytest.mark.parametrize("value", ["false", "true", 1, "", []])
def test_whether_a_certificate_is_ignored_is_no_text(shell: Shell, value: object) -> None:
    with StandIn(objects(), certificate="elsewhere") as other:
        told = {"server": other.address, "insecure-skip-tls-verify": value, "certificate-authority": None}
        line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", cluster=told)))
        assert "insecure-skip-tls-verify: expected true or false" in line
        assert not other.requests


def test_nobody_is_trusted_and_checked_at_once(shell: Shell) -> None:
    with StandIn(objects(), certificate="elsewhere") as other:
        path = shell.kubeconfig("other", cluster={"server": other.address, "insecure-skip-tls-verify": True})
        line = _one_line(_explained(shell, "--kubeconfig", path))
        assert "certificate-authority and insecure-skip-tls-verify exclude each other" in line
        authority = str(PKI / "ca.pem")
        line = _one_line(_explained(shell, "--insecure-skip-tls-verify", "--certificate-authority", authority))
        assert "exclude each other" in line
        # A CA that is given has the certificate checked, whatever the kubeconfig says.
        line = _one_line(_explained(shell, "--kubeconfig", path, "--certificate-authority", authority))
        assert "its certificate is not trusted" in line
        assert not other.requests


def test_another_server_has_a_name_of_its_own(shell: Shell, server: StandIn) -> None:
    path = shell.kubeconfig("other", cluster={"tls-server-name": "elsewhere.example"})
    assert "not trusted" in _one_line(_explained(shell, "--kubeconfig", path))
    assert _explained(shell, "--kubeconfig", path, "--server", server.address).code == 1


def test_a_server_without_tls_is_one_line(shell: Shell) -> None:
    with StandIn(objects(), tls=False) as other:
        address = other.address.replace("http:", "https:")
        path = shell.kubeconfig("other", cluster={"server": address})
        assert "it does not speak TLS" in _one_line(_explained(shell, "--kubeconfig", path))


# -------------------------------------------------------------------------------------------------- kubeconfig


def test_of_several_files_the_first_that_says_something_counts(
    shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = shell.kubeconfig("first", namespace="shop"), shell.kubeconfig("second", namespace="nowhere")
    other = json.loads(second.read_text())
    other["contexts"].append({"name": "other", "context": {"cluster": "here", "user": "jane"}})
    second.write_text(json.dumps({**other, "current-context": "other"}))
    monkeypatch.setenv("KUBECONFIG", f"{shell.directory / 'missing'}:{first}:{second}")
    assert shell.kexplain("pod/web").code == 1
    assert shell.kexplain("pod/web", "--context", "other").code == 2


def test_file_names_count_from_the_kubeconfig(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ca.pem", "client.pem", "client.key"):
        (shell.directory / name).write_bytes((PKI / name).read_bytes())
    user = {"client-certificate": "client.pem", "client-key": "client.key"}
    path = shell.kubeconfig("other", user=user, cluster={"certificate-authority": "ca.pem"})
    monkeypatch.chdir("/")
    assert _explained(shell, "--kubeconfig", path).code == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "the configuration cannot be used"),
        ("just text", "the configuration cannot be used"),
        ("", "the configuration cannot be used"),
        ("{current-context: gone}", 'there is no context "gone"'),
        ("{contexts: []}", "there is no current context"),
        (
            "{current-context: c, contexts: [{name: c, context: {cluster: x, user: u}}]}",
            'there is no cluster "x"; there are none',
        ),
    ],
    ids=["no-yaml", "no-mapping", "empty", "no-such-context", "no-context", "no-such-cluster"],
)
def test_a_kubeconfig_that_is_none_is_one_line(shell: Shell, text: str, problem: str) -> None:
    path = shell.directory / "other"
    path.write_text(text)
    line = _one_line(_explained(shell, "--kubeconfig", path))
    assert line.startswith(f"kexplain: {path}: ")
    assert problem in line


#: Each line has ten times as many values as the one before.
_BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize("where", ["clusters: *a11", "users: [{name: jane, user: {token: *a11}}]", "contexts: [*a11]"])
def test_aliases_of_a_kubeconfig_do_not_multiply(shell: Shell, where: str) -> None:
    path = shell.directory / "other"
    path.write_text(f"{_BOMB}{where}\n")
    before = process_time()
    line = _one_line(_explained(shell, "--kubeconfig", path))
    assert "the configuration cannot be used: line " in line
    assert "aliases" in line
    assert process_time() - before < 5


@pytest.mark.parametrize("key", ["tokenFile", "client-certificate", "client-key"])
@pytest.mark.parametrize("what", ["a pipe", "a device", "a directory", "too long"])
def test_what_a_kubeconfig_calls_a_file_is_one_of_a_fair_length(shell: Shell, key: str, what: str) -> None:
    path = shell.directory / "named"
    match what:
        case "a pipe":
            os.mkfifo(path)
        case "a device":
            path.symlink_to("/dev/zero")
        case "a directory":
            path.mkdir()
        case _:
            with path.open("wb") as file:
                file.truncate(1 << 40)
    other = {} if key == "tokenFile" else dict.fromkeys(("client-certificate", "client-key"), str(PKI / "client.pem"))
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user={**other, key: str(path)})))
    assert f"{key}: {path} {'has more than 16 MiB' if what == 'too long' else 'is not a file'}" in line


def test_a_kubeconfig_may_come_through_a_pipe_of_the_shell(shell: Shell, server: StandIn) -> None:
    readable, writable = os.pipe()
    os.write(writable, shell.kubeconfig("other").read_bytes())
    os.close(writable)
    asked = len(server.requests)
    assert _explained(shell, "--kubeconfig", f"/dev/fd/{readable}").code == 1
    assert len(server.requests) > asked
    os.close(readable)


def test_a_kubeconfig_that_is_not_there_is_one_line(shell: Shell) -> None:
    assert "there is no file" in _one_line(_explained(shell, "--kubeconfig", "missing"))


def test_nothing_to_connect_to_is_one_line(shell: Shell) -> None:
    line = _one_line(_explained(shell, "--server", "https://127.0.0.1:1", "--request-timeout", "2s"))
    assert "cannot be reached: Connection refused; check the address" in line


@pytest.mark.parametrize("address", ["https://joe:s3cr3t@127.0.0.1:1", "ftp://joe:s3cr3t@x", "https://joe:s3cr3t@[::1"])
def test_a_password_in_an_address_is_not_shown(shell: Shell, address: str) -> None:
    line = _one_line(_explained(shell, "--server", address, "--request-timeout", "2s"))
    assert "s3cr3t" not in line
    assert "joe" not in line


def test_a_pod_uses_its_service_account(shell: Shell, server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    (shell.directory / "token").write_text(f"{TOKEN}\n")
    (shell.directory / "ca.crt").write_bytes((PKI / "ca.pem").read_bytes())
    (shell.directory / "namespace").write_text("shop")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "127.0.0.1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", server.address.rpartition(":")[2])
    cluster = LiveCluster(Connection(in_cluster=True, service_account=str(shell.directory)))
    assert cluster.namespace == "shop"
    assert cluster.read(SCHEDULING).server_version == "v1.36.1"


@pytest.mark.parametrize(
    ("version", "minor", "release"),
    [
        ("v1.34.2-gke.1", "34+", "1.34"),
        ("v0.0.0-master+$Format:%H$", "33+", "1.33"),
        ("v0.0.0-master+$Format:%H$", "", "1.36"),
    ],
    ids=["named", "in-numbers", "of-the-kubelets"],
)
def test_the_release_is_the_servers(shell: Shell, server: StandIn, version: str, minor: str, release: str) -> None:
    server.version, server.minor = version, minor
    assert f"kubernetes {release})" in shell.kexplain("pod/web", "-n", "shop").out


@pytest.mark.parametrize(
    ("server", "environment", "proxy"),
    [
        ("https://k8s.example", {"HTTPS_PROXY": "http://proxy:3128"}, "http://proxy:3128"),
        ("https://k8s.example", {"HTTP_PROXY": "http://proxy:3128"}, ""),
        ("http://k8s.example", {"http_proxy": "http://proxy:3128"}, "http://proxy:3128"),
        ("https://k8s.example", {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": ".example"}, ""),
        ("https://k8s.example", {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "ample,other"}, "http://proxy:3128"),
        ("https://10.1.2.3", {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "10.0.0.0/8"}, ""),
        ("https://10.1.2.3", {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "11.0.0.0/8"}, "http://proxy:3128"),
        ("https://10.1.2.3", {"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "*"}, ""),
        ("https://127.0.0.1", {"HTTPS_PROXY": "http://proxy:3128"}, ""),
    ],
)
def test_proxies_are_taken_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, server: str, environment: dict[str, str], proxy: str
) -> None:
    for name in ("HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert access(Connection(server=server)).proxy == proxy


def test_the_proxy_of_the_kubeconfig_is_used(shell: Shell) -> None:
    path = shell.kubeconfig("other", cluster={"proxy-url": "http://joe:secret@127.0.0.1:1"})
    line = _one_line(_explained(shell, "--kubeconfig", path))
    assert "the proxy http://127.0.0.1:1 cannot be used: Connection refused; see proxy-url" in line


class _Proxy(threading.Thread):
    """Opens a tunnel for whoever has the password, and counts them."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listening.getsockname()[1]}"
        self.tunnels: list[bytes] = []

    def run(self) -> None:
        while True:
            with suppress(OSError):
                client, _ = self._listening.accept()
                threading.Thread(target=self._tunnel, args=(client,), daemon=True).start()

    def _tunnel(self, client: socket.socket) -> None:
        with client:
            asked = client.recv(4096)
            self.tunnels.append(asked)
            if b"proxy-authorization: Basic am9lOnMvY3JldA==" not in asked.replace(
                b"Proxy-Authorization", b"proxy-authorization"
            ):
                client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
                return
            host, _, port = asked.split()[1].decode().partition(":")
            with socket.create_connection((host, int(port))) as server:
                client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                threading.Thread(target=_pass_on, args=(client, server), daemon=True).start()
                _pass_on(server, client)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)


def test_a_cluster_is_read_through_a_proxy(shell: Shell) -> None:
    proxy = _Proxy()
    proxy.start()
    path = shell.kubeconfig("other", cluster={"proxy-url": f"http://joe:s%2Fcret@{proxy.address}"})
    assert _explained(shell, "--kubeconfig", path).code == 1
    assert proxy.tunnels
    wrong = shell.kubeconfig("wrong", cluster={"proxy-url": f"http://joe:wrong@{proxy.address}"})
    line = _one_line(_explained(shell, "--kubeconfig", wrong))
    assert f"the proxy http://{proxy.address} cannot be used: " in line
    assert "407" in line


def test_answers_are_compressed_unless_that_is_not_wanted(shell: Shell, server: StandIn) -> None:
    compressed = _explained(shell)
    assert {tuple(request.headers["accept-encoding"]) for request in server.requests} == {("gzip",)}
    server.requests.clear()
    assert _explained(shell, "--disable-compression") == compressed
    assert {tuple(request.headers["accept-encoding"]) for request in server.requests} == {("identity",)}


@pytest.mark.parametrize("text", ["soon", "5 s", "-1", "1d"])
def test_a_timeout_that_is_none_is_a_usage_error(shell: Shell, text: str) -> None:
    ended = _explained(shell, f"--request-timeout={text}")
    assert (ended.code, ended.out) == (2, "")
    assert f'--request-timeout: "{text}" is not a duration' in ended.err


@pytest.mark.parametrize(
    ("user", "problem"),
    [
        ({"token": TOKEN, "as": "joe", "as-groups": "system:masters"}, "as-groups: expected a list, found a string"),
        ({"token": TOKEN, "as": "joe", "as-groups": [1]}, "as-groups.0: expected a string"),
        (
            {"token": TOKEN, "as": "joe", "as-user-extra": {"why": "a"}},
            "as-user-extra.why: expected a list, found a string",
        ),
        ({"token": [TOKEN]}, "token: expected a string, found a list"),
        ({"token": TOKEN, "as": ["joe"]}, "as: expected a string, found a list"),
    ],
)
def test_what_kubectl_would_refuse_is_sent_nowhere(
    shell: Shell, server: StandIn, user: dict[str, Any], problem: str
) -> None:
    shell.kubeconfig(user=user)
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert ended.code == 3
    assert problem in ended.err
    assert TOKEN not in ended.err
    assert not server.requests


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"args": "abc"}, "exec.args: expected a list, found a string"),
        ({"args": ["a", 1]}, "exec.args.1: expected a string"),
        ({"env": {"A": "B"}}, "exec.env: expected a list, found an object"),
        ({"env": ["A=B"]}, "exec.env.0: expected an object"),
        ({"env": [{"name": "A", "value": 1}]}, "exec.env.0.value: expected a string"),
        ({"env": [{"value": "x"}]}, "exec: the name of a variable is missing"),
        ({"env": [None]}, "exec: the name of a variable is missing"),
        ({"command": ["a"]}, "exec.command: expected a string, found a list"),
        ({"command": ""}, "exec: command is missing"),
        ({"apiVersion": None}, "exec: apiVersion is missing"),
        ({"provideClusterInfo": "yes"}, "exec.provideClusterInfo: expected true or false"),
        ({"interactiveMode": "Whatever"}, "exec: interactiveMode is not Never, IfAvailable or Always"),
    ],
)
def test_a_plugin_that_kubectl_would_not_run_is_not_run(
    shell: Shell, server: StandIn, fields: dict[str, Any], problem: str
) -> None:
    user = _plugin(shell.directory, f'touch "{shell.directory}/ran"\n{_credential(token=TOKEN)}')
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user={"exec": user["exec"] | fields})))
    assert problem in line
    assert not (shell.directory / "ran").exists()
    assert not server.requests


def test_files_of_a_kubeconfig_are_named_by_strings(shell: Shell) -> None:
    line = _one_line(_explained(shell, "--kubeconfig", shell.kubeconfig("other", user={"client-key": ["a"]})))
    assert "the configuration cannot be used: client-key: expected a string, found a list" in line


def test_a_variable_of_a_plugin_may_be_empty(shell: Shell) -> None:
    user = _plugin(shell.directory, f'[ -z "$MODE" ] && {_credential(token=TOKEN)}', env=[{"name": "MODE"}])
    assert _explained(shell, "--kubeconfig", shell.kubeconfig("other", user=user)).code == 1


@pytest.mark.parametrize(
    "address",
    [
        "https://user:SECRET/PW@127.0.0.1:1",
        "https://127.0.0.1:1/api?token=SECRET",
        "user:SECRET@127.0.0.1:1",
        "https://127.0.0.1:1#SECRET",
    ],
)
def test_no_error_shows_a_secret_of_an_address(shell: Shell, address: str) -> None:
    ended = shell.kexplain("pod/web", "--server", address, "--request-timeout", "1s")
    assert ended.code == 3
    assert "SECRET" not in ended.out + ended.err


def test_the_null_device_is_no_kubeconfig(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBECONFIG", os.devnull)
    ended = shell.kexplain("pod/web")
    assert ended.code == 2
    assert "KUBECONFIG names no file" in ended.err
