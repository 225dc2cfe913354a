"""Input that asks for too much, or is odd where nobody expects it, ends with a verdict or a message, and soon."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time

import pytest
import yaml

from kexplain.cli.main import run
from kexplain.patterns import compiled

#: Of a processor, which others may slow down; what is not bounded takes minutes.
SECONDS = 60
POD = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: a, image: a, resources: {requests: {cpu: "1"}}}]}
"""
NODE = """apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: REPLICAS
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
"""
OWNED = POD.replace(
    "{name: web}", "{name: web, ownerReferences: [{kind: X, apiVersion: v1, uid: x, controller: true}]}"
)
FILES = {
    "pod.yaml": POD,
    "n.yaml": NODE,
    "web.yaml": DEPLOYMENT.replace("REPLICAS", "3"),
    "many.yaml": DEPLOYMENT.replace("REPLICAS", "2147483647"),
    "oops.yaml": POD.replace('"1"', "oops"),
    "deep.json": "[" * 1100 + "]" * 1100,
    "rather-deep.json": '{"a":' * 200 + "1" + "}" * 200,
    "running/n.yaml": NODE,
    "running/a.yaml": OWNED.replace("spec: {", "spec: {nodeName: n1, "),
    "running/b.yaml": POD.replace("name: web", "name: b").replace("spec: {", "spec: {nodeName: n1, "),
    # As a number, in JSON.
    "digits.json": '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"a",'
    f'"image":"a","resources":{{"requests":{{"cpu":{"9" * 400}}}}}}}]}}}}',
}


def definition(**schema: object) -> str:
    version = {"name": "v1", "served": True, "storage": True}
    value = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "as.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "A", "plural": "as"},
            "versions": [version | {"schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": schema}}}}],
        },
    }
    return json.dumps(value)


def bind(levels: int) -> str:
    expression = f"x{levels} == x{levels}"
    for level in range(levels, 0, -1):
        expression = f"cel.bind(x{level}, {{x{level - 1}: x{level - 1}}}, {expression})"
    return expression.replace("x0", "1")


