from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from kexplain.load import load
from kexplain.load.snapshot.snapshot_file import encode_snapshot
from tests.cli.command import ROOT, kexplain
from tests.load.snapshot.story import write_story
from tests.load.texts import listed, node, pod, write

CASE = ROOT / "fixtures" / "image-locality-decides"
POD, NODES = CASE / "pod.yaml", CASE / "nodes.yaml"


@pytest.fixture(name="without_image")
def _without_image(tmp_path: Path) -> Path:
    """The nodes of the case, none of which has the image."""
    changed = tmp_path / "changed.yaml"
    changed.write_text(NODES.read_text().replace("images:", "volumesInUse: []\n  unread:"))
    return changed


def test_what_changes_is_told_and_ends_in_1(without_image: Path) -> None:
    done = kexplain("diff", POD, "--nodes", NODES, "--to-cluster", without_image)
    assert done.returncode == 1
    first, *others = done.stdout.decode().splitlines()
    assert first == "1 of 1 pod may land on another node; all verdicts stay  (kubernetes 1.36)"
    assert "  ImageLocality +44: its margin was -44 and is now +0" in others


@pytest.mark.parametrize(("fail_on", "code"), [("any", 1), ("node", 1), ("verdict", 0), ("worse", 0)])
def test_what_fails(fail_on: str, code: int, without_image: Path) -> None:
    done = kexplain("diff", POD, "--nodes", NODES, "--to-cluster", without_image, "--fail-on", fail_on)
    assert done.returncode == code


def test_nothing_changes_and_ends_in_0(tmp_path: Path) -> None:
    copy = tmp_path / "same.yaml"
    copy.write_bytes(NODES.read_bytes())
    done = kexplain("diff", POD, "--nodes", NODES, "--to-cluster", copy)
    assert (done.returncode, done.stdout.decode().splitlines()[0]) == (
        0,
        "✓ nothing changes for 1 pod  (kubernetes 1.36)",
    )


def test_json_is_valid_under_its_schema(without_image: Path) -> None:
    done = kexplain("diff", POD, "--nodes", NODES, "--to-cluster", without_image, "-o", "json")
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(json.loads(kexplain("schema", "diff").stdout)).validate(document)
    assert document["pods"][0]["changed"] == ["node", "rank"]


def test_yaml_holds_the_same_as_json(without_image: Path) -> None:
    words = ("diff", POD, "--nodes", NODES, "--to-cluster", without_image, "-o")
    assert kexplain(*words, "yaml").stdout.startswith(b"apiVersion: kexplain/v1\nkind: Difference\nbefore:\n")


def test_a_gate_that_a_release_does_not_have_is_left_out_of_it() -> None:
    gates = "GangScheduling=true,GenericWorkload=true"
    words = ("--feature-gates", gates, "--to-kubernetes-version", "1.37", "-o", "json")
    done = kexplain("diff", POD, "--nodes", NODES, *words)
    document = json.loads(done.stdout)
    settings = [document[side]["settings"] for side in ("before", "after")]
    left = "--feature-gates GenericWorkload=true"
    assert settings == [[f"--feature-gates {gates}", f"--cluster {NODES}"], [left, f"--cluster {NODES}"]]
    assert done.stderr.decode().splitlines()[0] == (
        "kexplain: note: --feature-gates: GangScheduling is not a feature gate of Kubernetes 1.37 (it was added in "
        "1.35 and removed in 1.37, where it is part of GenericWorkload); kube-scheduler would not start with it, and "
        "it is left out after the change"
    )


def test_a_policy_takes_the_place_of_a_release() -> None:
    words = ("--kubernetes-version", "1.30", "--to-policy", "default-1.4", "--max-pd-volumes", "7", "-o", "json")
    document = json.loads(kexplain("diff", POD, "--nodes", NODES, *words).stdout)
    before, after = document["before"], document["after"]
    assert (before["kubernetesVersion"], after["kubernetesVersion"]) == ("1.30", "1.22")
    assert before["settings"] == after["settings"][2:]
    assert after["settings"][:2] == ["--policy default-1.4", "--max-pd-volumes 7"]


