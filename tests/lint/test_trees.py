"""Trees as people have them: what is no manifest costs nothing, and what is one is not taken for a cluster."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from kexplain.case import scheduler_for
from kexplain.lint.engine import lint
from kexplain.lint.findings import LintReport
from kexplain.lint.ignores import MARKER
from kexplain.lint.options import LintOptions
from kexplain.load import Loaded, load
from kexplain.load.raw_manifests import load_written
from tests.lint.linting import linted, rules_of
from tests.lint.test_placement import node, workload

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: a}]}\n"
#: Without room for pods, as fixtures of unit tests have nodes.
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n"
ROOMY = NODE + "status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110}}\n"


def of_directory(directory: Path, around: Loaded | None = None) -> LintReport:
    written = load_written([str(directory)], MARKER, recursive=True)
    assert not written.unreadable
    return lint(written, around, scheduler_for(None, written.loaded.objects), LintOptions())


def test_one_bad_file_does_not_cost_a_tree(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(POD.replace("image: a", "imag: a"))
    (tmp_path / "dangling.yaml").symlink_to("nowhere.yaml")
    (tmp_path / "wide.yaml").write_bytes(POD.encode("utf-16"))
    (tmp_path / "grafana.yaml").write_text("apiVersion: 1\ndatasources: [{name: prometheus}]\n")
    (tmp_path / "dashboard.json").write_text('{"panels": [{"legendFormat": "{{ instance }}"}]}')
    (tmp_path / "log.json").write_text('{"level": "info"}\n' * 200)
    (tmp_path / "tsconfig.json").write_text('{"strict": true, // yes\n}')
    (tmp_path / "playbook.yml").write_text("- hosts: {{ hosts }}\n")
    report = of_directory(tmp_path)
    found = [(Path(each.source).name, each.rule) for each in report.findings]
    assert found == [("bad.yaml", "refused"), ("dangling.yaml", "unreadable"), ("wide.yaml", "unreadable")]
    assert [note for note in report.notes if "no Kubernetes objects" in note]


@pytest.mark.parametrize(
    "text",
    [
        POD.replace("name: web", "name: 'web-{{ number }}'"),
        POD.replace("name: web", "name: 'web-${NUMBER}'"),
        POD.replace("name: web", "name: web, namespace: ($namespace)"),
        POD.replace("kind: Pod", "kind: Pod\n{{- if .Values.labels }}"),
        POD.replace("[{name: a, image: a}]", "[{name: a, image: a, ports: [{containerPort: '{{ port }}'}]}]"),
    ],
    ids=["jinja", "envsubst", "chainsaw", "helm", "a-number"],
)
def test_what_is_to_be_filled_in_is_not_judged_and_said_once(text: str) -> None:
    assert rules_of(linted(text)) == ["unrendered-template"]


def test_expressions_for_others_are_values_like_any() -> None:
    rule = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: r, labels: {a: b_}}\ndata: {x: '{{ $labels.pod }}'}\n"
    assert rules_of(linted(rule)) == ["refused"]


def test_nodes_among_manifests_are_no_cluster() -> None:
    report = linted(f"{POD}---\n{NODE}")
    assert (report.findings, report.placed) == ((), None)
    assert "1 node among the manifests is not taken for a cluster: cluster=FILE names one" in report.notes
    report = linted(f"{POD}---\n{NODE}", ROOMY.replace("n1", "n2"))
    assert (report.findings, report.placed) == ((), 1)


@pytest.mark.parametrize("in_cluster", [True, False])
def test_a_pod_that_was_saved_and_edited_is_tried(in_cluster: bool) -> None:
    saved = POD.replace("name: web", "name: web, uid: u1, creationTimestamp: 2026-01-01T00:00:00Z, namespace: default")
    saved += "status: {phase: Running}\n"
    edited = saved.replace("image: a", "image: a, resources: {requests: {cpu: 5}}")
    running = f"---\n{saved.replace('spec: {', 'spec: {nodeName: n1, ')}" if in_cluster else ""
    report = linted(edited, ROOMY + running)
    assert [(each.rule, each.also) for each in report.findings] == [("request-exceeds-every-node", ("does-not-fit",))]
    assert report.placed == 1


def test_what_is_not_tried_is_said() -> None:
    owner = "ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u, controller: true}]"
    report = linted(POD.replace("name: web", f"name: web, uid: u1, {owner}"), ROOMY)
    assert (report.findings, report.placed) == ((), 0)
    assert "not tried, as controllers make them: Pod default/web" in report.notes


def test_whose_fields_cannot_be_read_is_named() -> None:
    web = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: %s}\n"
    said = "other rules look at these once their fields can be read: Deployment web"
    assert [note for note in linted(web % repr("3")).notes if "once their fields" in note] == [said]
    assert not [note for note in linted(web % -3).notes if "once their fields" in note]


def test_every_message_names_its_field_and_stands_alone() -> None:
    manifest = POD.replace("image: a", "ports: [{containerPort: 99999}]").replace(
        "]}\n", "], nodeSelector: {disk: b}}\n"
    )
    messages = [finding.message for finding in linted(manifest, ROOMY).findings]
    assert messages == [
        "spec.containers[0].image is required",
        "spec.containers[0].ports[0].containerPort: 99999 is not between 1 and 65535",
        "spec.nodeSelector.disk: no node has the label disk=b; no node has any label disk",
    ]


NODE_POOL = """
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: spot}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: large}
      taints: [{key: team, value: red, effect: NoSchedule}]
      requirements:
      - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}
      - {key: karpenter.k8s.aws/instance-cpu, operator: In, values: ["8", "16"]}
