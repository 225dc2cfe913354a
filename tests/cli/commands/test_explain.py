"""How much the default command shows, and what it does about what is wrong."""

from __future__ import annotations

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path
from shutil import copytree

import pytest

from kexplain.cli.flags.cluster import ClusterFlags
from kexplain.cli.inputs import at_time
from kexplain.cli.main import run
from kexplain.errors import UsageError
from tests.cli.command import ROOT, kexplain
from tests.load.snapshot.story import write_story

FIXTURES = ROOT / "fixtures"


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = run([*words])
    return (code, *capsys.readouterr())


@pytest.fixture
def too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copytree(FIXTURES / "help-as-a-diff", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "deployment.yaml"


CASE = ("deployment.yaml", "--cluster", "cluster.yaml")


def test_each_step_shows_more(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(FIXTURES / "behind-the-first-rejection")
    files = ("pod.yaml", "--nodes", "nodes.yaml", "--pods", "pods.yaml")
    texts = [printed(capsys, *files, *step)[1] for step in ((), ("-v",), ("-vv",))]
    assert len(texts[0]) < len(texts[1]) < len(texts[2])
    behind = "cpu 2 > 1.42 free"
    assert behind in printed(capsys, *files, "--all-failures")[1]
    assert [behind in text for text in texts] == [False, False, True]
    assert texts[2] == printed(capsys, *files, "-o", "wide")[1]
    assert texts[2] == printed(capsys, *files, "-v", "--verbose")[1]


def test_one_plugin_whose_scores_are_the_same_everywhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES / "preferred-node-affinity")
    words = ("pod.yaml", "--nodes", "nodes.yaml", "--plugin", "TaintToleration")
    code, out, err = printed(capsys, *words)
    assert (code, "the same on all nodes: TaintToleration" in out) == (0, True), err


@pytest.mark.usefixtures("too_large")
def test_a_fix_without_a_number_is_the_first(capsys: pytest.CaptureFixture[str]) -> None:
    first = printed(capsys, *CASE, "--fix", "1")
    assert '+              cpu: "4"' in first[1]
    assert printed(capsys, *CASE, "--fix") == first
    assert printed(capsys, "--fix", *CASE) == first
    assert printed(capsys, "--fix=1", *CASE) == first


def test_a_fix_is_written_and_the_report_says_what_is_then(too_large: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = too_large.read_text()
    code, out, err = printed(capsys, *CASE, "--fix", "--write")
    assert (code, "fits and lands on n1" in out) == (0, True)
    assert "kexplain: note: 1 correction in 1 file, written to deployment.yaml\n" in err
    assert len(set(err.splitlines())) == len(err.splitlines())
    assert too_large.read_text() == before.replace('cpu: "6"', 'cpu: "4"')


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--write",), "--write goes with --fix"),
        (("--fix", "-o", "json"), "has no other format"),
        (("--fix", "2", "--write"), "changes more than the file of the manifest"),
        (("--fix", "9", "--write"), "there is no remedy 9"),
        (("--fix=-1",), "-1 is not a whole number of at least 0"),
    ],
)
def test_what_cannot_be_fixed_so(
    words: tuple[str, ...], says: str, too_large: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = too_large.read_text()
    code, out, err = printed(capsys, *CASE, *words)
    assert (code, out, says in err) == (2, "", True), err
    assert too_large.read_text() == before


REFUSED = ("pod.yaml", "--nodes", str(FIXTURES / "manifest-refused" / "nodes.yaml"))


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A manifest whose requests stand beside `resources`, not below it."""
    copytree(FIXTURES / "manifest-refused-fix", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "pod.yaml"


def test_what_an_api_server_refuses_is_corrected_first(refused: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = printed(capsys, *REFUSED, "--fix", "--write")
    assert (code, "fits and lands on" in out) == (0, True), err
    assert "    resources:\n      requests:\n        cpu: 1\n" in refused.read_text()
    assert "an API server refuses it as it is; 2 corrections in 1 file, written to pod.yaml" in err
    code, out, err = printed(capsys, *REFUSED, "--fix")
    assert (code, out, "every pod fits" in err) == (0, "", True), err


@pytest.mark.parametrize("words", [("--fix",), ("--fix", "--write")])
def test_what_is_refused_and_cannot_be_corrected(
    words: tuple[str, ...], refused: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused.write_text(refused.read_text().replace("requests:", "wishes:").replace("limits:", "bounds:"))
    before = refused.read_text()
    code, out, err = printed(capsys, *REFUSED, *words)
    assert (code, out, "no correction is certain" in err) == (2, "", True), err
    assert refused.read_text() == before


def test_what_people_have_to_decide_is_said(refused: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing that would help with the scheduling stands in for what an API server refuses."""
    container = "containers: [{name: a, image: a, imagePullPolicy: always, resources: {limits: {a.b/c: 2}}}]"
    spread = "topologySpreadConstraints: [{maxSkew: 0, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]"
    top = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n"
    refused.write_text(f"{top}  {container}\n  {spread}\n")
    code, out, err = printed(capsys, *REFUSED, "--fix")
    said = "not corrected: pod.yaml:6:41: spec.topologySpreadConstraints[0].maxSkew: 0 is not greater than 0"
    assert (code, out.count("\n-"), out.count("\n+"), said in err) == (1, 1, 2, True), err
    refused.write_text(refused.read_text().replace("always", "Always"))
    code, out, err = printed(capsys, *REFUSED, "--fix")
    assert (code, out, said in err) == (2, "", True), err
    assert err.endswith("change it by hand; --fix 1 shows what helps once it is accepted\n")


def test_what_comes_from_stdin_cannot_be_read_twice(
    refused: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(refused.read_bytes())))
    code, out, err = printed(capsys, "-", *REFUSED[1:], "--fix")
    assert (code, out, "no correction is certain" in err) == (2, "", True), err