def test_a_release_does_not_take_the_place_of_a_policy_by_itself() -> None:
    words = ("diff", POD, "--nodes", NODES, "--policy", "default-1.4", "--to-kubernetes-version", "1.36")
    refused = kexplain(*words)
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"--to-config default removes the Policy" in refused.stderr
    assert kexplain(*words, "--to-config", "default").returncode in {0, 1}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        pytest.param((), "nothing to compare: both sides are the same", id="no-change"),
        pytest.param((), "--to-feature-gates, --to-policy, --to-cluster or --to-time", id="what can change"),
        pytest.param((), "for changed manifests use what-if", id="manifests"),
        pytest.param(("--to-config", "a", "--to-policy", "b"), "--to-config and --to-policy exclude", id="two"),
        pytest.param(("--to-feature-gates", "A"), '--to-feature-gates: "A" is not GATE=true or GATE=false', id="gate"),
        pytest.param(("--to-cluster", "x", "-o", "sarif"), '"sarif" is not a format', id="format"),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], message: str) -> None:
    done = kexplain("diff", POD, "--nodes", NODES, *words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()


def test_running_pods_are_placed_anew() -> None:
    dump = ROOT / "fixtures" / "kubectl-dump" / "cluster.json"
    done = kexplain("diff", "--cluster", dump, "--to-cluster", dump.parent, "--all-running")
    assert done.stdout.decode().splitlines()[0] == "✓ nothing changes for 3 pods  (kubernetes 1.36)"


@pytest.mark.parametrize("count", [3, 120])
def test_what_settings_do_for_running_pods_is_said_by_whomever_they_are_compared(tmp_path: Path, count: int) -> None:
    nodes = [node(name, allocatable={"cpu": "4", "memory": "8Gi", "pods": "500"}) for name in ("n", "m")]
    asks = {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "10m"}}}], "nodeName": "n"}
    named = ({"name": f"p{place}", "namespace": "shop", "uid": f"p{place}"} for place in range(count))
    running = [{**pod(), "metadata": metadata, "spec": asks} for metadata in named]
    dump = write(tmp_path / "dump.json", listed(*nodes, *running))
    config = ROOT / "fixtures" / "diff-bin-packing" / "config.yaml"
    asked = ("--all-running", "--workers", "2", "--cluster", dump, "--to-config", config)
    (_, change) = json.loads(kexplain("diff", *asked, "-o", "json").stdout)["schedulerChanges"]
    assert (change["what"], change["bearing"]) == ("scoringStrategy.type", "gives other points")


def test_gates_that_are_set_otherwise_are_named() -> None:
    gates = ("--to-feature-gates", "AnyVolumeDataSource=false,DRAListTypeAttributes=true")
    said = kexplain("diff", POD, "--nodes", NODES, *gates, "-o", "json").stdout
    rows = {each["plugin"]: each for each in json.loads(said)["schedulerChanges"]}
    assert {name: (each["what"], each["before"], each["after"], each["bearing"]) for name, each in rows.items()} == {
        "AnyVolumeDataSource": ("feature gate", "", "off", "no plugin reads it"),
        "DRAListTypeAttributes": ("feature gate", "off", "on", "Attributes of devices can be lists"),
    }


def test_one_cluster_is_read_once_for_both_sides_so_that_it_may_come_from_stdin() -> None:
    dump = ROOT / "fixtures" / "kubectl-dump" / "cluster.json"
    change = ("--to-kubernetes-version", "1.30", "--all-running")
    done = kexplain("diff", "--cluster", "-", *change, stdin=dump.read_bytes())
    assert (done.returncode, done.stdout) == (1, kexplain("diff", "--cluster", dump, *change).stdout)


