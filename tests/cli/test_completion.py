"""What a word becomes where files describe the cluster; `load/live/test_plugin` has what kubectl lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from kexplain.cli.completion import complete

CLUSTER = """
{apiVersion: v1, kind: Node, metadata: {name: worker-1}}
---
{apiVersion: v1, kind: Node, metadata: {name: worker-2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web-1, namespace: shop}, spec: {containers: [{name: a, image: a:1}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: job-1}, spec: {containers: [{name: a, image: a:1}]}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: a:1}]}}
"""


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        pytest.param(["--cluster", "FILE", "-n", "shop", "deploy/"], ["deploy/web"], id="workloads"),
        pytest.param(["--cluster", "FILE", "-n", "shop", "deploy", ""], ["web"], id="workloads-behind-their-kind"),
        pytest.param(["--cluster=FILE", "-n", "shop", "w"], ["web-1"], id="pods"),
        pytest.param(["--cluster", "FILE", "job-"], ["job-1"], id="pods-of-the-default-namespace"),
        pytest.param(["--cluster", "FILE", "-A", "pod/"], ["pod/job-1", "pod/web-1"], id="pods-of-all-namespaces"),
        pytest.param(["--nodes", "FILE", "--node", ""], ["worker-1", "worker-2"], id="nodes"),
        pytest.param(["--nodes", "FILE", "-n", ""], ["default", "shop"], id="namespaces"),
        pytest.param(["drain", "--cluster", "FILE", "worker-2"], ["worker-2"], id="nodes-to-drain"),
        pytest.param(["--cluster", "nowhere.yaml", "pod/"], [], id="a-file-that-is-not-there"),
        pytest.param(["help", "ex"], ["exactness", "explain"], id="pages-of-the-manual"),
        pytest.param(["rules", "zero"], [], id="no-such-rule"),
        pytest.param(["rules", "node-selector-no"], ["node-selector-no-node"], id="rules"),
        pytest.param(["--kubernetes-version", "1.22"], ["1.22"], id="releases"),
        pytest.param(["--color", ""], ["auto", "always", "never"], id="choices"),
        pytest.param(["comp"], ["completion"], id="commands"),
        pytest.param(["diff", "-o", "ht"], ["html"], id="formats"),
    ],
)
def test_complete(words: list[str], offered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    monkeypatch.setenv("PATH", "")
    assert list(complete([word.replace("FILE", f"{tmp_path}/cluster.yaml") for word in words]).words) == offered


def test_a_large_dump_is_not_read_at_the_press_of_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cluster.yaml").write_text(CLUSTER)
    monkeypatch.setattr("kexplain.cli.names_in_files._MOST_BYTES", len(CLUSTER) - 1)
    for path in (tmp_path, tmp_path / "cluster.yaml"):
        assert list(complete(["--cluster", str(path), "--node", ""]).words) == []
