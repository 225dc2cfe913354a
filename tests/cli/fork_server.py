"""Runs command lines each in a process of its own, forked from one that has the package imported.

A new interpreter spends most of its time on imports. A fork has its own memory, streams, folder and environment just
the same, and ends as the real process does. Run as a script, this file is that process: it reads a line of JSON for
each command line, and answers with the exit code.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from select import select
from typing import NoReturn

ROOT = Path(__file__).parents[2]
TIMEOUT_SECONDS = 60
_READY = "ready\n"


def forked(
    words: tuple[str, ...], cwd: Path, stdin: bytes, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """What `python -m kexplain` does with these words there. Raises TimeoutError if that takes over a minute."""
    server = _server()
    assert server.stdin is not None
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
        files[0].write_bytes(stdin)
        task = {"words": words, "cwd": str(cwd), "environment": dict(environment), "files": [*map(str, files)]}
        server.stdin.write(json.dumps(task) + "\n")
        server.stdin.flush()
        code = int(_answer(server))
        return subprocess.CompletedProcess([*words], code, files[1].read_bytes(), files[2].read_bytes())


@cache
def _server() -> subprocess.Popen[str]:
    server = subprocess.Popen(
        [sys.executable, __file__],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    atexit.register(os.killpg, server.pid, signal.SIGKILL)
    assert _answer(server) == _READY
    return server


def _answer(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    if not select([server.stdout], [], [], TIMEOUT_SECONDS)[0]:
        raise TimeoutError(f"no answer within {TIMEOUT_SECONDS} s")
    return server.stdout.readline()


def _serve() -> None:
    package = import_module("kexplain")
    for module in walk_packages(package.__path__, "kexplain.", onerror=lambda _: None):
        # What cannot be imported fails in the run that needs it.
        with suppress(Exception):
            import_module(module.name)
    answers = os.fdopen(os.dup(1), "w")
    tasks = os.fdopen(os.dup(0))
    print(_READY, end="", file=answers, flush=True)
    for line in iter(tasks.readline, ""):
        child = os.fork()
        if not child:
            _run(**json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _run(words: list[str], cwd: str, environment: Mapping[str, str], files: list[str]) -> NoReturn:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate(files):
        os.dup2(os.open(path, os.O_RDWR | os.O_CREAT), number)
    sys.stdin, sys.stdout, sys.stderr = (open(number, mode, closefd=False) for number, mode in enumerate("rww"))  # noqa: SIM115
    sys.argv = [str(ROOT / "kexplain" / "__main__.py"), *words]
    main = import_module("kexplain.__main__").main
    try:
        main()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(1)


if __name__ == "__main__":
    _serve()