@pytest.mark.parametrize(("words", "anew"), [((), False), (("--all-running",), True)])
def test_figures_are_of_the_queue_or_of_all_pods_placed_anew(words: tuple[str, ...], anew: bool) -> None:
    case = ROOT / "fixtures" / "diff-bin-packing"
    asked = (case / "pod.yaml", "--cluster", case / "cluster.yaml", "--to-config", case / "config.yaml")
    found = json.loads(kexplain("diff", *asked, "--figures", *words, "-o", "json").stdout)["figures"]
    assert (found["anew"], found["moved"], found["before"]["used"], found["after"]["used"]) == (anew, 1, 2, 1)


def test_running_pods_that_name_no_scheduler_are_those_of_the_default_one(tmp_path: Path) -> None:
    running = {"metadata": {"name": "p", "namespace": "shop", "uid": "p"}, "spec": {"nodeName": "n"}}
    dump = write(tmp_path / "dump.json", listed(node("n", allocatable={"pods": "9"}), {**pod(), **running}))
    done = kexplain("diff", "--all-running", "--cluster", dump, "--to-kubernetes-version", "1.35", "-o", "json")
    (compared,) = json.loads(done.stdout)["pods"]
    assert [compared[side]["outcome"] for side in ("before", "after")] == ["Scheduled", "Scheduled"]


def test_two_times_of_one_cluster(tmp_path: Path) -> None:
    words = ("--cluster", write_story(tmp_path), "--from-time", "02:00", "--to-time", "2026-11-20 03:02")
    done = kexplain("diff", "pod/api-0", "-n", "shop", *words)
    text = done.stdout.decode()
    first = text.splitlines()[0]
    assert done.returncode == 1
    assert first == (
        "1 of 1 pod gets another verdict, as node n2 changed (spec.unschedulable), node n3 changed "
        "(metadata.labels.team, spec.taints) and 2 pods of statefulset/batch are new  (kubernetes 1.36)"
    )
    assert "changed in between: 5 Pods and 2 Nodes" in text
    assert "2026-11-20 03:00 UTC, 2 min before 2026-11-20 03:02" in done.stderr.decode()
    document = json.loads(kexplain("diff", "-n", "shop", *words, "-o", "json").stdout)
    jsonschema.Draft202012Validator(json.loads(kexplain("schema", "diff").stdout)).validate(document)
    assert [each["names"] for each in document["pods"][0]["because"]] == [
        ["n2"],
        ["n3"],
        ["shop/batch-0", "shop/batch-1"],
    ]
    assert document["since"] == {"Pod": 5, "Node": 2}
    assert b"2 pods of statefulset/batch are new" in kexplain("diff", *words, "-o", "html").stdout


def test_a_pod_that_runs_at_one_of_the_times_is_not_in_its_own_way(tmp_path: Path) -> None:
    there = node("n", allocatable={"cpu": "4", "pods": "110"}) | {"metadata": {"name": "n", "uid": "n"}}
    waits = pod("p", containers=[{"name": "c", "image": "i", "resources": {"requests": {"cpu": "3"}}}])
    waits["metadata"]["uid"] = "p"
    runs = waits | {"spec": waits["spec"] | {"nodeName": "n"}}
    states = {"02": (there, runs), "03": (there | {"spec": {"unschedulable": True}}, waits)}
    for hour, objects in states.items():
        read = load([write(tmp_path / "dump.json", listed(*objects))])
        (tmp_path / f"{hour}.snapshot").write_bytes(encode_snapshot(read, taken_at=f"2026-11-20T{hour}:00:00Z"))
    done = kexplain("diff", "pod/p", "--cluster", tmp_path, "--from-time", "02:00", "--to-time", "03:00")
    first = "1 of 1 pod gets another verdict, as node n changed (spec.unschedulable)  (kubernetes 1.36)"
    assert done.stdout.decode().splitlines()[0] == first


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--to-time", "25:30"), b"25:30 is no time"),
        (("--from-time", "02:00"), b"--from-time and --to-time go together"),
        (("--to-time", "02:00", "--to-cluster", "x"), b"--from-time and --to-time go together"),
        (("--from-time", "02:00", "--to-time", "02:01"), b"both sides are the same"),
    ],
)
def test_times_that_cannot_be_compared(words: tuple[str, ...], said: bytes, tmp_path: Path) -> None:
    done = kexplain("diff", "pod/api-0", "-n", "shop", "--cluster", write_story(tmp_path), *words)
    assert (done.returncode, said in done.stderr) == (2, True)