def write(directory: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KUBECONFIG", "/dev/null")
    return tmp_path


def ends(words: str, capsys: pytest.CaptureFixture[str], seconds: float = SECONDS) -> tuple[int, str]:
    """The exit code of a run that does not take long, and all that it prints."""
    began = process_time()
    code = run(words.split())
    assert process_time() - began < seconds
    printed = capsys.readouterr()
    return code, printed.out + printed.err


WHAT_IF = "what-if --cluster n.yaml"


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        ("digits.json --nodes n.yaml", 1, "NodeResourcesFit"),
        (f"{WHAT_IF} --pods pod.yaml --scale pod/web=1", 2, "pod/web has no number of replicas"),
        (f"{WHAT_IF} --apply web.yaml --apply web.yaml", 0, "3 pods are new"),
        (f"{WHAT_IF} --apply oops.yaml", 2, '"oops" is not a quantity'),
        (f"{WHAT_IF} --changes deep.json", 2, "nested deeper than 100 levels"),
        (f"{WHAT_IF} --changes rather-deep.json", 2, "nested deeper than 100 levels"),
        (f"{WHAT_IF} --changes /dev/zero", 2, "a device, not a file"),
        (f"{WHAT_IF} --apply web.yaml --scale deploy/web=9{'9' * 5000}", 2, "at most 2147483647 pods"),
        (f"{WHAT_IF} --add-node 10000=like:n1", 0, "nothing changes"),
        (f"{WHAT_IF} --add-node 10001=like:n1", 2, "at most 10000 nodes"),
        ("diff --cluster running --all-running --to-kubernetes-version 1.30", 0, "nothing changes for 2 pods"),
        (f"capacity pod.yaml --cluster n.yaml --limit {'9' * 30}", 2, "not a whole number from 1 to 1000000"),
        (f"capacity pod.yaml --cluster n.yaml --until-pending --proportions {'9' * 30}", 2, "of at most 5 digits"),
    ],
)
def test_commands(words: str, code: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    ended, printed = ends(words, capsys)
    assert (ended, says in printed) == (code, True), printed


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_no_more_pods_are_placed_than_tell(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kexplain.world.controllers.MAX_COPIES", 3000)
    code, printed = ends(f"{WHAT_IF} --apply many.yaml --top 1", capsys, SECONDS / 4)
    assert (code, "of 2147483647 more pods of deployment/web, 3000 are placed" in printed) == (1, True), printed


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"pattern": "x{4294967296}"}, "is not a regular expression"),
        ({"pattern": "(" * 5000 + ")" * 5000}, "is not a regular expression"),
        ({"pattern": "[" * 5000}, "is not a regular expression"),
        ({"pattern": "^(a+)+$", "default": "a" * 5000 + "!"}, "is not what the schema says"),
        ({"x-kubernetes-validations": [{"rule": '{"a":' * 22 + "1" + "}" * 22 + " == self"}]}, "nothing found"),
        ({"x-kubernetes-validations": [{"rule": bind(22)}]}, "nothing found"),
        ({"x-kubernetes-validations": [{"rule": "self == '" + "a" * 200_000 + "'"}]}, "nothing found"),
    ],
)
def test_expressions(schema: dict[str, object], says: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(files, {"lint/a.json": definition(type="string", **schema)})
    code, printed = ends("lint lint", capsys)
    assert (code, says in printed) == (0 if says == "nothing found" else 1, True), printed


def spread(keys: int) -> dict[str, str]:
    """Pods with so many spread constraints or anti-affinity terms, and a cluster whose nodes have a label for each."""
    labels = {f"k{number}": "a" for number in range(keys)}
    selector = {"matchLabels": {"app": "web"}}
    constraints = [
        {"maxSkew": 5, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": selector}
        for key in labels
    ]
    node, pod = yaml.safe_load(NODE), yaml.safe_load(POD)
    pod["metadata"]["labels"] = {"app": "web"}
    pod["spec"]["topologySpreadConstraints"] = constraints
    terms = [{"topologyKey": key, "labelSelector": selector} for key in labels]
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
    nodes = [{**node, "metadata": {"name": f"n{number}", "labels": labels}} for number in range(20)]
    running = {**pod, "metadata": {**pod["metadata"], "name": "old"}, "spec": {**pod["spec"], "nodeName": "n1"}}
    return {
        "spread.json": json.dumps(pod),
        "apart.json": json.dumps(yaml.safe_load(POD) | {"spec": {**yaml.safe_load(POD)["spec"], "affinity": apart}}),
        "cluster.json": json.dumps({"apiVersion": "v1", "kind": "List", "items": [*nodes, running]}),
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        "spread.json",
        "apart.json",
        "spread.json --kubernetes-version 1.25",
        "lint spread.json",
        "capacity spread.json --limit 3",
        "drain n1 --force",
        "what-if --apply spread.json",
        "diff --all-running --to-kubernetes-version 1.30",
    ],
)
def test_a_thousand_spread_constraints(words: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(files, spread(1000))
    code, printed = ends(f"{words} --cluster cluster.json", capsys)
    assert code in (0, 1), printed


def circle(kind: str, *names: str) -> str:
    """Workloads each of which says that the next one made it, the last one the first, and a pod of the first."""

    def owned(kind_of: str, name: str, owner: str, **more: object) -> dict[str, object]:
        reference = {"apiVersion": "apps/v1", "kind": kind, "name": owner, "uid": owner, "controller": True}
        metadata = {"name": name, "namespace": "default", "uid": name, "ownerReferences": [reference]}
        return {"kind": kind_of, "metadata": metadata, **more}

    spec = yaml.safe_load(POD)["spec"]
    labels = {"app": "web"}
    template = {"metadata": {"labels": labels}, "spec": spec}
    workload = {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}
    items = [
        owned(kind, name, owner, apiVersion="apps/v1", spec=workload)
        for name, owner in zip(names, (*names[1:], names[0]), strict=True)
    ]
    items += [
        owned("Pod", f"pod{node}", names[0], apiVersion="v1", spec=spec | {"nodeName": node}) for node in ("", "n1")
    ]
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": [yaml.safe_load(NODE), *items]})


@pytest.mark.parametrize("names", [("a",), ("a", "b")], ids=["of itself", "of each other"])
@pytest.mark.parametrize("kind", ["ReplicaSet", "Deployment", "StatefulSet"])
def test_owners_in_a_circle(names: tuple[str, ...], kind: str, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(files, {"circle.json": circle(kind, *names)})
    for words in (
        *("-v", f"{kind.lower()}/a", "capacity", "--fix", "--until-settled -o json", "drain n1 --force"),
        *(f"what-if --scale {kind.lower()}/a=9", "lint circle.json", "diff --all-running --to-kubernetes-version 1.31"),
    ):
        code, printed = ends(f"{words} --cluster circle.json", capsys)
        assert code in (0, 1, 2), printed


def test_a_diff_of_very_many_changes(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pod = yaml.safe_load(POD)
    (container,) = pod["spec"]["containers"]
    pod["spec"]["containers"] = [{**container, "name": f"a{number}"} for number in range(1000)]
    write(files, {"long.yaml": yaml.safe_dump(pod)})
    code, printed = ends("long.yaml --nodes n.yaml --fix 1 --all-remedies", capsys)
    assert code in (1, 2), printed[-500:]


def test_controllers_that_undo_what_they_did(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    term = {"labelSelector": {"matchLabels": {"app": "api"}}, "topologyKey": "kubernetes.io/hostname"}
    spec = yaml.safe_load(POD)["spec"]
    spec |= {"affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}}
    labels = {"app": "api", "pod-template-hash": "5d8f9c7b6d"}
    deployment = yaml.safe_load(DEPLOYMENT.replace("REPLICAS", "2").replace("{a: b}", "{app: api}"))
    deployment |= {"metadata": {"name": "api"}}
    deployment["spec"]["template"]["spec"] = spec
    node = yaml.safe_load(NODE)
    nodes = [
        {**node, "metadata": {"name": "n1", "labels": {"kubernetes.io/hostname": "n1"}}},
        {**node, "metadata": {"name": "n2"}},
    ]
    pods = [
        {
            **yaml.safe_load(POD),
            "metadata": {"name": f"api-5d8f9c7b6d-{end}", "labels": labels},
            "spec": {**spec, "nodeName": on},
        }
        for end, on in (("k2x7p", "n1"), ("zq4mn", "n2"))
    ]
    items = {"apiVersion": "v1", "kind": "List", "items": [*nodes, *pods]}
    write(files, {"web.json": json.dumps(deployment), "cluster.json": json.dumps(items)})
    code, printed = ends("web.json --cluster cluster.json --replicas 40", capsys)
    assert code == 1, printed


def test_words_that_nobody_meant(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = {f"replica{number}": 1 for number in range(10_000)} | {"r" * 200_000: 1}
    manifest = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}, "spec": spec}
    write(files, {"lint/a.json": json.dumps(manifest)})
    code, printed = ends("lint lint", capsys)
    assert (code, printed.count("did you mean replicas?") > 1) == (1, True)


@pytest.mark.parametrize(
    ("kustomization", "resource", "says"),
    [
        ('patches: [{target: {kind: "("}, patch: "[{op: remove, path: /spec}]"}]', POD, "no pattern"),
        (
            'replacements: [{source: {kind: "("}, targets: [{select: {kind: Pod}, fieldPaths: [metadata.name]}]}]',
            POD,
            "no objects are the source",
        ),
        ("commonLabels: {a: b}", "apiVersion: v1\nkind: Pod\nmetadata: x\n", "metadata"),
        (
            'replacements: [{source: {kind: Pod}, targets: [{select: {kind: Pod}, fieldPaths: [""]}]}]',
            POD,
            "in Pod web to be replaced",
        ),
    ],
)
def test_kustomizations(
    kustomization: str, resource: str, says: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files, {"lint/kustomization.yaml": f"resources: [a.yaml]\n{kustomization}\n", "lint/a.yaml": resource})
    code, printed = ends("lint lint", capsys)
    assert code in (0, 1, 2)
    assert says in printed


def test_lint_says_what_it_does_not_judge(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files, {"lint/a.json": definition(type="string", pattern="[a-f]++")})
    monkeypatch.setitem(sys.modules, "re2", None)
    monkeypatch.setattr("kexplain.lint.notes.find_spec", lambda name: None if name == "re2" else name)
    compiled.cache_clear()
    code, printed = ends("lint lint", capsys)
    assert (code, "expressions are not judged, as google-re2 is not installed" in printed) == (0, True), printed
    code, printed = ends("lint pod.yaml", capsys)
    assert "not judged" not in printed


KUBECONFIG = """apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1", MORE}}]
users: [{name: u, user: {}}]
"""


@pytest.mark.parametrize(
    ("kubeconfig", "words", "says"),
    [
        (KUBECONFIG.replace("MORE", "proxy-url: [a]"), (), "proxy-url: expected a string, found a list"),
        ("apiVersion: v1\nkind: Config\ncurrent-context: " + "[" * 1500 + "]" * 1500, (), "nested deeper than"),
    ],
)
def test_kubeconfigs(
    kubeconfig: str, words: tuple[str, ...], says: str, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(files, {"config": kubeconfig})
    code = run(["pod/x", "--kubeconfig", "config", *words])
    assert (code, says in (printed := capsys.readouterr().err)) == (3, True), printed
