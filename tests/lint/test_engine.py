"""Texts as lint reads them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from kexplain.config.scheduler_settings import build_scheduler
from kexplain.lint.engine import lint
from kexplain.lint.options import LintOptions
from kexplain.load import Loaded, load
from kexplain.load.raw_manifests import load_written
from kexplain.objects.scheduling import PriorityClass
from tests.lint.linting import linted, rules_of

POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {nodeName: n1, containers: [{name: web, image: web}]}\n"


def test_what_helm_renders_is_told_by_its_template() -> None:
    other = POD.replace("name: web}", "name: api}", 1)
    text = f"---\n# Source: shop/templates/a.yaml\n{POD}---\n# Source: shop/templates/b.yaml\n{other}"
    found = linted(text).findings
    assert [finding.rendered_from for finding in found] == ["shop/templates/a.yaml", "shop/templates/b.yaml"]


def test_files_without_objects_are_passed_over_in_directories_only(tmp_path: Path) -> None:
    (tmp_path / "values.yaml").write_text("replicas: 3\n")
    (tmp_path / "pod.yaml").write_text(POD)
    written = load_written([str(tmp_path)], "x")
    assert (len(written.manifests), written.faults) == (1, [])
    assert written.loaded.foreign == [str(tmp_path / "values.yaml")]
    assert load_written([str(tmp_path / "values.yaml")], "x").faults


@pytest.mark.parametrize(
    ("name", "text", "rules"),
    [
        pytest.param("a.yaml", "a: [\n", [("unreadable", "warning")], id="broken"),
        pytest.param("a.yml", "kind: Pod\na: [\n", [("unreadable", "error")], id="broken, and says what it is"),
        pytest.param("a.json", "{// a comment\n}", [], id="settings of another program"),
        pytest.param("a.yaml", "replicas: 3\n", [], id="sound, and no object"),
        pytest.param("a.yaml", "{{ if .a }}\na: [\n", [], id="a template"),
    ],
)
def test_broken_yaml_in_a_directory_is_never_passed_over(
    tmp_path: Path, name: str, text: str, rules: list[tuple[str, str]]
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "pod.yaml").write_text(POD.replace("nodeName: n1, ", ""))
    written = load_written([str(tmp_path)], "x")
    report = lint(written, None, build_scheduler())
    assert [(each.rule, each.severity.value) for each in report.findings] == rules


def test_one_fault_does_not_hide_what_is_sound() -> None:
    assert rules_of(linted(f"a: [\n---\n{POD}")) == ["unreadable", "node-name-set"]


def test_what_is_refused_hides_nothing_that_no_node_would_take() -> None:
    asking = "containers: [{name: a, image: a, resources: {requests: {cpu: 99}}}]"
    spec = f"priorityClassName: nope, nodeSelector: {{disk: sdd}}, {asking}"
    pod = f"{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: nowhere}}, spec: {{{spec}}}}}"
    cluster = """
{apiVersion: v1, kind: Namespace, metadata: {name: shop, uid: s1}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high, uid: h1}, value: 5}
---
{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: ssd}}, status: {allocatable: {cpu: 4, pods: 9}}}
"""
    assert rules_of(linted(pod, cluster)) == [
        "refused",
        "missing-priority-class",
        "node-selector-no-node",
        "request-exceeds-every-node",
    ]


@pytest.mark.parametrize("text", [POD, f"[{POD}"], ids=["yaml", "no yaml"])
def test_every_finding_has_a_line(text: str) -> None:
    assert all(finding.line > 0 and finding.column > 0 for finding in linted(text).findings)


def test_json_is_read_as_well() -> None:
    containers = '[{"name":"a","image":"a"}]'
    spec = f'{{"nodeName":"n","containers":{containers}}}'
    pod = f'{{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"web"}},"spec":{spec}}}'
    assert rules_of(linted(pod)) == ["node-name-set"]
    other = pod.replace("web", "api")
    lists = f'{{"apiVersion":"v1","kind":"List","items":[{pod},{other}]}}'
    assert rules_of(linted(lists)) == ["node-name-set", "node-name-set"]


def test_unknown_fields_are_refused_with_the_nearest_name() -> None:
    (finding,) = linted(POD.replace("nodeName: n1", "nodeSelectr: {a: b}")).findings
    assert finding.rule == "refused"
    assert "nodeSelector" in finding.message
    assert finding.line == 4


def test_files_that_only_reading_recursively_reads_are_counted(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    for directory in (tmp_path, deep, deep.parent):
        (directory / "pod.yaml").write_text(POD)
        (directory / "README").write_text("no manifest")
    assert load_written([str(tmp_path)], "x").unread == {str(tmp_path): 2}
    assert load_written([str(tmp_path)], "x", recursive=True).unread == {}
    assert load_written([str(deep / "pod.yaml")], "x").unread == {}


def test_what_a_complete_list_does_not_hold_is_not_there() -> None:
    text = POD.replace("nodeName: n1", "priorityClassName: imporant")
    written = load_written(["-"], "x", stdin=BytesIO(text.encode()))
    around = Loaded()
    options = LintOptions()
    assert rules_of(lint(written, around, build_scheduler(), options)) == []
    around.listed.add(PriorityClass)
    assert rules_of(lint(written, around, build_scheduler(), options)) == ["missing-priority-class"]


def test_what_is_unknown_is_not_absent(tmp_path: Path) -> None:
    """A namespace among the manifests does not say that there are no others."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "kustomization.yaml").write_text("resources: [ns.yaml]\n")
    (tmp_path / "own" / "ns.yaml").write_text("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n")
    template = "template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}"
    spec = f"{{selector: {{matchLabels: {{a: b}}}}, {template}}}"
    web = f"kind: Deployment, metadata: {{name: web, namespace: other}}, spec: {spec}"
    (tmp_path / "web.yaml").write_text(f"{{apiVersion: apps/v1, {web}}}\n")
    nodes = "{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 4, pods: 9}}}"
    known = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: else, uid: e}}"
    for cluster, expected in ((nodes, []), (f"{nodes}\n{known}", ["refused"])):
        (tmp_path / "cluster.yaml").write_text(cluster)
        around = load([str(tmp_path / "cluster.yaml")])
        for paths in (["web.yaml", "own"], ["web.yaml", "own/ns.yaml"]):
            written = load_written([str(tmp_path / path) for path in paths], "x")
            found = lint(written, around, build_scheduler()).findings
            assert [each.rule for each in found if each.object == "Deployment other/web"] == expected


def test_templates_are_told_once_a_folder(tmp_path: Path) -> None:
    for path in ("a/one.yaml", "a/two.yaml", "a/three.yaml", "b/one.yaml"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("kind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-x\n")
    written = load_written([str(tmp_path)], "x", recursive=True)
    first, second = lint(written, None, build_scheduler()).findings
    assert (first.source, second.source) == (str(tmp_path / "a/one.yaml"), str(tmp_path / "b/one.yaml"))
    assert first.message.startswith("this is a template, as are 2 others beside it; lint its output")
    assert second.message.startswith("this is a template; lint its output")
