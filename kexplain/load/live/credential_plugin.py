"""Credential plugins of a kubeconfig, with a bound on how long they take and how much they write.

Source: client-go `plugin/pkg/client/auth/exec` (`refreshCredsLocked`) and its `client.authentication.k8s.io` types.
Deviations: there is no bound there; what a plugin writes to stderr is kept for the message where nobody can answer it.
"""

import base64
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import IO, Any

from kexplain.load.live.entries import Entry
from kexplain.tables import sections

#: Somebody may have to log in with a browser meanwhile.
_SECONDS = 300.0
#: Credentials have some kilobytes.
_LONGEST_OUTPUT = 1 << 20
#: How long its pipes are still read once it has ended: a process that it left behind may hold them.
_AFTERWARDS_SECONDS = 1.0
_CLUSTER_FIELDS = sections("exec-cluster-fields")[""]
_EXTENSION = "client.authentication.k8s.io/exec"


class PluginError(Exception):
    """A plugin that brought no credentials; the text says why."""


def credentials(user: Mapping[str, Any], cluster: Mapping[str, Any]) -> Entry:
    """The user with what the plugin brought in place of the plugin.

    Raises PluginError if it brings none, ValueError on a wrong value in the kubeconfig.
    """
    plugin = user["exec"]
    mode = plugin.get("interactiveMode") or "IfAvailable"
    is_interactive = sys.stdin is not None and sys.stdin.isatty() and mode != "Never"
    if mode == "Always" and not is_interactive:
        raise PluginError("it needs a terminal to ask on, and there is none")
    asked = {"interactive": is_interactive, **({"cluster": _told(cluster)} if plugin.get("provideClusterInfo") else {})}
    info = {"apiVersion": plugin.get("apiVersion"), "kind": "ExecCredential", "spec": asked}
    written = _run(plugin, json.dumps(info), is_interactive=is_interactive)
    return {**{key: value for key, value in user.items() if key != "exec"}, **_brought(written, plugin)}


def _told(cluster: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a plugin is told of the cluster."""
    told = {key: cluster[key] for key in _CLUSTER_FIELDS if cluster.get(key)}
    if cluster.get("certificate-authority"):
        content = Path(cluster["certificate-authority"]).read_bytes()
        told["certificate-authority-data"] = base64.b64encode(content).decode()
    own = (each.get("extension") for each in cluster.get("extensions") or () if each.get("name") == _EXTENSION)
    config = next(own, None)
    return {**told, "config": config} if config is not None else told


class _Reader(Thread):
    """Reads what a process writes to a pipe, and ends the process where that is too much."""

    def __init__(self, process: subprocess.Popen[bytes], pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.text = b""
        self.is_too_much = False
        self._process, self._pipe = process, pipe

    def run(self) -> None:
        with suppress(OSError, ValueError):
            while block := os.read(self._pipe.fileno(), 1 << 16):
                self.text += block
                if len(self.text) > _LONGEST_OUTPUT:
                    self.is_too_much = True
                    _end(self._process)
                    return


def _run(plugin: Mapping[str, Any], info: str, *, is_interactive: bool) -> bytes:
    """What a plugin writes to stdout."""
    more = {each["name"]: each.get("value") or "" for each in plugin.get("env") or ()}
    with subprocess.Popen(  # noqa: S603 (what the kubeconfig names, as kubectl runs it)
        [plugin["command"], *(plugin.get("args") or ())],
        env={**os.environ, **more, "KUBERNETES_EXEC_INFO": info},
        stdin=None if is_interactive else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=None if is_interactive else subprocess.PIPE,
        # With a terminal to ask on it stays in its session.
        start_new_session=not is_interactive,
    ) as process:
        readers = [_Reader(process, pipe) for pipe in (process.stdout, process.stderr) if pipe]
        for reader in readers:
            reader.start()
        _wait(process, readers)
    if any(reader.is_too_much for reader in readers):
        raise PluginError(f"it wrote more than {_LONGEST_OUTPUT >> 20} MiB")
    if process.returncode:
        said = [reader.text.decode(errors="replace").strip() for reader in readers[1:]]
        raise PluginError(". ".join([f"it ended with exit code {process.returncode}", *filter(None, said)]))
    return readers[0].text


def _wait(process: subprocess.Popen[bytes], readers: list[_Reader]) -> None:
    """Have all of it read when the process has ended, by itself or by us."""
    try:
        process.wait(_SECONDS)
    except subprocess.TimeoutExpired:
        raise PluginError(f"it did not end within {_SECONDS:g} s") from None
    finally:
        if process.poll() is None:
            _end(process)
        for reader in readers:
            reader.join(_AFTERWARDS_SECONDS)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a plugin, with what it has started where it has a session of its own."""
    if sys.platform != "win32":
        with suppress(OSError):
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _brought(written: bytes, plugin: Mapping[str, Any]) -> Entry:
    """The credentials in an answer, as a kubeconfig has them."""
    status = _status(written, plugin.get("apiVersion"))
    token, certificate, key = (status.get(each) or "" for each in ("token", "clientCertificateData", "clientKeyData"))
    if not all(isinstance(each, str) for each in (token, certificate, key)):
        raise PluginError("its token, clientCertificateData or clientKeyData is not a string")
    brought = {"token": token} if token else {}
    if certificate and key:
        brought["client-certificate-data"] = base64.b64encode(certificate.encode()).decode()
        brought["client-key-data"] = base64.b64encode(key.encode()).decode()
    if not brought:
        raise PluginError("it brought neither a token nor clientCertificateData with clientKeyData")
    return brought


def _status(written: bytes, version: str | None) -> Mapping[str, Any]:
    """The status of the ExecCredential that a plugin wrote."""
    try:
        answer = json.loads(written)
    except (ValueError, RecursionError) as error:
        raise PluginError(f"what it wrote is no JSON: {error}") from None
    if not isinstance(answer, dict) or answer.get("kind") != "ExecCredential":
        raise PluginError("what it wrote is no ExecCredential")
    if answer.get("apiVersion") != version:
        raise PluginError(f"it wrote apiVersion {answer.get('apiVersion')}, but {version} is asked for")
    status = answer.get("status")
    return status if isinstance(status, dict) else {}
