from __future__ import annotations

import json

import jsonschema
import pytest

from tests.cli.command import kexplain


def test_a_row_an_extension_point() -> None:
    done = kexplain("plugins", "--scheduler-name", "mine", "--percentage-of-nodes-to-score", "30")
    first, _, *rows = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert first == "mine  (kubernetes 1.36, scores 30 % of the nodes)"
    assert rows[0].split() == ["preEnqueue", "SchedulingGates,", "DynamicResources,", "DefaultPreemption"]
    assert rows[6].split()[:3] == ["score", "TaintToleration", "×3,"]


@pytest.mark.parametrize("plugin", [(), ("NodeResourcesFit",)])
def test_the_newest_release_stands_in_for_a_newer_one(plugin: tuple[str, ...]) -> None:
    done = kexplain("plugins", *plugin, "--kubernetes-version", "1.99")
    assert done.returncode == 0
    assert b"note: Kubernetes 1.99 is not known here: deciding as 1.38" in done.stderr


def test_json_is_valid_under_its_schema() -> None:
    document = json.loads(kexplain("plugins", "-o", "json").stdout)
    jsonschema.Draft202012Validator(json.loads(kexplain("schema", "plugins").stdout)).validate(document)
    assert document["profiles"][0]["schedulerName"] == "default-scheduler"


def test_the_profile_of_a_policy() -> None:
    done = kexplain("plugins", "--policy", "default-1.4", "--scheduler-name", "old")
    first, _, *rows = done.stdout.decode().splitlines()
    assert first == "old  (kubernetes 1.22, scores a share of the nodes that depends on their number)"
    by_point = dict(row.split(None, 1) for row in rows[:7])
    assert by_point["filter"].startswith("NodeUnschedulable, NodeResourcesFit, NodeName, NodePorts")
    assert "NodePreferAvoidPods ×10000" in by_point["score"]


def test_what_cannot_be_built_is_refused() -> None:
    done = kexplain("plugins", "--kubernetes-version", "0.9")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Kubernetes 0.9 is not known" in done.stderr


def test_a_release_that_is_asked_for_is_described() -> None:
    done = kexplain("plugins", "--kubernetes-version", "1.34", "--feature-gates", "GangScheduling=true")
    assert done.returncode == 2
    done = kexplain("plugins", "--kubernetes-version", "1.34", "--feature-gates", "DRAExtendedResource=true")
    rows = {line.split("  ")[1]: line for line in done.stdout.decode().splitlines() if line.startswith("  ")}
    assert "BEHAVIOUR OF KUBERNETES 1.34" in rows
    assert rows["balance by improvement"].split()[3:5] == ["no", "1.36"]
    assert rows["DRAExtendedResource"].split()[1:4] == ["yes", "1.34", "alpha"]
    assert "Not simulated here." not in rows["DRAExtendedResource"]
    done = kexplain("plugins", "--kubernetes-version", "1.30", "--feature-gates", "DynamicResourceAllocation=true")
    [row] = (line for line in done.stdout.decode().splitlines() if line.startswith("  DynamicResourceAllocation "))
    assert row.endswith("Not simulated here.")


def test_the_page_of_a_plugin() -> None:
    done = kexplain("plugins", "NodeResourcesFit", "--width", "80")
    said = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert said.startswith("NodeResourcesFit  (kubernetes 1.36)\n  looks at what the pod requests")
    assert "Insufficient cpu\n" in said
    assert "a pod is deleted" in said
    assert max(map(len, said.splitlines())) <= 80


def test_the_json_of_a_page_is_valid_under_its_schema() -> None:
    document = json.loads(kexplain("plugins", "VolumeBinding", "-o", "json").stdout)
    jsonschema.Draft202012Validator(json.loads(kexplain("schema", "plugin").stdout)).validate(document)
    assert {text["text"] for text in document["texts"]} >= {"pod has unbound immediate PersistentVolumeClaims"}


def test_a_name_that_is_no_plugin() -> None:
    done = kexplain("plugins", "NodeResourceFit")
    assert done.returncode == 2
    assert b"did you mean NodeResourcesFit?" in done.stderr


def test_what_differs_between_two_releases() -> None:
    done = kexplain("plugins", "--kubernetes-version", "1.37,1.38")
    head, _, *rows = done.stdout.decode().strip().splitlines()
    assert head == "WHAT DIFFERS BETWEEN KUBERNETES 1.37 AND 1.38, AS IT STANDS IN 1.38"
    assert rows[0].split()[:3] == ["empty", "spread", "selectors"]
    assert rows[-1].split()[:4] == ["GenericWorkload", "yes", "1.38", "GA"]
    assert len(rows) == 13
    assert b"note: deciding as Kubernetes 1.38" in done.stderr


def test_releases_that_nobody_knows_are_not_compared() -> None:
    done = kexplain("plugins", "--kubernetes-version", "1.2,1.38")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Kubernetes 1.2 is not known here" in done.stderr
