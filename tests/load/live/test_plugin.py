"""As a plugin of the real kubectl, against an API server."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from kexplain.cli.program import spelled
from tests.load.live.cluster import objects
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import StandIn, refuses

ROOT = Path(__file__).parents[3]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("kubectl") is None, reason="there is no kubectl here")]


@pytest.fixture
def server() -> Iterator[StandIn]:
    """With TLS, as kubectl sends its token nowhere else."""
    with StandIn(objects()) as stand_in:
        yield stand_in


@pytest.fixture
def kubectl(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell with nothing on its PATH but kubectl and the entry points, as an installation leaves them."""
    for name, entry in SCRIPTS.items():
        module, _, function = entry.partition(":")
        script = shell.directory / name
        script.write_text(f"#!{sys.executable}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n")
        script.chmod(0o755)
    (shell.directory / "kubectl").symlink_to(shutil.which("kubectl") or "")
    monkeypatch.setenv("PATH", str(shell.directory))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return shell


def test_the_manifest_for_krew_has_the_program_for_every_platform() -> None:
    template = (ROOT / ".krew.yaml").read_text().replace("{{ .TagName }}", "v1")
    manifest = yaml.safe_load(re.sub(r"{{addURIAndSha (\S+) .TagName }}", r"uri: \1", template))
    assert manifest["metadata"]["name"] == "kexplain"
    platforms = {tuple(each["selector"]["matchLabels"].values()): each for each in manifest["spec"]["platforms"]}
    unix = {(system, chip) for system in ("linux", "darwin") for chip in ("amd64", "arm64")}
    assert platforms.keys() == {*unix, ("windows", "amd64")}
    assert {each["bin"].removesuffix(".exe") for each in platforms.values()} <= SCRIPTS.keys()
    assert len({each["uri"] for each in platforms.values()}) == len(platforms)


def _run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["kubectl", *map(str, words)], capture_output=True, text=True, timeout=60, check=False)


def _offered(*words: str | Path) -> tuple[list[str], str]:
    """What kubectl completes to, and the directive."""
    *offered, directive = _run("__complete", "kexplain", *words).stdout.split("\n")[:-1]
    return offered, directive


def test_kubectl_knows_the_plugin(kubectl: Shell) -> None:
    listed = _run("plugin", "list")
    assert str(kubectl.directory / "kubectl-kexplain") in listed.stdout
    assert "warning" not in listed.stderr.lower()


def test_a_pending_pod_is_explained(kubectl: Shell) -> None:
    done = _run("kexplain", "pod/web", "-n", "shop", "--kubeconfig", kubectl.directory / "config")
    assert done.returncode == 1
    assert "shop/web does not fit on any of 3 nodes" in done.stdout
    assert done.stdout == kubectl.kexplain("pod/web", "-n", "shop").out


@pytest.mark.usefixtures("kubectl")
def test_help_and_hints_say_how_it_was_called() -> None:
    shown = _run("kexplain", "--help").stdout
    assert shown.startswith("Usage: kubectl kexplain [OPTIONS] [POD]")
    assert "kubectl kexplain pod/web -n shop" in shown
    assert _run("kexplain", "diff", "--help").stdout.startswith("Usage: kubectl kexplain diff")
    assert "hint: kubectl kexplain --help-all lists every option" in _run("kexplain", "--bogus").stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("see kexplain diff", "see kubectl kexplain diff"),
        ("kexplain pod/web", "kubectl kexplain pod/web"),
        ("kubectl kexplain pod/web", "kubectl kexplain pod/web"),
        ("the file .kexplain.yaml", "the file .kexplain.yaml"),
        ("by kexplain.", "by kexplain."),
    ],
)
def test_commands_in_texts_are_spelled_as_they_are_called(text: str, told: str) -> None:
    assert spelled(text, "kubectl kexplain") == told
    assert spelled(text, "kexplain") == text


@pytest.mark.parametrize(
    ("words", "offered", "directive"),
    [
        pytest.param(["-n", "shop", "we"], ["web"], ":0", id="pods"),
        pytest.param(["-n", "shop", "pod/w"], ["pod/web"], ":0", id="pods-with-their-kind"),
        pytest.param(["-n", "shop", "deploy/"], ["deploy/api"], ":0", id="workloads"),
        pytest.param(["-n", "shop", "deploy", ""], ["api"], ":4", id="workloads-behind-their-kind"),
        pytest.param(["pod", "web", "-n", "shop", "api-0"], ["api-0000", "api-0001", "api-0002"], ":4", id="several"),
        pytest.param(["-A", "deployments.apps/"], ["deployments.apps/api"], ":0", id="a-kind-with-its-group"),
        pytest.param(["--namespace=shop", "po"], ["pod/"], ":2", id="kinds"),
        pytest.param(["-n", "s"], ["shop"], ":4", id="namespaces"),
        pytest.param(["--namespace=s"], ["--namespace=shop"], ":4", id="namespaces-behind-a-sign"),
        pytest.param(["web", "--node", ""], ["worker-1", "worker-2", "worker-3"], ":4", id="nodes"),
        pytest.param(["--context", ""], ["test"], ":4", id="contexts"),
        pytest.param(["-o", "j"], ["json"], ":4", id="formats"),
        pytest.param(["--color", "n"], ["never"], ":4", id="choices"),
        pytest.param(["--top", ""], [], ":4", id="values-that-nobody-knows"),
        pytest.param(["-f", ""], [], ":0", id="files"),
        pytest.param(["web", "--cluster", "x.json", ""], [], ":0", id="files-in-place-of-a-cluster"),
        pytest.param(["dif"], ["diff"], ":0", id="commands"),
        pytest.param(["completion", "z"], ["zsh"], ":4", id="arguments-of-commands"),
        pytest.param(["lint", ""], [], ":0", id="files-of-commands"),
        pytest.param(["nobody/"], [], ":0", id="a-kind-that-is-not-there"),
    ],
)
@pytest.mark.usefixtures("kubectl")
def test_completion(words: list[str], offered: list[str], directive: str) -> None:
    assert _offered(*words) == (offered, directive)


@pytest.mark.usefixtures("kubectl")
def test_options_are_completed_with_what_they_are_for() -> None:
    assert _offered("--no-p") == (["--no-preemption\tSkip the preemption dry run."], ":4")
    assert _offered("diff", "--to-kub") == (["--to-kubernetes-version\tThe release to compare with."], ":4")
    assert _offered("snapshot", "--no-p") == ([], ":4")


@pytest.mark.usefixtures("kubectl")
def test_a_cluster_that_refuses_leaves_completion_quiet(server: StandIn) -> None:
    server.always(refuses(403))
    done = _run("__complete", "kexplain", "-n", "shop", "we")
    assert done.stdout == ":0\n"
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("kubectl")
def test_completion_imports_no_client_and_no_engine() -> None:
    code = (
        "import sys; from kexplain.cli.completion import complete;"
        "complete(sys.argv[1:]); print([name for name in sys.modules if name in"
        " ('kubernetes', 'urllib3', 'msgspec', 'yaml', 'rich', 'typer', 'kexplain.case')])"
    )
    for words in (["-n", "shop", "pod/w"], ["web", "--node", ""]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert done.stdout == "[]\n"
