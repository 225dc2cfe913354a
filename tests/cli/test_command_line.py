from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import ROOT, kexplain

CASE = ROOT / "fixtures" / "insufficient-cpu-different-reasons"
POD, CLUSTER = CASE / "pod.yaml", CASE
NODE = """
apiVersion: v1
kind: Node
metadata: {name: worker-1, labels: {zone: a}}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
"""
WEB = """
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers: [{name: web, image: web, resources: {requests: {cpu: "1"}}}]
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "nodes.yaml").write_text(NODE)
    (tmp_path / "pod.yaml").write_text(WEB)
    return tmp_path


@pytest.mark.parametrize(
    ("manifest", "words", "says"),
    [
        pytest.param(
            """apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default, ownerReferences: [{kind: ReplicaSet, name: r, uid: u, controller: true}]}
spec:
  nodeName: worker-1
  containers: [{name: c, image: i, resources: {requests: {x.y/z: 1}, limits: {x.y/z: workers}}}]
status: {phase: Running}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: r, namespace: default, uid: u}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
""",
            ("capacity",),
            b'spec.containers[0].resources.limits[x.y/z]: "workers" is not a quantity',
            id="a limit of a pod that runs",
        ),
        pytest.param(
            NODE.replace("worker-1", "worker-2").replace("status: {", "status: {capacity: {memory: workers}, "),
            ("pod.yaml",),
            b"kexplain lint says where it stands",
            id="what few look at",
        ),
    ],
)
def test_an_amount_that_is_none_is_a_fault_of_the_input(
    files: Path, manifest: str, words: tuple[str, ...], says: bytes
) -> None:
    (files / "pod.yaml").write_text(WEB.replace('cpu: "1"', 'cpu: "5"'))
    (files / "more.yaml").write_text(manifest)
    done = kexplain(*words, "--cluster", "nodes.yaml", "--cluster", "more.yaml", cwd=files)
    assert done.returncode == 2
    assert b'"workers" is not a quantity' in done.stderr
    assert says in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        pytest.param((), 2, b"nothing to explain", id="no words at all"),
        pytest.param(("nowhere.yaml", "--nodes", CLUSTER), 2, b"nowhere.yaml", id="a file that is not there"),
        pytest.param(("web2", "--nodes", CLUSTER), 2, b"did you mean web?", id="a name that is not there"),
        pytest.param(("deploy/Web", "--nodes", CLUSTER), 2, b"deploy/Web", id="a name that no object can have"),
        pytest.param(("cfg/x", "--nodes", CLUSTER), 2, b"not a kind with pods", id="an unknown kind"),
        pytest.param((POD,), 2, b"no nodes", id="no nodes"),
        pytest.param((POD, "--bogus"), 2, b"--bogus", id="an unknown option"),
        pytest.param((POD, "--nodes", CLUSTER, "-o", "xml"), 2, b"not a format", id="an unknown format"),
        pytest.param((POD, "--nodes", CLUSTER, "-o", "json", "-o", "csv"), 2, b"only one report", id="two on stdout"),
        pytest.param((POD, "--nodes", CLUSTER, "--node", "worker-9"), 2, b"did you mean worker-", id="an unknown node"),
        pytest.param(
            (POD, "--nodes", CLUSTER, "--plugin", "NodeResourceFit"), 2, b"NodeResourcesFit", id="an unknown plugin"
        ),
        pytest.param(("-", "--nodes", "-"), 2, b"only once", id="stdin twice"),
        pytest.param((POD, "--nodes", CLUSTER, "--replicas", "0"), 2, b"replicas", id="no replicas"),
        pytest.param((POD, "--nodes", CLUSTER, "-o", "json=/nowhere/x"), 2, b"cannot be written", id="no such place"),
        pytest.param((POD, "--nodes", CLUSTER, "--replicas", "1000000000"), 2, b"10000", id="too many replicas"),
        pytest.param(
            (POD, "--nodes", CLUSTER, "-o", "json=x", "-o", "text=x"), 2, b"one file: x", id="two reports for a file"
        ),
        pytest.param((POD, "--nodes", CLUSTER, "-n", "\udcff"), 2, b"not UTF-8", id="a namespace that is no text"),
        pytest.param(
            (POD, "--nodes", CLUSTER, "--scheduler-name", "\udcff"), 2, b"not UTF-8", id="a scheduler that is no text"
        ),
        pytest.param((CASE / "nodes.yaml",), 2, b"nothing to place", id="nothing to place"),
        pytest.param(("completion",), 2, b"Choose from: bash, zsh, fish", id="a completion for no shell"),
    ],
)
def test_wrong_usage_is_one_clear_line_and_exit_2(words: tuple[str | Path, ...], code: int, says: bytes) -> None:
    done = kexplain(*words)
    assert (done.returncode, done.stdout) == (code, b"")
    assert says in done.stderr
    assert all(line.startswith(b"kexplain: ") for line in done.stderr.splitlines())


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("explain", "--help"), ("schema", "--help")])
def test_help_goes_to_stdout(words: tuple[str, ...]) -> None:
    done = kexplain(*words)
    assert done.returncode == 0
    assert done.stdout.startswith(b"Usage: kexplain")


def test_version_names_the_release_that_is_followed() -> None:
    assert b"kubernetes 1.36" in kexplain("version").stdout
    assert kexplain("--version").stdout == kexplain("version").stdout


def test_exit_code_says_whether_everything_fits(files: Path) -> None:
    assert kexplain("pod.yaml", "--nodes", "nodes.yaml", cwd=files).returncode == 0
    assert kexplain("pod.yaml", "--nodes", "nodes.yaml", "--replicas", "5", cwd=files).returncode == 1


def test_every_fault_of_a_file_is_told_with_its_place(files: Path) -> None:
    text = WEB.replace('cpu: "1"', 'cpu: "1x", memory: 2gb')
    (files / "bad.yaml").write_text(text)
    line = text.splitlines()[5]
    done = kexplain("bad.yaml", "--nodes", "nodes.yaml", cwd=files)
    assert done.returncode == 2
    place, path = "kexplain: bad.yaml:6", "spec.containers[0].resources.requests"
    assert done.stderr.decode().splitlines() == [
        f'{place}:{line.index(chr(34)) + 1}: {path}.cpu: "1x" is not a quantity',
        f'{place}:{line.index("2gb") + 1}: {path}.memory: "2gb" is not a quantity; did you mean 2G or 2Gi?',
    ]


def test_a_bad_quantity_of_the_cluster_is_told_with_its_place(files: Path) -> None:
    (files / "nodes.yaml").write_text(NODE.replace("8Gi", "8GiB"))
    done = kexplain("pod.yaml", "--nodes", "nodes.yaml", cwd=files)
    assert done.returncode == 2
    assert b'nodes.yaml:5:42: status.allocatable.memory: "8GiB" is not a quantity' in done.stderr


def test_a_bad_quantity_of_what_only_plugins_read_is_told_with_its_place(files: Path) -> None:
    (files / "storage.yaml").write_text(
        "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: disk}\nspec: {capacity: {storage: 5Gx}}\n"
    )
    done = kexplain("pod.yaml", "--cluster", "nodes.yaml", "--cluster", "storage.yaml", cwd=files)
    assert done.returncode == 2
    assert done.stderr == b'kexplain: storage.yaml:4:28: spec.capacity.storage: "5Gx" is not a quantity\n'


def test_what_is_named_twice_is_placed_once(files: Path) -> None:
    done = kexplain("pod.yaml", "pod.yaml", "--nodes", "nodes.yaml", "-o", "name", cwd=files)
    assert done.stdout == b"default/web\tnode/worker-1\n"


def test_stdin_is_a_file_named_dash(files: Path) -> None:
    assert kexplain("-", "--nodes", "nodes.yaml", cwd=files, stdin=WEB.encode()).returncode == 0


def test_one_file_may_hold_everything(files: Path) -> None:
    (files / "all.yaml").write_text(f"{NODE}---{WEB}")
    done = kexplain("all.yaml", cwd=files)
    assert done.returncode == 0
    assert "default/web fits and lands on worker-1" in done.stdout.decode()


def test_a_running_pod_is_placed_anew_without_itself(files: Path) -> None:
    running = WEB.replace("{name: web}", "{name: web, uid: u1}").replace("spec:", "spec:\n  nodeName: worker-1")
    (files / "pods.yaml").write_text(running.replace('cpu: "1"', 'cpu: "3"'))
    done = kexplain("pod/web", "--cluster", "nodes.yaml", "--cluster", "pods.yaml", cwd=files)
    assert done.returncode == 0
    assert "default/web runs on worker-1  (" in done.stdout.decode()


def test_several_formats_at_once(files: Path) -> None:
    done = kexplain(
        "pod.yaml", "--nodes", "nodes.yaml", "-o", "name", "-o", "json=out.json", "-o", "csv=o.csv", cwd=files
    )
    assert done.stdout == b"default/web\tnode/worker-1\n"
    assert (files / "out.json").read_text().startswith("{")
    assert (files / "o.csv").read_bytes().startswith(b"namespace,pod,")


def test_quiet_leaves_out_notes(files: Path) -> None:
    (files / "other.yaml").write_text("apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n")
    words = ("pod.yaml", "--nodes", "nodes.yaml", "--cluster", "other.yaml")
    assert b"v1/Secret" in kexplain(*words, cwd=files).stderr
    assert kexplain(*words, "-q", cwd=files).stderr == b""


# ------------------------------------------------------------------------------------------ terminals and pipes


@pytest.mark.parametrize(
    ("environment", "words", "colored"),
    [
        pytest.param({}, (), False, id="piped"),
        pytest.param({"FORCE_COLOR": "1"}, (), True, id="FORCE_COLOR"),
        pytest.param({"FORCE_COLOR": "1", "NO_COLOR": "1"}, (), False, id="NO_COLOR beats FORCE_COLOR"),
        pytest.param({"NO_COLOR": "1"}, ("--color", "always"), True, id="--color beats NO_COLOR"),
        pytest.param({"FORCE_COLOR": "1"}, ("--color", "never"), False, id="--color never"),
        pytest.param({"GITHUB_ACTIONS": "true", "NO_COLOR": "1"}, (), False, id="a CI job without colours"),
        pytest.param({"GITHUB_ACTIONS": "true"}, (), False, id="a CI job"),
    ],
)
def test_colour(environment: dict[str, str], words: tuple[str, ...], *, colored: bool) -> None:
    done = kexplain(POD, "--cluster", CLUSTER, *words, environment=environment)
    assert (b"\x1b" in done.stdout) == colored


def test_help_has_no_escapes_under_no_color() -> None:
    done = kexplain("--help", environment={"NO_COLOR": "1", "GITHUB_ACTIONS": "true"})
    assert b"\x1b" not in done.stdout


def test_a_terminal_gets_lines_that_fit_it() -> None:
    master, slave = pty.openpty()
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm", "PYTHONUTF8": "1"}
    subprocess.run(
        [sys.executable, "-m", "kexplain", str(POD), "--nodes", str(CLUSTER / "nodes.yaml"), "--color", "never"],
        stdout=slave,
        stderr=slave,
        env=environment,
        check=False,
        timeout=60,
    )
    os.close(slave)
    printed = b""
    try:
        while chunk := os.read(master, 65536):
            printed += chunk
    except OSError:
        pass
    os.close(master)
    lines = printed.decode().splitlines()
    assert any(line.startswith("kexplain: note: ") for line in lines)
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("redirection", "code", "says"),
    [
        pytest.param("<&-", 1, "", id="no stdin"),
        pytest.param(">/dev/full", 2, "cannot be written: No space left on device", id="a full disk"),
        pytest.param(">&-", 1, "", id="no stdout"),
    ],
)
def test_streams_that_are_closed_or_full(redirection: str, code: int, says: str) -> None:
    command = f'"{sys.executable}" -m kexplain --quiet "{POD}" --cluster "{CLUSTER}" {redirection}'
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_what_the_system_refuses_is_said_with_its_file() -> None:
    program = f"""