"""
SPOT = POD.replace("[{name: a, image: a}]", "[{name: a, image: a, resources: {requests: {cpu: 6}}}]").replace(
    "spec: {", "spec: {nodeSelector: {karpenter.sh/capacity-type: spot}, tolerations: [{key: team, value: red}], "
)


def test_what_a_node_pool_may_add_is_not_missing() -> None:
    report = linted(SPOT, ROOMY + NODE_POOL)
    assert report.findings == ()
    assert "Karpenter may add nodes for what fits on none there is: Pod default/web" in report.notes


@pytest.mark.parametrize(
    ("pod", "besides"),
    [
        pytest.param(SPOT.replace("cpu: 6", "cpu: 17"), "", id="larger-than-any-machine"),
        pytest.param(SPOT.replace("type: spot", "type: on-demand"), "", id="other-labels"),
        pytest.param(
            SPOT,
            "---\napiVersion: karpenter.k8s.aws/v1\nkind: EC2NodeClass\nmetadata: {name: large}\n"
            "status: {conditions: [{type: Ready, status: 'False', message: no subnets}]}\n",
            id="class-not-ready",
        ),
    ],
)
def test_what_no_node_pool_may_add_is_missing(pod: str, besides: str) -> None:
    found = linted(pod, ROOMY + NODE_POOL + besides).findings
    assert any("does-not-fit" in (each.rule, *each.also) for each in found)


def test_one_fault_of_several_is_found_where_its_value_comes_from(tmp_path: Path) -> None:
    web = workload(counts="replicas: 2", more="nodeSelector: {pool: a}")
    (tmp_path / "kustomization.yaml").write_text("resources: [web.yaml]\npatches:\n- path: patch.yaml\n")
    (tmp_path / "web.yaml").write_text(web)
    selector, containers = "      nodeSelector:\n        pool: b\n", "      containers:\n      - name: web\n"
    (tmp_path / "patch.yaml").write_text(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n"
        f"{selector}{containers}        resources: {{requests: {{cpu: 50}}}}\n"
    )
    found = of_directory(tmp_path, load(["-"], stdin=BytesIO(node().encode()))).findings
    assert [(Path(each.source).name, each.line, each.rule, each.also) for each in found] == [
        ("patch.yaml", 8, "node-selector-no-node", ("does-not-fit",)),
        ("patch.yaml", 11, "request-exceeds-every-node", ()),
    ]


def test_overlays_of_one_base_have_faults_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "kustomization.yaml").write_text("resources: [web.yaml]\n")
    (tmp_path / "base" / "web.yaml").write_text(workload(more="nodeSelector: {pool: a}"))
    change = "patches:\n- target: {kind: Deployment}\n  patch: '[{op: replace, path: %s, value: %s}]'\n"
    for name, path, value in (
        ("dev", "/spec/template/spec/nodeSelector/pool", "b"),
        ("prod", "/spec/template/spec/containers/0/resources/requests/cpu", '"50"'),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "kustomization.yaml").write_text(f"resources: [../base]\n{change % (path, value)}")
    found = of_directory(tmp_path, load(["-"], stdin=BytesIO(node().encode()))).findings
    assert [(Path(each.source).parent.name, each.rule, each.also) for each in found] == [
        ("dev", "node-selector-no-node", ("does-not-fit",)),
        ("prod", "request-exceeds-every-node", ("does-not-fit",)),
    ]


def test_a_patch_that_no_kustomization_names_is_no_object(tmp_path: Path) -> None:
    patch = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n"
    (tmp_path / "kustomization.yaml").write_text("resources: [pod.yaml]\n")
    (tmp_path / "pod.yaml").write_text(POD)
    (tmp_path / "patches").mkdir()
    (tmp_path / "patches" / "replicas.yaml").write_text(patch)
    hook = "apiVersion: admissionregistration.k8s.io/v1beta1\nkind: MutatingWebhookConfiguration\n"
    (tmp_path / "patches" / "hook.yaml").write_text(f"{hook}metadata: {{name: web, annotations: {{a: b}}}}\n")
    (tmp_path / "whole.yaml").write_text(POD.replace("name: web", "name: Web"))
    report = of_directory(tmp_path)
    assert [Path(finding.source).name for finding in report.findings] == ["whole.yaml"]
    assert [note for note in report.notes if "hook.yaml" in note and "replicas.yaml" in note]


def test_what_tests_compare_with_is_no_object(tmp_path: Path) -> None:
    part = "apiVersion: apps/v1\nkind: Deployment\nspec: {(replicas > 1): true}\n"
    for name in ("00-assert.yaml", "03-errors.yaml", "04-error-quota.yaml", "assert-web.yaml", "shop-assert.yaml"):
        (tmp_path / name).write_text(part)
    (tmp_path / "assertive.yaml").write_text(POD.replace("name: web", "name: Web"))
    (tmp_path / "04-scale.yaml").write_text("apiVersion: apps/v1\nkind: Deployment\nspec: {replicas: 2}\n")
    report = of_directory(tmp_path)
    assert [Path(finding.source).name for finding in report.findings] == ["assertive.yaml"]
    assert [note for note in report.notes if "parts of objects" in note and "04-scale.yaml" in note]
    assert [note for note in report.notes if "as tests compare" in note and "and 2 more" in note]
    named = load_written([str(tmp_path / "00-assert.yaml")], MARKER)
    assert [each.value["kind"] for each in named.manifests] == ["Deployment"]


def test_templates_of_many_charts_are_noted_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "templates").mkdir(parents=True)
        (tmp_path / name / "Chart.yaml").write_text(f"apiVersion: v2\nname: {name}\nversion: 1.0.0\n")
        (tmp_path / name / "templates" / "pod.yaml").write_text(POD + "{{- end }}\n")
    (tmp_path / "b" / "files").mkdir()
    (tmp_path / "b" / "files" / "taken-in.yaml").write_text("{{- if .Values.pod }}\n" + POD)
    (tmp_path / "b" / "files" / "whole.yaml").write_text(POD.replace("name: web", "name: Web"))
    report = of_directory(tmp_path)
    assert [Path(finding.source).name for finding in report.findings] == ["whole.yaml"]
    notes = [note for note in report.notes if "helm template" in note]
    assert len(notes) == 1
    assert notes[0].startswith(f"3 templates of 2 charts not rendered ({tmp_path / 'a'}, {tmp_path / 'b'}); lint what")


def test_a_file_that_is_missing_is_one_of_the_kustomization(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text("resources:\n- pod.yaml\npatches:\n- path: gone.yaml\n")
    found = [(Path(each.source).name, each.line, each.message) for each in of_directory(tmp_path).findings]
    assert found == [
        ("kustomization.yaml", line, f"it names {tmp_path / name}, which is not there")
        for line, name in ((2, "pod.yaml"), (4, "gone.yaml"))
    ]


@pytest.mark.parametrize(
    ("directory", "metadata", "is_refused"),
    [("quotas", "", False), ("quotas", ", namespace: default", True), (".", "", True)],
)
def test_a_quota_in_a_directory_is_not_for_others(
    tmp_path: Path, directory: str, metadata: str, *, is_refused: bool
) -> None:
    quota = f"apiVersion: v1\nkind: ResourceQuota\nmetadata: {{name: q{metadata}}}\nspec: {{hard: {{limits.cpu: 1}}}}\n"
    for name in ("apps", "quotas"):
        (tmp_path / name).mkdir()
    (tmp_path / directory / "quota.yaml").write_text(quota)
    (tmp_path / "apps" / "pod.yaml").write_text(POD)
    found = [each.message for each in of_directory(tmp_path).findings]
    assert bool(found) is is_refused
    assert all("ResourceQuota q counts limits.cpu" in message for message in found)


@pytest.mark.parametrize(
    ("terms", "is_found"),
    [("[{new}], [{old}]", False), ("[{old}]", True), ("[{new}, {old}]", True)],
    ids=["either", "the-old-only", "both-at-once"],
)
def test_an_old_label_beside_the_new_one_is_for_older_nodes(terms: str, *, is_found: bool) -> None:
    new, old = (f"{{key: node-role.kubernetes.io/{name}, operator: Exists}}" for name in ("control-plane", "master"))
    listed = terms.format(new=new, old=old).replace("], [", "]}, {matchExpressions: [")
    required = (
        f"requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: {listed}}}]}}"
    )
    pod = POD.replace("spec: {", f"spec: {{affinity: {{nodeAffinity: {{{required}}}}}, ")
    assert rules_of(linted(pod)) == (["retired-node-label"] if is_found else [])


def _service(selector: str) -> str:
    return f"apiVersion: v1\nkind: Service\nmetadata: {{name: s}}\nspec: {{selector: {{{selector}}}}}\n"


@pytest.mark.parametrize(
    ("labels", "selectors", "says"),
    [
        pytest.param("app: web", ["app: wbe"], ["app: web"], id="value"),
        pytest.param("app: web, tier: front", ["app: web, tir: front"], ["tier: front"], id="name"),
        pytest.param("app: web", ["app: shop"], [], id="another"),
        pytest.param("app: web-1", ["app: web-2"], [], id="counted"),
        pytest.param("app: web", ["app: wbe", "app: web"], [], id="selected-by-another"),
        pytest.param("app: web, tier: front", ["app: wbe, tier: back"], [], id="other-label-differs"),
    ],
)
def test_services_that_miss_their_pods_by_a_slip(labels: str, selectors: list[str], says: list[str]) -> None:
    pod = POD.replace("name: web}", f"name: web, labels: {{{labels}}}}}", 1)
    assert labels in pod
    report = linted("---\n".join([pod, *map(_service, selectors)]))
    found = [each.message for each in report.findings if each.rule == "service-selects-nothing"]
    assert [f"did you mean {word}," in message for word, message in zip(says, found, strict=True)] == [True] * len(says)