def test_a_numbered_remedy_is_that_of_the_report(refused: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is refused, and is known by the cluster, is corrected where no number is said."""
    about = "metadata: {name: n1, uid: n1, labels: {disk: ssd}}, status: {allocatable: {cpu: 4, pods: 9}}"
    node = f"{{apiVersion: v1, kind: Node, {about}}}"
    high = "{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high, uid: high}, value: 1}"
    (refused.parent / "cluster.yaml").write_text(f"{node}\n---\n{high}\n")
    refused.write_text(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  namespace: default\nspec:\n"
        "  priorityClassName: hihg\n  nodeSelector:\n    disk: sdd\n  containers:\n    - name: web\n      image: web\n"
    )
    words = ("pod.yaml", "--cluster", "cluster.yaml")
    changed = []
    for number in ((), ("1",), ("2",)):
        code, out, err = printed(capsys, *words, "--fix", *number)
        assert code == 1, err
        changed.append([line for line in out.splitlines() if line.startswith(("- ", "+ "))])
    assert changed[0] == [
        "-  priorityClassName: hihg",
        "+  priorityClassName: high",
        "-    disk: sdd",
        "+    disk: ssd",
    ]
    assert changed[1] == ["-    disk: sdd", "+    disk: ssd"]
    assert changed[2] == ["-  nodeSelector:", "-    disk: sdd"]
    code, out, err = printed(capsys, *words, "--fix", "--write")
    assert (code, "fits and lands on n1" in out) == (0, True), err


def test_a_later_remedy_is_one_of_the_pods(refused: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused.exists()
    code, out, err = printed(capsys, *REFUSED, "--fix", "2")
    assert (code, out, "every pod fits" in err) == (2, "", True), err


@pytest.mark.parametrize("words", [("-n", "shop"), ()])
def test_a_pod_that_has_a_node_and_does_not_run_is_a_failure(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    there = FIXTURES / "bound-volume-not-attached" / "cluster.yaml"
    code, out, _ = printed(capsys, *words, "--cluster", str(there))
    assert (code, "HAVE A NODE AND DO NOT RUN" in out) == (1, True)


def test_one_node_is_compared_with_the_one_that_is_chosen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES / "largest-node-wins")
    words = ("pod.yaml", "--nodes", "nodes.yaml", "--pods", "pods.yaml")
    assert "rank 2 with 414 points, 16 fewer than worker-2\n" in printed(capsys, *words, "--node", "worker-1")[1]
    assert "rank 1 with 430 points\n" in printed(capsys, *words, "--node", "worker-2")[1]


def test_of_preemption_only_what_concerns_the_node_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(FIXTURES / "preemption-evicts-the-least")
    words = ("pod.yaml", "--nodes", "nodes.yaml", "--pods", "pods.yaml", "--cluster", "priorityclasses.yaml")
    candidates = [line for line in printed(capsys, *words)[1].splitlines() if ": evict " in line]
    nominated = next(line for line in candidates if "would be nominated" in line)
    other = next(line for line in candidates if line is not nominated)
    shown = printed(capsys, *words, "--node", other.split(":")[0].strip())[1]
    assert [line for line in shown.splitlines() if ": evict " in line] == [nominated, other]


def test_the_snapshot_that_was_taken_nearest_to_a_time(tmp_path: Path) -> None:
    story = write_story(tmp_path)
    done = kexplain("pod/api-0", "-n", "shop", "--cluster", story, "--at", "03:12")
    assert (done.returncode, done.stdout.decode().splitlines()[0]) == (
        0,
        "✓ shop/api-0 fits and lands on n2  (kubernetes 1.36)",
    )
    told = f"the cluster is the one of 2026-11-20 03:10 UTC, 2 min before 2026-11-20 03:12 ({story}/7.snapshot)"
    assert told in done.stderr.decode()
    document = json.loads(kexplain("pod/api-0", "-n", "shop", "--cluster", story, "--at", "03:00", "-o", "json").stdout)
    assert f"the cluster is the one of 2026-11-20 03:00 UTC ({story}/6.snapshot)" in document["notes"]
    with pytest.raises(UsageError, match="--at chooses among snapshots, and none are named"):
        at_time(ClusterFlags(at="03:00"))


UNREADABLE = (
    "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
    "spec:\n  nodeSelector: {disk: true}\n  containers: [{name: c, image: c}]\n"
)


@pytest.mark.parametrize(
    ("text", "said", "removed"),
    [
        pytest.param(UNREADABLE, "expected a string, found a boolean", "  nodeSelector: {disk: true}", id="a field"),
        pytest.param(UNREADABLE.replace("kind: Pod", "kind: Pdo"), "did you mean Pod?", "kind: Pdo", id="a kind"),
    ],
)
def test_what_cannot_be_read_is_corrected_where_that_is_certain(
    refused: Path, capsys: pytest.CaptureFixture[str], text: str, said: str, removed: str
) -> None:
    refused.write_text(text)
    code, out, err = printed(capsys, *REFUSED)
    assert (code, out, said in err) == (2, "", True), err
    code, out, err = printed(capsys, *REFUSED, "--fix")
    assert (code, f"\n-{removed}\n" in out, "it cannot be read; " in err) == (1, True, True), err
    refused.write_text(UNREADABLE.replace("{disk: true}", "{disk: [a]}"))
    code, out, err = printed(capsys, *REFUSED, "--fix")
    assert (code, out, "expected a string, found a list" in err) == (2, "", True), err


def test_what_is_corrected_is_read_again(refused: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused.write_text(UNREADABLE)
    code, out, err = printed(capsys, *REFUSED, "--fix", "--write")
    assert (code, "no node has" in out, '{disk: "true"}' in refused.read_text()) == (1, True, True), err


RUNNING = """
{apiVersion: v1, kind: List, items: [
  {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: shop}, spec: {
    replicas: 1, selector: {matchLabels: {app: db}},
    template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}}},
  {apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}},
  {apiVersion: v1, kind: Node, metadata: {name: n2}, status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}},
  {apiVersion: v1, kind: Pod, metadata: {name: db-0, namespace: shop, labels: {app: db}, ownerReferences: [
    {apiVersion: apps/v1, kind: StatefulSet, name: db, uid: u, controller: true}]},
   spec: {nodeName: n1, containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]}, status: {phase: Running}}]}
