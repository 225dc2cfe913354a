"""Every command works where the system is no Unix, and where the console does not know UTF-8."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import copytree

import pytest

from tests.cli.command import ROOT, kexplain
from tests.load.live.cluster import objects
from tests.load.live.stand_in import TOKEN, StandIn

#: What Python on Windows does not have, as far as anything here could miss it.
MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline", "curses")
OS = (
    *("fork", "forkpty", "pread", "pwrite", "preadv", "fchown", "fchmod", "chown", "lchown", "posix_fallocate"),
    *("posix_spawn", "sched_getaffinity", "getuid", "geteuid", "getgid", "getegid", "sysconf", "mkfifo", "killpg"),
    *("setsid", "uname", "register_at_fork", "statvfs", "openpty", "ttyname", "pipe2", "getloadavg", "nice"),
    *("O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "posix_fadvise", "sync", "fdatasync"),
)
SIGNALS = ("SIGPIPE", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGTSTP", "SIGCHLD", "setitimer", "alarm", "pthread_sigmask")
WITHOUT = f"""
import os, signal, sys
for module in {MODULES}: sys.modules[module] = None
for name in {OS}: hasattr(os, name) and delattr(os, name)
for name in {SIGNALS}: hasattr(signal, name) and delattr(signal, name)
"""
#: Does what it reads, one command after the other, and writes what each of them did.
ONE_BY_ONE = """
import json
from tests.cli.command import kexplain
done = [kexplain(*words, cwd=".") for words in json.load(sys.stdin)]
print(json.dumps([(each.returncode, each.stdout.decode(), each.stderr.decode()) for each in done]))
"""
PLAIN = "import sys; sys.argv[0] = 'kexplain'; from kexplain.__main__ import main; main()"

COMMANDS = (
    "pod.yaml --nodes nodes.yaml --pods pods.yaml",
    "pod.yaml --nodes nodes.yaml --pods pods.yaml -vv -o json=report.json -o html=report.html -o csv",
    "pod.yaml --nodes nodes.yaml --pods pods.yaml --fix 2 --write",
    "lint pod.yaml --cluster nodes.yaml -o sarif=found.sarif",
    "lint pod.yaml --write-baseline baseline.json",
    "lint slip.yaml --fix --write",
    "snapshot --cluster . -o all.snapshot",
    "--cluster all.snapshot",
    "diff --cluster all.snapshot --all-running --to-kubernetes-version 1.30",
    "capacity pod.yaml --cluster all.snapshot",
    "drain worker-1 --cluster all.snapshot --force",
    "what-if --cluster all.snapshot --remove-node worker-1",
    "event 0/3_nodes_are_available",
    "plugins NodeResourcesFit",
    "rules",
    "schema",
    "help tasks",
    "completion bash",
    "version",
    "pod/web -n shop --server ADDRESS --token TOKEN",
    "snapshot --server ADDRESS --token TOKEN -o live.snapshot",
    "pod/web --server http://127.0.0.1:1 --request-timeout 2s",
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with StandIn(objects(), tls=False) as server:
        yield server.address


def _case(folder: Path) -> Path:
    copytree(ROOT / "fixtures" / "cpu-fragmented", folder)
    (folder / "slip.yaml").write_text((folder / "pod.yaml").read_text().replace("containers:", "containres:"))
    return folder


_SIZE = re.compile(r"\d+ bytes")


def _run(
    program: str, command: str, folder: Path, stdin: bytes = b"", /, **environment: str
) -> tuple[int, bytes, bytes]:
    known = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", program, *command.split()],
        cwd=folder,
        env={**known, "HOME": str(folder), "KUBECONFIG": "", **environment},
        input=stdin,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def _files(folder: Path) -> Mapping[str, bytes]:
    # Snapshots and pages name the time.
    skipped = (".snapshot", ".html")
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix not in skipped}


@pytest.mark.slow
def test_it_is_the_same_without_what_windows_lacks(tmp_path: Path, address: str) -> None:
    here, there = _case(tmp_path / "here"), _case(tmp_path / "there")
    commands = [command.replace("ADDRESS", address).replace("TOKEN", TOKEN).split() for command in COMMANDS]
    code, done, err = _run(WITHOUT + ONE_BY_ONE, "", there, json.dumps(commands).encode())
    assert (code, err) == (0, b"")
    for words, (code, out, said) in zip(commands, json.loads(done), strict=True):
        with_all = kexplain(*words, cwd=here)
        # What is compressed holds the time of writing, and is a byte longer now and then.
        assert _SIZE.sub("", said) == _SIZE.sub("", with_all.stderr.decode()), words
        assert (code, out) == (with_all.returncode, with_all.stdout.decode()), words
        assert code in (0, 1, 2, 3), said
    assert _files(here) == _files(there)
    assert _run(WITHOUT + PLAIN, COMMANDS[0], there) == _run(PLAIN, COMMANDS[0], here)


#: Compiled parts that have no wheel everywhere, and are therefore left out of what every installation needs.
WITHOUT_EXPRESSIONS = f"import sys; sys.modules.update(dict.fromkeys(('cel_expr_python', 're2'))); {PLAIN}"


def test_what_is_compiled_and_optional_is_asked_for_where_it_is_needed(tmp_path: Path) -> None:
    folder = _case(tmp_path / "here")
    words = "pod.yaml --nodes nodes.yaml --pods pods.yaml"
    assert _run(WITHOUT_EXPRESSIONS, words, folder) == _run(PLAIN, words, folder)
    copytree(ROOT / "fixtures" / "devices-none-big-enough", folder, dirs_exist_ok=True)
    words = "pod.yaml --cluster nodes.yaml --cluster devices.yaml -q"
    code, out, err = _run(WITHOUT_EXPRESSIONS, words, folder)
    assert (code, out) == (2, b"")
    assert err == (
        b"kexplain: expressions of manifests are read with cel-expr-python, which is not installed\n"
        b"kexplain: hint: install kexplain with its extra expressions, as you installed it\n"
    )
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert not [each for each in declared["dependencies"] if each.startswith(("cel-", "google-re2"))]
    assert [each[:4] for each in declared["optional-dependencies"]["expressions"]] == ["cel-", "goog"]


ENCODINGS = {
    "ascii": {"PYTHONIOENCODING": "ascii"},
    "windows": {"PYTHONIOENCODING": "cp1252"},
    "dos": {"PYTHONIOENCODING": "cp437"},
    "the locale C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
}


@pytest.mark.parametrize("environment", ENCODINGS.values(), ids=ENCODINGS)
def test_a_console_without_utf_8_shows_plain_characters(environment: dict[str, str], tmp_path: Path) -> None:
    folder = _case(tmp_path / "here")
    words = "pod.yaml --nodes nodes.yaml --pods pods.yaml"
    code, out, err = _run(PLAIN, words, folder, **environment)
    assert (code, b"Traceback" in err) == (1, False)
    encoding = environment.get("PYTHONIOENCODING", "ascii")
    shown = out.decode(encoding)
    assert shown.startswith("x default/report does not fit on any of 3 nodes")
    assert "  1 > add one more node like worker-1" in shown
    assert "3.92 allocatable - 1 requested" in shown or encoding == "cp1252"
    assert "?" not in shown


def test_programs_read_utf_8_whatever_the_console_knows(tmp_path: Path) -> None:
    folder = _case(tmp_path / "here")
    pod = (folder / "pod.yaml").read_text()
    (folder / "pod.yaml").write_text(pod.replace("containers:", "nodeSelector: {zone: süd-😀}\n  containers:"))
    words = "pod.yaml --nodes nodes.yaml --pods pods.yaml"
    for more in ("-o json", "-o json -q --node worker-1", "-o html", "-o markdown"):
        code, out, _ = _run(PLAIN, f"{words} {more}", folder, PYTHONIOENCODING="cp1252")
        assert (code, "süd-" in out.decode() or "\\ud83d" in out.decode()) == (1, True)
    assert json.loads(_run(PLAIN, f"{words} -o json", folder, PYTHONIOENCODING="cp1252")[1])["kind"]


def test_a_dumb_terminal_gets_no_escapes(tmp_path: Path) -> None:
    folder = _case(tmp_path / "here")
    words = "pod.yaml --nodes nodes.yaml --pods pods.yaml"
    program = f"import sys, kexplain.cli.output as o; sys.stdout.isatty = lambda: True; {PLAIN}"
    assert b"\x1b" in _run(program, words, folder, TERM="xterm")[1]
    assert b"\x1b" not in _run(program, words, folder, TERM="dumb")[1]
