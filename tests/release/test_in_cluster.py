"""What runs in a cluster day by day: alerts, a dashboard, hooks. Each is run as far as a program for it is here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from kexplain.diagnosis.records import Kind
from tests.cli.command import ROOT, kexplain

FOLDER = ROOT / "fixtures" / "in-cluster"
CASE = ROOT / "fixtures" / "everything-pending"
RULES = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"][0]["rules"]


def _expressions() -> list[str]:
    panels = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    return [*(rule["expr"] for rule in RULES), *(each["expr"] for panel in panels for each in panel["targets"])]


def test_alerts_and_dashboard_ask_for_what_is_written() -> None:
    written = kexplain("--cluster", CASE, "-A", "-o", "openmetrics").stdout.decode()
    labels = {*re.findall(r"(\w+)=\"", written)}
    for expression in _expressions():
        assert {*re.findall(r"kexplain_\w+", expression)} <= {*re.findall(r"kexplain_\w+", written)}
        grouped = [name for names in re.findall(r"by \(([^)]*)\)", expression) for name in names.split(", ")]
        assert {*grouped} <= labels


def test_alerts_name_kinds_that_there_are() -> None:
    kinds = {kind.value for kind in Kind}
    for patterns in re.findall(r'kind!?=~?"([^"]+)"', " ".join(_expressions())):
        for pattern in patterns.split("|"):
            assert [kind for kind in kinds if re.fullmatch(pattern, kind)], pattern


@pytest.mark.skipif(shutil.which("promtool") is None, reason="needs promtool, which comes with Prometheus")
def test_promtool_takes_the_alerts() -> None:
    subprocess.run(["promtool", "check", "rules", "alerts.yaml"], cwd=FOLDER, check=True)
    subprocess.run(["promtool", "test", "rules", "alerts-test.yaml"], cwd=FOLDER, check=True)


@pytest.mark.parametrize("cpu", ["1", "3"])
def test_the_hook_of_a_sync_fails_where_something_does_not_fit(cpu: str, tmp_path: Path) -> None:
    job = yaml.safe_load((FOLDER / "presync.yaml").read_text())
    spec = job["spec"]["template"]["spec"]
    mounts = {mount["name"]: mount["mountPath"] for mount in spec["containers"][0]["volumeMounts"]}
    assert spec["initContainers"][0]["command"][-1].startswith(mounts["manifests"])
    (tmp_path / "new.yaml").write_text(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: new, namespace: shop}\n"
        f"spec: {{containers: [{{name: c, image: 'c:1', resources: {{requests: {{cpu: '{cpu}'}}}}}}]}}\n"
    )
    words = [each.replace("/manifests/checkout/PATH", str(tmp_path)) for each in spec["containers"][0]["args"]]
    at = words.index("--live")
    done = kexplain(*words[:at], "--cluster", CASE, *words[at + 1 :])
    assert done.returncode == (1 if cpu == "3" else 0), done.stdout


def test_manifests_for_a_cluster_are_clean() -> None:
    manifests = [FOLDER / name for name in ("kexplain.yaml", "metrics.yaml", "presync.yaml", "snapshots.yaml")]
    done = kexplain("lint", *manifests, "--fail-on", "info")
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(os.name == "nt", reason="runs sh")
def test_the_job_that_takes_snapshots_names_each_and_forgets_old_ones(tmp_path: Path) -> None:
    _, job = yaml.safe_load_all((FOLDER / "snapshots.yaml").read_text())
    (container,) = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    (tmp_path / "kexplain").write_text('#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\n: > "$1"\n')
    (tmp_path / "kexplain").chmod(0o755)
    (old := tmp_path / "2020-01-01T00-00.snapshot").touch()
    os.utime(old, (0, 0))
    words = [each.replace("/snapshots", str(tmp_path)) for each in container["command"]]
    subprocess.run(words, env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)
    (kept,) = tmp_path.glob("*.snapshot")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d-\d\d", kept.stem)


@pytest.mark.skipif(os.name == "nt", reason="runs sh")
def test_the_plugin_of_k9s_hands_names_over_as_words(tmp_path: Path) -> None:
    plugin = yaml.safe_load((FOLDER / "k9s.yaml").read_text())["plugins"]["why-pending"]
    for name, body in (("kexplain", 'printf "<%s>" "$@"'), ("less", "cat")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    chosen = {"$RESOURCE_NAME": "pods", "$NAME": "web;x", "$NAMESPACE": "$(x)", "$CONTEXT": "a b"}
    words = [chosen.get(each, each) for each in plugin["args"]]
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    shown = subprocess.check_output([plugin["command"], *words], env=environment, text=True)
    assert shown == "<pods/web;x><-n><$(x)><--context><a b><--color><always>"
