"""Only GET is ever sent, and nothing is kept that scheduling does not read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from kexplain.load.live.api_resources import EVENTS, SCHEDULING, cluster_role, resources_of_others
from tests.load.live.cluster import SECRET, pending
from tests.load.live.conftest import Shell
from tests.load.live.stand_in import Reply, StandIn, answers, refuses
from tests.load.snapshot.dumps import text_of

ROOT = Path(__file__).parents[3]

#: All that is ever asked for by name; the server says which other kinds there are.
READ = (*SCHEDULING, *EVENTS, *resources_of_others())
GROUPS = {f"/apis/{each}" for resource in READ for each in (resource.group, *resource.versions)}
PERMITTED = {"/version", "/apis", *GROUPS, *(path for resource in READ for _, path in resource.paths())}


@pytest.mark.parametrize("trouble", [False, True], ids=["well", "in-trouble"])
@pytest.mark.parametrize(
    "words",
    [
        ["pod/web", "-n", "shop"],
        ["deploy/api", "-n", "shop"],
        ["snapshot", "-o", "x.snapshot"],
        ["diff", "pod/web", "-n", "shop"],
    ],
    ids=" ".join,
)
def test_nothing_but_get_goes_over_the_wire(shell: Shell, server: StandIn, words: list[str], trouble: bool) -> None:
    if trouble:
        server.always(refuses(403), "/api/v1/services", "/apis/apps/v1/deployments")
        server.then("/api/v1/pods", refuses(410), refuses(429, headers={"Retry-After": "0"}))
    shell.kexplain(*words, *(["--to-kubernetes-version", "1.36"] if words[0] == "diff" else []))
    assert server.requests
    assert {line.partition(" ")[0] for line in server.lines()} == {"GET"}
    assert not any("content-length" in request.headers for request in server.requests)


def test_only_what_the_role_permits_is_asked_for(shell: Shell, server: StandIn) -> None:
    shell.kexplain("snapshot", "-o", "x.snapshot")
    assert {request.path for request in server.requests} <= PERMITTED


NO_NAMESPACES = [
    "x/services/http:victim:80/proxy/delete?a=",
    "../../../version",
    "..",
    "%2e%2e",
    "a b",
    "a#b",
    "A",
    "a" * 64,
]


@pytest.mark.parametrize("namespace", NO_NAMESPACES)
@pytest.mark.parametrize("through", ["flag", "context", "names"])
def test_what_is_no_namespace_is_no_part_of_a_path(
    shell: Shell, server: StandIn, namespace: str, through: str, capsys: pytest.CaptureFixture[str]
) -> None:
    # Without the right to list the pods of all namespaces, those of one are asked for.
    server.always(refuses(403), "/api/v1/pods")
    if through == "context":
        ended = shell.kexplain("--kubeconfig", shell.kubeconfig("other", namespace=namespace))
    else:
        ended = shell.kexplain(*(["pod/web"] if through == "names" else []), "-n", namespace)
    assert (ended.code, ended.out) == (2, "")
    assert f'"{namespace}" is not a namespace' in ended.err
    assert {request.path for request in server.requests} <= PERMITTED


@pytest.mark.parametrize("namespace", NO_NAMESPACES)
def test_a_manifest_leads_to_no_other_path(shell: Shell, server: StandIn, namespace: str) -> None:
    pod = pending()
    pod["metadata"] |= {"namespace": namespace, "uid": "u1"}
    file = shell.directory / "pod.json"
    file.write_text(json.dumps(pod))
    shell.kexplain(file, "--validate", "ignore")
    assert server.requests
    assert {request.path for request in server.requests} <= PERMITTED


def test_the_role_in_the_repository_is_the_one_that_is_printed(shell: Shell) -> None:
    printed = shell.kexplain("snapshot", "--print-rbac")
    assert printed.out == (ROOT / "fixtures" / "rbac" / "clusterrole.yaml").read_text() == cluster_role()
    role = yaml.safe_load(printed.out)
    verbs = {verb for rule in role["rules"] for verb in rule["verbs"]}
    resources = {each for rule in role["rules"] if not rule.get("resourceNames") for each in rule.get("resources", ())}
    assert verbs == {"list", "get"}
    assert not resources & {"secrets", "configmaps", "*"}
    named = {name for rule in role["rules"] for name in rule.get("resourceNames", ())}
    assert named == {"cluster-autoscaler-status"}


def test_the_job_in_a_cluster_has_these_rights_and_no_others() -> None:
    folder = ROOT / "fixtures" / "in-cluster"
    account, binding, job = yaml.safe_load_all((folder / "kexplain.yaml").read_text())
    role = yaml.safe_load(cluster_role())
    assert (binding["roleRef"]["kind"], binding["roleRef"]["name"]) == (role["kind"], role["metadata"]["name"])
    assert [each["name"] for each in binding["subjects"]] == [account["metadata"]["name"]]
    spec = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    assert spec["serviceAccountName"] == account["metadata"]["name"]
    (container,) = spec["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    user = spec["securityContext"]["runAsUser"]
    lines = (folder / "Dockerfile").read_text().splitlines()
    assert f"USER {user}:{spec['securityContext']['runAsGroup']}" in lines
    copied = [name for line in lines if line.startswith("COPY ") for name in line.split()[1:-1] if name[0] not in "-/"]
    assert copied
    assert all((ROOT / name).exists() for name in copied)


@pytest.mark.parametrize("redacted", [False, True], ids=["as-it-is", "redacted"])
def test_secrets_are_never_kept(shell: Shell, redacted: bool) -> None:
    assert shell.kexplain("snapshot", "-o", "x.snapshot", *(["--redact"] if redacted else [])).code == 0
    text = text_of((shell.directory / "x.snapshot").read_bytes())
    assert b"worker-1" in text or redacted
    assert SECRET.encode() not in text


# --------------------------------------------------------------------------------------------------- few rights

MESSAGE = (
    "0/3 nodes are available: 1 node(s) had untolerated taint(s), 2 Insufficient cpu. no new claims to deallocate, "
    "preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod."
)


@pytest.mark.parametrize(
    ("name", "refused", "is_noted"),
    [
        ("pod/web", "apis/apps/v1/deployments", False),
        ("pod/web", "apis/batch/v1/jobs", False),
        ("pod/web", "api/v1/serviceaccounts", False),
        ("pod/api-0000", "apis/apps/v1/daemonsets", False),
        ("pod/api-0000", "apis/apps/v1/deployments", True),
    ],
)
def test_who_may_not_list_what_makes_pods_is_told_where_it_makes_these(
    shell: Shell, server: StandIn, name: str, refused: str, *, is_noted: bool
) -> None:
    server.always(refuses(403), f"/{refused}")
    for pod in server.held("/api/v1/pods"):
        pod["metadata"]["labels"]["pod-template-hash"] = "1"
    ended = shell.kexplain(name, "-n", "shop")
    assert ("not permitted to list" in ended.err, "what makes pods" in ended.err) == (is_noted, is_noted)


@pytest.fixture
def narrow(server: StandIn) -> StandIn:
    """A server that lets this user list what stands in one namespace, and nothing in all of them."""
    server.always(refuses(403, "cannot list"), *(resource.paths()[0][1] for resource in (*SCHEDULING, *EVENTS)))
    (web,) = (pod for pod in server.held("/api/v1/pods") if pod["metadata"]["name"] == "web")
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": MESSAGE}
    web["status"]["conditions"] = [condition]
    return server


def _event(server: StandIn, message: str = MESSAGE) -> None:
    event = {
        "metadata": {"name": "web.1", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web"},
        "type": "Warning",
        "reason": "FailedScheduling",
        "message": message,
        "source": {"component": "default-scheduler"},
        "lastTimestamp": "2026-11-01T11:00:00Z",
        "count": 7,
    }
    server.hold("v1", "Event", event)


@pytest.mark.parametrize("words", [["pod/web", "-n", "shop"], ["-n", "shop"]], ids=["named", "pending"])
def test_with_rights_to_one_namespace_the_scheduler_is_quoted(shell: Shell, narrow: StandIn, words: list[str]) -> None:
    _event(narrow)
    ended = shell.kexplain(*words)
    assert ended.code == 1
    assert ended.out.startswith("✗ shop/web is pending  (as the scheduler says, not worked out here)")
    assert MESSAGE in ended.out
    assert "said by default-scheduler 7 times, last at 2026-11-01T11:00:00Z" in ended.out
    assert "Insufficient cpu" in ended.out.partition("WHAT IT MEANS")[2]
    (note,) = ended.err.splitlines()
    assert "not permitted to list pods in all namespaces, so nothing was worked out" in note
    assert "--print-rbac" in note


def test_the_condition_alone_will_do(shell: Shell, narrow: StandIn) -> None:
    narrow.always(refuses(403), "/api/v1/namespaces/shop/events")
    ended = shell.kexplain("pod/web", "-n", "shop", "-o", "json")
    report = json.loads(ended.out)
    assert (ended.code, report["kind"], report["pods"][0]["said"]["message"]) == (1, "StatusReport", MESSAGE)
    assert [part["plugin"] for part in report["pods"][0]["said"]["parts"][:2]] == [
        "TaintToleration",
        "NodeResourcesFit",
    ]
    assert "not permitted to list events" in ended.err
    assert shell.kexplain("pod/web", "-n", "shop", "-o", "event").out == f"{MESSAGE}\n"


def test_nodes_alone_that_may_not_be_listed(shell: Shell, server: StandIn) -> None:
    server.always(refuses(403), "/api/v1/nodes")
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert ended.code == 1
    assert "nothing yet: default-scheduler has not tried it" in ended.out
    assert "not permitted to list nodes in all namespaces" in ended.err


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["pod/api-0000", "-n", "shop"], 0, "shop/api-0000 has node worker-1"),
        (["deploy/api", "-n", "shop"], 0, "all 3 pods have a node; all is well"),
        (["-n", "lab"], 0, "nothing is pending in namespace lab"),
        (["pod/wbe", "-n", "shop"], 2, "did you mean web?"),
        (["pod/web", "-n", "shop", "-o", "name"], 3, "not permitted to list pods in all namespaces"),
        (["-n", "lab", "--namespace", "default"], 0, "nothing is pending in namespace default"),
        (["pod/web", "-n", "shop", "-o", "csv"], 1, "shop,web,,2,Insufficient cpu,NodeResourcesFit"),
        (["pod/web", "-n", "shop", "-o", "markdown"], 1, "**web: why not**"),
    ],
)
def test_what_else_is_known_with_few_rights(shell: Shell, words: list[str], code: int, says: str) -> None:
    ended = shell.kexplain(*words)
    assert (ended.code, says in ended.out + ended.err) == (code, True)


def test_a_manifest_cannot_be_placed_with_few_rights(shell: Shell, narrow: StandIn) -> None:
    (shell.directory / "new.json").write_text(json.dumps(pending()))
    ended = shell.kexplain("new.json")
    assert (ended.code, ended.out, ended.err.count("\n")) == (3, "", 1)
    assert "not permitted to list pods in all namespaces" in ended.err
    narrow.always(refuses(403), "/api/v1/namespaces/shop/pods")
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert (ended.code, ended.out, ended.err.count("\n")) == (3, "", 1)
    assert "not permitted to list pods in namespace shop" in ended.err


def test_only_what_bears_on_the_pod_is_noted_in_a_line(shell: Shell, server: StandIn) -> None:
    indispensable = ("/api/v1/pods", "/api/v1/nodes")
    paths = [resource.paths()[0][1] for resource in (*SCHEDULING, *EVENTS)]
    server.always(refuses(403), *(path for path in paths if path not in indispensable))
    shell.kexplain("snapshot", "-o", "x.snapshot", "-q")
    for more in ([], ["--cluster", "x.snapshot"]):
        ended = shell.kexplain("pod/web", "-n", "shop", *more)
        (note,) = (line for line in ended.err.splitlines() if "persistentvolumeclaims" in line)
        assert "poddisruptionbudgets.policy" in note
        for kind in ("services", "limitranges", "deviceclasses", "priorityclasses", "namespaces", "runtimeclasses"):
            assert kind not in note


@pytest.mark.parametrize(
    ("has_group", "says"),
    [
        pytest.param(False, "", id="no-karpenter"),
        pytest.param(True, "not permitted to list nodepools.karpenter.sh: why Karpenter adds no node", id="karpenter"),
    ],
)
def test_node_pools_that_may_not_be_read(shell: Shell, server: StandIn, has_group: bool, says: str) -> None:
    server.always(refuses(403), "/apis/karpenter.sh/v1/nodepools")
    server.always(answers(Reply(200, {"kind": "APIGroup"})) if has_group else refuses(404), "/apis/karpenter.sh")
    ended = shell.kexplain("pod/web", "-n", "shop")
    assert says in ended.err
    assert ("karpenter" in ended.err) == has_group
