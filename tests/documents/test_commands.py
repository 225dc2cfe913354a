"""Every command that the README and the manual show runs, on a small cluster that has what the commands name.

A cluster in a file stands where a command reads one, and a stand-in for an API server where it reads a live one. What
kubectl, helm and others would do is done by scripts of that name.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
import yaml

from kexplain.load import load
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from tests.load.live.stand_in import PKI, TOKEN, StandIn

from .pages import ROOT, programs, shell_lines

PLACE = Path(__file__).parent / "place"
#: What installs, builds or changes something: these are tried where a release is made.
_NOT_RUN = ("python3 -m venv", "pip ", "pipx ", "uvx ", "docker ", "kubectl create", "kubectl apply", "kubectl logs")
#: Forks for each command that it is sent: the words, the directory, the environment, and the open files.
_SERVER = """
import gc, json, os, signal, socket, sys
from importlib import import_module
from kexplain.cli.main import main
from kexplain.cli.app import COMMANDS
for name in COMMANDS:
    import_module("kexplain.cli.commands." + name.replace("-", "_"))
gc.disable()
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
server = socket.socket(socket.AF_UNIX)
server.bind("socket")
server.listen()
print(flush=True)
while True:
    asked, _ = server.accept()
    if os.fork():
        asked.close()
        continue
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    text, files, _, _ = socket.recv_fds(asked, 1 << 20, 3)
    words, folder, environment = json.loads(text)
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    child = os.fork()
    if child:
        asked.send(bytes([os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255]))
        os._exit(0)
    sys.argv = ["kexplain", *words]
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)
    main()
"""
#: What has it done.
_CLIENT = """
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1])
socket.send_fds(server, [json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()], [0, 1, 2])
sys.exit(ord(server.recv(1)))
"""
_KUBECTL = """#!/bin/sh
case "$1" in
  kexplain) shift; exec kexplain "$@" ;;
  get) exec cat dump.json ;;
  kustomize) exec cat new.yaml ;;
  describe) exec cat described.txt ;;
  *) exit 64 ;;
esac
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder to run commands in, with a kubeconfig that leads to the same cluster."""
    folder = tmp_path_factory.mktemp("documents") / "place"
    shutil.copytree(PLACE, folder)
    objects = list(yaml.safe_load_all((PLACE / "cluster.yaml").read_text()))
    dump = {"apiVersion": "v1", "kind": "List", "items": objects}
    # What kubectl prints goes to cluster.json now and then.
    for name in ("dump.json", "cluster.json"):
        (folder / name).write_text(json.dumps(dump))
    (folder / "nodes.yaml").write_text(yaml.safe_dump_all(each for each in objects if each["kind"] == "Node"))
    programs = folder / "bin"
    programs.mkdir()
    scripts = {
        "kexplain": f'#!/bin/sh\nexec "{sys.executable}" -ISc "{_CLIENT}" "{folder / "socket"}" "$@"\n',
        "kubectl": _KUBECTL,
        "helm": "#!/bin/sh\nprintf -- '---\\n# Source: shop/templates/new.yaml\\n'; exec cat new.yaml\n",
    }
    for name, script in scripts.items():
        (programs / name).write_text(script)
        (programs / name).chmod(0o755)
    with StandIn(objects) as server, _ready(folder):
        config = {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [
                {"name": "here", "cluster": {"server": server.address, "certificate-authority": str(PKI / "ca.pem")}}
            ],
            "users": [{"name": "jane", "user": {"token": TOKEN}}],
            "contexts": [
                {"name": name, "context": {"cluster": "here", "user": "jane"}} for name in ("test", "prod-east")
            ],
            "current-context": "test",
        }
        (folder / "config").write_text(json.dumps(config))
        prepare = ("kexplain snapshot -o cluster.snapshot", "kexplain lint manifests --write-baseline known.json")
        for command in (*prepare, "kexplain new.yaml --cluster cluster.json --replicas 3400 -o json=report.json"):
            assert _run(command, folder).returncode in (0, 1)
        for name in ("pods.csv", "nodes.csv", "packed.yaml"):
            shutil.copy(ROOT / "fixtures" / "replay-of-configurations" / name, folder / name)
        (folder / "snapshots").mkdir()
        for copy in ("east.snapshot", "west.snapshot"):
            shutil.copy(folder / "cluster.snapshot", folder / copy)
        # An hour before there was a node more.
        gone = {**objects[0], "metadata": {**objects[0]["metadata"], "name": "gone", "uid": "gone"}}
        for name, hour, more in (("west", 2, [gone]), ("east", 3, [])):
            held = json.dumps({**dump, "items": [*objects, *more]}).encode()
            taken = encode_snapshot(load(["-"], stdin=BytesIO(held)), taken_at=f"2026-11-24T0{hour}:00:00Z")
            (folder / "snapshots" / f"{name}.snapshot").write_bytes(taken)
        yield folder


@contextmanager
def _ready(folder: Path) -> Iterator[None]:
    """What has the command line in memory, so that a command need not import it."""
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", _SERVER]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        server.stdout.readline()
        try:
            yield
        finally:
            server.kill()


def _run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "HOME": str(folder),
        "KUBECONFIG": str(folder / "config"),
    }
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted({line for _, line in shell_lines() if not line.startswith(_NOT_RUN)} - {""}))
def test_a_command_that_a_page_shows_runs(place: Path, command: str) -> None:
    words = set(command.split())
    if "jq" in words and shutil.which("jq") is None:
        pytest.skip("no jq here")
    done = _run(command, place)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout or ">" in command or {"-o", "--fix"} & words
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("program", sorted(set(programs())))
def test_a_program_that_a_page_shows_runs(place: Path, program: str) -> None:
    (place / "program.py").write_text(program)
    shutil.copy(place / "dump.json", place / "cluster.json")
    done = _run(f"{sys.executable} program.py", place)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
