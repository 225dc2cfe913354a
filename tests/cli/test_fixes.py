"""A remedy ready to apply, and what is said of its parts that nothing can apply."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from kexplain.cli.fixes import fix
from kexplain.cli.spelling import as_flag
from kexplain.diagnosis.findings.statement import told
from kexplain.diagnosis.records import Kind, held_by
from kexplain.errors import UsageError
from kexplain.explain.records import NodeCounts
from kexplain.explanation.records import PodExplanation, PodReference
from kexplain.framework.trace import Outcome
from kexplain.objects.changes import Change, Target
from kexplain.parameters import parameters_spelled
from kexplain.remedies.records import Remedy
from tests.cli.command import kexplain
from tests.load.texts import listed, node, write

NODE = Change(target=Target(api_version="v1", kind="Node", namespace="", name="n2"), verb="create", object={})
WORKLOAD = Target(api_version="apps/v1", kind="Deployment", namespace="shop", name="web")
PATCH = Change(
    target=WORKLOAD,
    verb="patch",
    patch=[{"op": "remove", "path": "/spec/template/spec/nodeSelector"}],
    in_manifest=True,
)


@pytest.fixture(autouse=True)
def _on_the_command_line() -> Iterator[None]:
    with parameters_spelled(as_flag):
        yield


def explanation(remedy: Remedy, source: str = "", line: int = 0) -> PodExplanation:
    return PodExplanation(
        pod=PodReference(namespace="shop", name="web-1", priority=0, source=source, line=line),
        scheduler_name="default-scheduler",
        outcome=Outcome.UNSCHEDULABLE,
        message="",
        nodes=NodeCounts(total=0, feasible=0, rejected=0, excluded=0, not_evaluated=0),
        remedies=(remedy,),
    )


def test_what_a_kustomization_has_put_together_is_changed_where_its_words_stand(tmp_path: Path) -> None:
    pod_spec = "spec:\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      nodeSelector: {disk: ssd}\n"
    containers = "      containers: [{name: c, image: c}]\n"
    head = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"
    (tmp_path / "web.yaml").write_text(
        f"{head}{pod_spec}{containers}".replace("spec:\n", "spec:\n  selector: {matchLabels: {app: web}}\n", 1)
    )
    (tmp_path / "patch.yaml").write_text(f"{head}{pod_spec.replace('ssd', 'sdd')}")
    (tmp_path / "kustomization.yaml").write_text("resources: [web.yaml]\npatches:\n- path: patch.yaml\n")
    labels = "kubernetes.io/hostname: n1, disk: ssd"
    status = "{allocatable: {cpu: '4', memory: 8Gi, pods: '9'}}"
    (tmp_path / "nodes.yml").write_text(
        f"apiVersion: v1\nkind: Node\nmetadata: {{name: n1, labels: {{{labels}}}}}\nstatus: {status}\n"
    )
    done = kexplain(".", "--nodes", "nodes.yml", "--fix", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith(b"--- a/patch.yaml\n+++ b/patch.yaml\n")
    assert b"-      nodeSelector: {disk: sdd}\n+      nodeSelector: {disk: ssd}\n" in done.stdout
    # What takes more than a word is said by place.
    second = kexplain(".", "--nodes", "nodes.yml", "--fix", "2", cwd=tmp_path)
    assert (second.returncode, second.stdout) == (2, b"")
    assert b"remove spec.template.spec.nodeSelector (" in second.stderr
    assert kexplain(".", "--nodes", "nodes.yml", "--fix", "--write", cwd=tmp_path).returncode == 0
    assert "{disk: ssd}" in (tmp_path / "patch.yaml").read_text()
    assert kexplain(".", "--nodes", "nodes.yml", cwd=tmp_path).returncode == 0


def test_another_remedy_that_can_be_printed_is_named() -> None:
    printable = Remedy(action="uncordon", text="uncordon n1", commands=("kubectl uncordon n1",), tried=True)
    by_hand = Remedy(action="change-storage", text="restore it")
    several = replace(explanation(by_hand), remedies=(by_hand, by_hand, printable))
    for number in (1, 2):
        with pytest.raises(UsageError) as caught:
            fix([several], number)
        assert caught.value.hint == "do it by hand; another remedy has commands: --fix 3"
    assert fix([several], 3).text == "kubectl uncordon n1\n"


@pytest.mark.parametrize(
    ("remedy", "message", "hint"),
    [
        pytest.param(Remedy(action="add-node", text="add a node", changes=(NODE,)),
                     "remedy 1 has no command: add a node",
                     "add node n2 through the pool, an autoscaler or by hand", id="a-node"),
        pytest.param(Remedy(action="wait-for-preemption", text="wait", rank=0), "remedy 1 has no command: wait",
                     "it happens by itself", id="patience"),
        pytest.param(Remedy(action="change-storage", text="restore it"),
                     "remedy 1 has no command: restore it", "do it by hand", id="data"),
        pytest.param(Remedy(action="combine", text="unselect", changes=(PATCH,)),
                     "remedy 1 has no command: unselect",
                     "change Deployment web in what its manifest is made of: "
                     '[{"op": "remove", "path": "/spec/template/spec/nodeSelector"}]', id="a-manifest-made-of-others"),
    ],
)  # fmt: skip
def test_what_no_command_does_is_said(remedy: Remedy, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        fix([explanation(remedy)], 1)
    assert (str(caught.value), caught.value.hint) == (message, hint)


def test_it_takes_one_pod_or_workload() -> None:
    pods = [
        explanation(Remedy(action="uncordon", text="uncordon n1", commands=("kubectl uncordon n1",), tried=True))
    ] * 2
    assert fix(pods, 1).text == "kubectl uncordon n1\n"
    other = replace(pods[0], pod=replace(pods[0].pod, name="other"))
    with pytest.raises(UsageError, match="--fix is for one pod or workload, and 2 pods do not fit") as caught:
        fix([pods[0], other], 1)
    assert caught.value.hint == "name one: kexplain pod/web-1 -n shop --fix 1"


def test_one_of_a_manifest_is_found_where_that_is_read_as_the_cluster(tmp_path: Path) -> None:
    write(tmp_path / "nodes.json", listed(node("n1", allocatable={"cpu": "1", "pods": "9"})))
    (tmp_path / "pods.yaml").write_text(
        "---\n".join(
            f"apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: default}}\nspec:\n"
            "  containers:\n    - name: c\n      image: c\n      resources:\n        requests:\n          cpu: 2\n"
            for name in "ab"
        )
    )
    done = kexplain("pods.yaml", "--nodes", "nodes.json", "--fix", cwd=tmp_path)
    hint = done.stderr.decode().rpartition("name one: kexplain ")[2].split()
    assert hint[:1] == ["pod/a"]
    again = kexplain(*hint, cwd=tmp_path)
    assert b"-          cpu: 2\n+          cpu: 1\n" in again.stdout, again


def test_replicas_of_a_manifest_are_changed_there(tmp_path: Path) -> None:
    nodes = [node(f"n{each}", allocatable={"cpu": "1", "pods": "9"}) for each in "12"]
    for each in nodes:
        each["metadata"]["labels"] = {"kubernetes.io/hostname": each["metadata"]["name"]}
    write(tmp_path / "nodes.json", listed(*nodes))
    (tmp_path / "db.yaml").write_text(
        "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db, namespace: default}\nspec:\n  serviceName: db\n"
        "  replicas: 3\n  podManagementPolicy: Parallel\n  selector: {matchLabels: {app: db}}\n  template:\n"
        "    metadata: {labels: {app: db}}\n    spec:\n      affinity:\n        podAntiAffinity:\n"
        "          requiredDuringSchedulingIgnoredDuringExecution:\n"
        "            - {labelSelector: {matchLabels: {app: db}}, topologyKey: kubernetes.io/hostname}\n"
        "      containers: [{name: c, image: c}]\n"
    )
    words = ("db.yaml", "--nodes", "nodes.json")
    report = kexplain(*words, cwd=tmp_path).stdout.decode()
    number = next(line.split()[0] for line in report.splitlines() if "run 2 replicas" in line)
    done = kexplain(*words, "--fix", number, cwd=tmp_path)
    assert b"-  replicas: 3\n+  replicas: 2\n" in done.stdout, (report, done)


def test_parts_without_a_command_are_noted_beside_the_others() -> None:
    remedy = Remedy(
        action="combine",
        text="together: …",
        changes=(replace(PATCH, in_manifest=False), NODE),
        commands=("kubectl patch deployment web --namespace=shop --type json -p '[]'",),
        tried=True,
    )
    found = fix([explanation(remedy)], 1)
    assert found.text == f"{remedy.commands[0]}\n"
    assert found.notes == ("remedy 1 takes more than this: add node n2 through the pool, an autoscaler or by hand",)


def test_a_diff_shows_no_line_of_a_secret_beside_the_manifest(tmp_path: Path) -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\nspec:\n  nodeSelector: {a: b}\n"
    hidden = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: hunter2}\n"
    path = tmp_path / "pod.yaml"
    path.write_text(f"{pod}---\n{hidden}")
    target = Target(api_version="v1", kind="Pod", namespace="shop", name="web")
    change = Change(target=target, verb="patch", patch=[{"op": "remove", "path": "/spec/nodeSelector"}])
    remedy = Remedy(action="relax-node-affinity", text="drop it", changes=(change,))
    found = fix([explanation(remedy, str(path), 1)], 1)
    assert "-  nodeSelector: {a: b}" in found.text
    assert "hunter2" not in found.text


def test_what_helps_pods_that_were_never_created_is_a_command_too() -> None:
    raised = Remedy(action="raise-quota", text="raise it", commands=("kubectl patch resourcequota team",), tried=True)
    assert fix([], 1, [raised]).text == "kubectl patch resourcequota team\n"
    with pytest.raises(UsageError, match="there is no remedy 2"):
        fix([], 2, [raised])


@pytest.mark.parametrize(
    ("commands", "hint"), [((), "do it by hand"), (("do this",), "another remedy has commands: --fix 2")]
)
def test_what_no_command_does_for_pods_that_do_not_run_is_said_too(commands: tuple[str, ...], hint: str) -> None:
    by_hand, other = Remedy(action="x", text="look at it"), Remedy(action="y", text="do it", commands=commands)
    with pytest.raises(UsageError, match="remedy 1 has no command: look at it") as raised:
        fix((), 1, (by_hand, other))
    assert hint in (raised.value.hint or "")


def test_a_list_of_manifests_is_changed_by_hand(tmp_path: Path) -> None:
    nodes = '[{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {"disk": "ssd"}},'
    (tmp_path / "nodes.json").write_text(nodes + ' "status": {"allocatable": {"cpu": "4", "pods": "9"}}}]')
    pod = '[{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"nodeSelector": {"disk": "sdd"},'
    (tmp_path / "pod.json").write_text(pod + ' "containers": [{"name": "a", "image": "a:1"}]}}]')
    done = kexplain("pod.json", "--nodes", "nodes.json", "--fix", "1", cwd=tmp_path)
    assert done.returncode == 2
    assert b"change Pod a in what its manifest is made of" in done.stderr


def test_what_only_shows_more_is_marked() -> None:
    logs = Remedy(action="check-controller", text="see\nits log", commands=("kubectl logs web-1 -n shop",))
    shown = "# see\\nits log\n# this changes nothing, and shows more:\nkubectl logs web-1 -n shop\n"
    assert fix([explanation(logs)], 1).text == shown
    assert fix((), 1, [logs]).text == shown
    changes = Remedy(action="x", text="patch", commands=("kubectl get pod web -o yaml | kubectl patch", "kubectl x"))
    assert fix([explanation(changes)], 1).text.startswith("# patch\nkubectl get")


def test_what_nobody_tried_keeps_the_condition_on_which_it_is_right() -> None:
    taints = Remedy(
        action="mend-node", text="taint node n1, if it is off for good", commands=("kubectl taint node n1",)
    )
    assert fix([explanation(taints)], 1).text == "# taint node n1, if it is off for good\nkubectl taint node n1\n"
    assert fix([explanation(replace(taints, tried=True))], 1).text == "kubectl taint node n1\n"


def test_what_is_done_by_hand_names_the_command_that_shows_more() -> None:
    held = held_by("Volcano", Kind.QUEUE_WAITING, told("sandbox-failed"), command="kubectl describe podgroup mpi").hold
    waiting, raised = Remedy(action="wait", text="wait", rank=0), Remedy(action="change-queue", text="raise it")
    pod = replace(explanation(raised), remedies=(waiting, raised), held=held)
    for number, hint in enumerate(
        ("it happens by itself", "do it by hand; kubectl describe podgroup mpi shows more"), 1
    ):
        with pytest.raises(UsageError) as caught:
            fix([pod], number)
        assert caught.value.hint == hint


def test_nodes_to_add_are_named_together() -> None:
    nodes = [replace(NODE, target=replace(NODE.target, name=name)) for name in ("a", "b", "c")]
    with pytest.raises(UsageError) as caught:
        fix([explanation(Remedy(action="add-node", text="add 3", changes=tuple(nodes)))], 1)
    assert caught.value.hint == "add nodes a, b and c through the pool, an autoscaler or by hand"
