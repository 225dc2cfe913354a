"""Pending pods as metrics, read back by the parser of the Prometheus client."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from prometheus_client.parser import text_string_to_metric_families as text_of_prometheus

from kexplain.api import Case, PodToPlace, explain
from kexplain.render import Kind, render
from kexplain.render.view import View
from tests.cli.command import ROOT, kexplain
from tests.factories import cluster, node, pod


def _families(text: object) -> dict[str, list[tuple[dict[str, str], float]]]:
    assert isinstance(text, str)
    assert text.endswith("# EOF\n")
    families: Any = text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
    return {family.name: [(sample.labels, sample.value) for sample in family.samples] for family in families}


def test_pods_are_counted_by_what_holds_them_up() -> None:
    pods = (pod("a", cpu="9"), pod("b", cpu="9"), pod("c"))
    report = explain(Case(cluster([node("n1")]), tuple(map(PodToPlace, pods))))
    found = _families(render(Kind.EXPLANATION, "openmetrics", report, View()))
    ((labels, count),) = found["kexplain_pending_pods"]
    assert count == 2
    assert (labels["plugin"], labels["namespace"], labels["workload"]) == ("NodeResourcesFit", "default", "")
    assert labels["scheduler"] == "default-scheduler"
    assert labels["kind"]


def test_names_are_escaped() -> None:
    hostile = pod("a", scheduler_name='x"\\\n')
    report = explain(Case(cluster([node("n1")]), (PodToPlace(hostile),)))
    ((labels, _),) = _families(render(Kind.EXPLANATION, "openmetrics", report, View()))["kexplain_pending_pods"]
    assert labels["scheduler"] == 'x"\\\n'


def test_what_a_queue_holds_back_and_since_when() -> None:
    dump = ROOT / "fixtures" / "queue-kueue-waits-for-quota" / "cluster.yaml"
    found = _families(kexplain("--cluster", dump, "-A", "-o", "openmetrics").stdout.decode())
    ((labels, count),) = found["kexplain_pending_pods"]
    assert (labels["kind"], count) == ("queue-waiting-for-quota", 1)
    assert [value for _, value in found["kexplain_pending_since_timestamp_seconds"]] == [1793606400.0]


def test_nothing_is_pending() -> None:
    report = explain(Case(cluster([node("n1")]), (PodToPlace(pod()),)))
    assert _families(render(Kind.EXPLANATION, "openmetrics", report, View()))["kexplain_pending_pods"] == []


def test_the_job_writes_where_a_textfile_collector_reads(tmp_path: Path) -> None:
    job = yaml.safe_load((ROOT / "fixtures" / "in-cluster" / "metrics.yaml").read_text())
    spec = job["spec"]["jobTemplate"]["spec"]["template"]["spec"]
    (container,) = spec["containers"]
    paths = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
    on_host = next(each for each in spec["volumes"] if "hostPath" in each)
    output = next(each for each in container["args"] if each.startswith("openmetrics="))
    folder, _, name = output.partition("=")[2].rpartition("/")
    assert (folder, name.endswith(".prom")) == (paths[on_host["name"]], True)
    case = ROOT / "fixtures" / "everything-pending"
    arguments = [each.replace(folder, str(tmp_path)) for each in container["args"]]
    assert kexplain(*arguments, "--cluster", case).returncode == 1
    written = (tmp_path / name).read_text()
    # The collector reads the text format of Prometheus, of which this is one as well.
    families: Any = text_of_prometheus(written)
    assert {family.name for family in families} >= {"kexplain_pending_pods"}
    assert _families(written)["kexplain_pending_pods"]


def test_no_label_steers_a_terminal() -> None:
    hostile = pod("a", scheduler_name="x\x1b[31m\r\x9b\u202e")
    report = explain(Case(cluster([node("n1")]), (PodToPlace(hostile),)))
    text = str(render(Kind.EXPLANATION, "openmetrics", report, View()))
    assert all(char.isprintable() or char == "\n" for char in text)
    assert _families(text)