import resource, sys
from kexplain.cli.main import run
run([{str(POD)!r}, "--cluster", {str(CLUSTER)!r}, "-o", "name"])
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
sys.exit(run(["web", "--server", "http://127.0.0.1:1"]))
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith(".py: Too many open files\n")
    assert "report" not in done.stderr


def test_a_name_too_long_for_a_path_is_a_name() -> None:
    done = kexplain("a" * 300, "--nodes", CLUSTER)
    assert done.returncode == 2
    assert b"in namespace default" in done.stderr


def test_a_closed_pipe_is_no_error_message() -> None:
    command = f"{sys.executable} -m kexplain {POD} --cluster {CLUSTER} --top 0 -o json; echo $? >&2"
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-c", f"({command}) | true"], capture_output=True, env=environment, timeout=60, check=False
    )
    assert done.stderr.strip() in (b"141", b"1")


def test_names_in_the_input_steer_nothing(files: Path) -> None:
    evil = WEB.replace("image: web", 'image: "[red]x[/red] {0} %s"').replace(
        "spec:", 'spec:\n  nodeSelector: {zone: "[bold]\\e[31m{x}"}'
    )
    (files / "pod.yaml").write_text(evil)
    for output in ("text", "wide", "event", "csv", "markdown", "name", "yaml", "json"):
        done = kexplain("pod.yaml", "--nodes", "nodes.yaml", "-o", output, cwd=files, environment={"NO_COLOR": "1"})
        assert done.returncode == 1
        assert b"\x1b" not in done.stdout
    assert b"zone=[bold]\\x1b[31m{x}" in kexplain("pod.yaml", "--nodes", "nodes.yaml", cwd=files).stdout