"""


def test_how_a_workload_that_runs_fares_on_a_node_is_how_one_of_its_pods_would(tmp_path: Path) -> None:
    file = tmp_path / "cluster.yaml"
    file.write_text(RUNNING)
    said = kexplain("sts/db", "-n", "shop", "--node", "n2", "--cluster", file).stdout.decode()
    assert said.startswith("✓ shop/db-0 runs on n1")
    assert "  NODE n2\n  feasible" in said
    assert "the only pod has a node" in kexplain("sts/db", "-n", "shop", "--cluster", file).stdout.decode()


def test_capacity_says_who_waits_and_is_not_placed_first(tmp_path: Path) -> None:
    file = tmp_path / "cluster.yaml"
    spec = "spec: {containers: [{name: c, image: i}]}, status: {phase: Pending}"
    waiting = f"{{apiVersion: v1, kind: Pod, metadata: {{name: w}}, {spec}}}"
    file.write_text(f"{RUNNING}---\n{waiting}\n")
    words = ("capacity", "sts/db", "-n", "shop", "--cluster", file)
    said = kexplain(*words).stdout.decode()
    assert "1 pod is pending already; it is not placed first, and may take some of this room" in said
    assert json.loads(kexplain(*words, "-o", "json").stdout)["pending"] == 1