def test_where_nothing_is_pending_running_pods_can_be_compared(tmp_path: Path) -> None:
    node = "{apiVersion: v1, kind: Node, metadata: {name: n1, uid: n1}, status: {allocatable: {cpu: 1, pods: 9}}}"
    (tmp_path / "cluster.yaml").write_text(node)
    words = ("diff", "--cluster", "cluster.yaml", "--to-kubernetes-version", "1.30")
    done = kexplain(*words, cwd=tmp_path)
    assert "there are no pods to compare" in done.stdout.decode().splitlines()[0]
    assert b"--all-running compares where" in done.stderr
    assert b"--all-running compares" not in kexplain(*words, "--all-running", cwd=tmp_path).stderr


def test_a_workload_means_all_of_its_pods(tmp_path: Path) -> None:
    manifest = tmp_path / "web.yaml"
    manifest.write_text(
        "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 3, selector: {matchLabels: "
        "{app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: web}]}}}}"
    )
    nodes = str(ROOT / "fixtures" / "image-locality-decides" / "nodes.yaml")
    asked = ("diff", str(manifest), "--nodes", nodes, "--to-kubernetes-version", "1.30", "-o", "json")
    assert len(json.loads(kexplain(*asked).stdout)["pods"]) == 3
    assert len(json.loads(kexplain(*asked, "--replicas", "1").stdout)["pods"]) == 1


def test_how_the_schedulers_differ_comes_before_what_that_does(tmp_path: Path) -> None:
    config = tmp_path / "scheduler.yaml"
    config.write_text(
        "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: [{plugins: "
        "{score: {enabled: [{name: NodeAffinity, weight: 7}]}}}]}"
    )
    said = kexplain("diff", POD, "--nodes", NODES, "--to-config", config).stdout.decode()
    head, row = said.partition("HOW THE SCHEDULERS DIFFER\n")[2].splitlines()[:2]
    assert head.split() == ["PLUGIN", "WHERE,", "OR", "WHICH", "ARGUMENT", "BEFORE", "AFTER", "FOR", "THESE", "PODS"]
    assert row.split()[:6] == ["NodeAffinity", "score", "weight", "2", "weight", "7"]
    assert row.endswith("nothing to do: no preferred node affinity")
    done = kexplain("diff", POD, "--nodes", NODES, "--to-config", config, "-o", "json")
    document = json.loads(done.stdout)
    assert document["schedulerChanges"] == [
        {"profile": "default-scheduler", "plugin": "NodeAffinity", "what": "score", "before": "weight 2",
         "after": "weight 7", "bearing": "nothing to do: no preferred node affinity", "evaluated": True}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("--to-feature-gates", "NoGate=true"), "--to-feature-gates"),
        (("--to-feature-gates", "NoGate"), "--to-feature-gates"),
        (("--feature-gates", "NoGate=true", "--to-kubernetes-version", "1.35"), "--feature-gates"),
    ],
)
def test_an_unknown_gate_is_an_error_of_the_flag_that_named_it(words: tuple[str, ...], flag: str) -> None:
    done = kexplain("diff", POD, "--nodes", NODES, *words)
    assert done.returncode == 2
    assert done.stderr.decode().startswith(f"kexplain: {flag}: ")