def test_a_file_whose_name_is_no_text_is_read_and_named(files: Path) -> None:
    path = files / "p\udcff.yaml"
    path.write_text(WEB)
    done = kexplain(path, "--nodes", files / "nodes.yaml", "-o", "json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["pods"][0]["pod"]["source"].endswith("p\\xff.yaml")


def test_an_interrupt_ends_it_quietly_while_it_starts(tmp_path: Path) -> None:
    # What is imported first takes as long as a slow disk would.
    (tmp_path / "typer.py").write_text("import time\nprint(flush=True)\ntime.sleep(600)\n")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    # Where a job runs in the background, interrupts are ignored to begin with.
    started = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    with subprocess.Popen(
        [sys.executable, "-c", started + "runpy.run_module('kexplain', run_name='__main__')"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        cwd=tmp_path,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    assert (process.returncode, said) == (130, b"")


def test_replicas_that_fit_nowhere_are_all_explained(files: Path) -> None:
    (files / "pod.yaml").write_text(WEB.replace('cpu: "1"', 'cpu: "5"'))
    done = kexplain(files / "pod.yaml", "--nodes", files / "nodes.yaml", "--replicas", "3", "-o", "json")
    first, *others = json.loads(done.stdout)["pods"]
    names = [pod["pod"].pop("name") for pod in (first, *others)]
    assert len(set(names)) == 3
    assert others == [first, first]
