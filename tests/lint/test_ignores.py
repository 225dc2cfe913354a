"""What is ignored, by whom, and what is wrong with ignores themselves."""

from __future__ import annotations

import pytest

from kexplain.lint.options import Ignore
from tests.lint.linting import linted, rules_of

POD = """apiVersion: v1
kind: Pod
metadata: {{name: web{annotations}}}
spec:
{comment}  nodeName: node-1
  containers: [{{name: web, image: web}}]
"""


def pod(comment: str = "", annotation: str = "") -> str:
    annotations = f', annotations: {{kexplain.io/ignore: "{annotation}"}}' if annotation else ""
    return POD.format(comment=f"  {comment}\n" if comment else "", annotations=annotations)


def by_file(**changes: object) -> Ignore:
    return Ignore("node-name-set", "by hand", ".kexplain.yaml", ".kexplain.yaml", 1, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("manifest", "ignores", "by"),
    [
        pytest.param(pod("# kexplain:ignore node-name-set by hand"), (), "comment", id="comment"),
        pytest.param(pod("# kexplain:ignore node-name-set: by hand"), (), "comment", id="comment with a colon"),
        pytest.param(pod("# kexplain:ignore node-name-set by hand\n  # and more"), (), "comment", id="comments below"),
        pytest.param(pod(annotation="node-name-set: by hand"), (), "annotation", id="annotation"),
        pytest.param(pod(), (by_file(),), ".kexplain.yaml", id="file"),
        pytest.param(pod(), (by_file(objects=("Pod default/*",)),), ".kexplain.yaml", id="file, by object"),
        pytest.param(pod(), (by_file(paths=("<stdin>",)),), ".kexplain.yaml", id="file, by path"),
    ],
)
def test_a_finding_is_ignored_with_its_reason(manifest: str, ignores: tuple[Ignore, ...], by: str) -> None:
    report = linted(manifest, ignores=ignores)
    assert report.findings == ()
    assert [(each.finding.rule, each.reason, each.by) for each in report.ignored] == [("node-name-set", "by hand", by)]


@pytest.mark.parametrize(
    ("manifest", "rules"),
    [
        pytest.param(
            pod("# kexplain:ignore node-name-set"), ["ignore-without-reason", "node-name-set"], id="no reason"
        ),
        pytest.param(
            pod("# kexplain:ignore node-nam-set x"), ["ignore-of-unknown-rule", "node-name-set"], id="unknown rule"
        ),
        pytest.param(pod("# kexplain:ignore"), ["ignore-of-unknown-rule", "node-name-set"], id="no rule at all"),
        pytest.param(pod("# kexplain:ignore cpu-unit x"), ["ignore-unused", "node-name-set"], id="another rule"),
        pytest.param(
            pod("# kexplain:ignore does-not-fit x"),
            ["node-name-set"],
            id="a rule that needs a cluster may be used then",
        ),
        pytest.param(pod(annotation="cpu-unit: x"), ["ignore-unused", "node-name-set"], id="unused annotation"),
    ],
)
def test_an_ignore_that_ignores_nothing_is_a_finding_itself(manifest: str, rules: list[str]) -> None:
    assert sorted(rules_of(linted(manifest))) == rules


def test_a_comment_above_a_key_covers_the_first_line_of_what_it_holds() -> None:
    manifest = """apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  # kexplain:ignore does-not-fit the node is coming
  # kexplain:ignore node-selector-no-node the node is coming
  nodeSelector:
    disktype: nvme
  containers: [{name: web, image: web}]
"""
    cluster = (
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n"
    )
    report = linted(manifest, cluster)
    assert report.findings == ()
    assert [each.finding.rule for each in report.ignored] == ["node-selector-no-node"]


@pytest.mark.parametrize("rule", ["does-not-fit", "node-selector-no-node"])
def test_one_fault_is_one_finding_which_either_rule_ignores(rule: str) -> None:
    annotation = f"annotations: {{kexplain.io/ignore: '{rule}: the node is coming'}}"
    manifest = f"""apiVersion: v1
kind: Pod
metadata: {{name: web, {annotation}}}
spec: {{nodeSelector: {{disktype: nvme}}, containers: [{{name: web, image: web}}]}}
"""
    cluster = (
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}\n"
    )
    (alone,) = linted(manifest.replace(f", {annotation}", ""), cluster).findings
    assert alone.message.endswith("no node has any label disktype (it fits on no node)")
    report = linted(manifest, cluster)
    assert report.findings == ()
    assert [each.finding.rule for each in report.ignored] == ["node-selector-no-node"]


def test_a_comment_at_the_end_of_a_line_is_for_that_line() -> None:
    pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n"
    pod += "  nodeName: n1  # kexplain:ignore node-name-set by design\n"
    report = linted(f"{pod}  containers: [{{name: c, image: i}}]\n")
    assert [each.finding.rule for each in report.ignored] == ["node-name-set"]
    assert report.findings == ()
    without = linted(f"{pod.replace(' by design', '')}  containers: [{{name: c, image: i}}]\n")
    assert sorted(each.rule for each in without.findings) == ["ignore-without-reason", "node-name-set"]
