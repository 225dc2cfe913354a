from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kexplain.load import load
from kexplain.objects.core import Node, Pod, Service
from tests.load.texts import listed, names, node, pod, write

KNATIVE = {
    "apiVersion": "serving.knative.dev/v1",
    "kind": "Service",
    "metadata": {"name": "k"},
    "spec": {"selector": 3},
}
ALIEN = {"apiVersion": "example.com/v1", "kind": "Service", "metadata": {"name": "a"}}
SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"selector": {"a": "b"}}}
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}


@pytest.mark.parametrize(
    ("value", "expected", "passed_over"),
    [
        pytest.param(pod(), ["Pod/p"], {}, id="one object"),
        pytest.param(listed(pod(), node()), ["Pod/p", "Node/n"], {}, id="a List"),
        pytest.param(listed(), [], {}, id="an empty List"),
        pytest.param({"apiVersion": "v1", "kind": "List", "items": None}, [], {}, id="a List of nothing"),
        pytest.param({"apiVersion": "v1", "kind": "List"}, [], {}, id="a List without items"),
        pytest.param(listed(pod(), CONFIG, node()), ["Pod/p", "Node/n"], {"v1/ConfigMap": 1}, id="other kinds"),
        pytest.param(
            listed(SERVICE, KNATIVE, pod()),
            ["Service/s", "Pod/p"],
            {"serving.knative.dev/v1/Service": 1},
            id="another group's kind that does not even fit",
        ),
        pytest.param(
            listed(ALIEN, SERVICE, ALIEN),
            ["Service/s"],
            {"example.com/v1/Service": 2},
            id="another group's kind that fits",
        ),
        pytest.param(
            listed({"metadata": {"name": "a"}}, {"metadata": {"name": "b"}}, kind="NodeList"),
            ["Node/a", "Node/b"],
            {},
            id="a raw list, whose items do not name their kind",
        ),
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "DeploymentList", "items": [{"metadata": {"name": "d"}}]},
            ["Deployment/d"],
            {},
            id="a raw list of another group",
        ),
        pytest.param(
            listed({"a": 1}, {"a": 2}, kind="ConfigMapList"), [], {"v1/ConfigMap": 2}, id="a raw list of others"
        ),
        pytest.param(listed(listed(pod("a")), listed(listed(pod("b")))), ["Pod/a", "Pod/b"], {}, id="nested Lists"),
        pytest.param(
            {"apiVersion": "x/v1", "kind": "AllowList", "metadata": {}},
            [],
            {"x/v1/AllowList": 1},
            id="named like a list",
        ),
        pytest.param(
            listed(
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "g-"}, "spec": None, "status": None}
            ),
            ["Pod/"],
            {},
            id="nulls for objects",
        ),
    ],
)
@pytest.mark.parametrize("suffix", ["json", "indented.json", "yaml"])
def test_shapes(tmp_path: Path, suffix: str, value: Any, expected: list[str], passed_over: dict[str, int]) -> None:
    text = json.dumps(value, indent=None if suffix == "json" else 1)
    # A comment makes it YAML.
    loaded = load([write(tmp_path / f"a.{suffix}", f"# yaml\n{text}" if suffix == "yaml" else text)])
    assert names(loaded) == expected
    assert dict(loaded.passed_over) == passed_over


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_nulls_count_as_go_counts_them(tmp_path: Path, suffix: str) -> None:
    value = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p", "labels": {"a": None, "b": "c"}, "ownerReferences": None},
        "spec": {
            "containers": [None, {"name": "c", "resources": {"requests": {"cpu": None}}}],
            "topologySpreadConstraints": [{"topologyKey": None, "maxSkew": None}],
            "nodeSelector": None,
        },
    }
    text = json.dumps(value)
    (obj,) = load([write(tmp_path / f"a.{suffix}", f"# yaml\n{text}" if suffix == "yaml" else text)]).objects
    assert isinstance(obj, Pod)
    assert obj.metadata.labels == {"a": "", "b": "c"}
    assert obj.spec.containers is not None
    assert [container.name for container in obj.spec.containers] == [None, "c"]
    assert obj.spec.containers[1].resources is not None
    assert obj.spec.containers[1].resources.requests == {"cpu": 0}
    assert obj.spec.topology_spread_constraints is not None
    assert obj.spec.topology_spread_constraints[0].topology_key == ""


@pytest.mark.parametrize("separator", ["", "\n", " \n\n", "\n---\n", "\n--- # next\n"])
def test_several_json_values_follow_one_another(tmp_path: Path, separator: str) -> None:
    text = separator.join(json.dumps(value) for value in (pod(), listed(node()), CONFIG))
    loaded = load([write(tmp_path / "a.json", text)])
    assert names(loaded) == ["Pod/p", "Node/n"]
    assert loaded.passed_over == {"v1/ConfigMap": 1}


def test_what_looks_like_json_may_be_flow_style_yaml(tmp_path: Path) -> None:
    path = write(tmp_path / "a.yaml", "{apiVersion: v1, kind: Pod, metadata: {name: p,},} # like this")
    assert names(load([path])) == ["Pod/p"]


def test_a_byte_order_mark_is_no_obstacle(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", b"\xef\xbb\xbf" + json.dumps(pod()).encode())
    assert names(load([path])) == ["Pod/p"]


def test_records_know_where_they_stand(tmp_path: Path) -> None:
    text = json.dumps(listed(pod("é"), CONFIG, node("n", images=[{"names": ["ü"]}])), indent=2, ensure_ascii=False)
    loaded = load([write(tmp_path / "a.json", text)])
    lines = text.splitlines()
    for obj, path, needle in (
        (loaded.objects[0], ("metadata", "name"), '"é"'),
        (loaded.objects[1], ("metadata", "name"), '"n"'),
        (loaded.objects[1], ("status", "images", 0, "names", 0), '"ü"'),
        (loaded.objects[1], ("status", "images", 0, "names", 5), '["ü"]'[:1]),
        (loaded.objects[1], ("status", "missing"), None),
    ):
        line, column = loaded.origin(obj).locate(path)
        assert lines[line - 1][column - 1 :].startswith(needle or "{")


def test_places_of_items_whose_like_was_passed_over(tmp_path: Path) -> None:
    text = "\n".join(json.dumps(listed(ALIEN, SERVICE, ALIEN, pod())).replace("[", "[\n").split(', {"apiVersion"'))
    path = write(tmp_path / "a.json", text.replace("\n:", ',\n{"apiVersion":'))
    loaded = load([path])
    assert [type(obj) for obj in loaded.objects] == [Service, Pod]
    assert [loaded.origin(obj).locate() for obj in loaded.objects] == [(3, 1), (5, 1)]


def test_places_are_unknown_when_the_file_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    loaded = load([write(path, listed(pod(), node()))])
    yaml_loaded = load([write(tmp_path / "a.yaml", "# yaml\n" + json.dumps(node()))])
    for other in ("[", "", "[" * 100_000):
        path.write_text(other)
        (tmp_path / "a.yaml").write_text(other)
        assert loaded.origin(loaded.objects[1]).locate(("metadata", "name")) in ((0, 0), (1, 1))
        assert load([write(tmp_path / "b.json", node())]) is not None
    path.unlink()
    (tmp_path / "a.yaml").unlink()
    fresh = load([write(path, listed(node()))])
    path.unlink()
    assert fresh.origin(fresh.objects[0]).locate() == (0, 0)
    # A small document of YAML is one tree of values and places, built once.
    origin = yaml_loaded.origin(yaml_loaded.objects[0])
    assert origin.locate() == (2, 1)
    assert origin.value() == node()


def test_keys_set_twice_are_warned_of(tmp_path: Path) -> None:
    text = '{"apiVersion": "v1", "kind": "Node",\n "metadata": {"name": "a", "name": "b"}}'
    loaded = load([write(tmp_path / "a.json", text)])
    assert names(loaded) == ["Node/b"]
    assert [str(warning).rpartition("/")[2] for warning in loaded.warnings] == [
        'a.json:2:28: the key "name" is set twice; the last one counts'
    ]


def test_reading_json_does_not_import_yaml(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", listed(pod(), CONFIG, node()))
    program = "import sys; from kexplain.load import load; load(sys.argv[1:]); sys.exit('yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program, path], check=False).returncode == 0


def test_records_are_the_same_from_json_and_yaml(tmp_path: Path) -> None:
    value = listed(
        pod(containers=[{"name": "c", "resources": {"requests": {"cpu": 1}}}]), node(allocatable={"cpu": "4"})
    )
    from_json = load([write(tmp_path / "a.json", value)])
    from_yaml = load([write(tmp_path / "a.yaml", "# yaml\n" + json.dumps(value))])
    assert [repr(obj) for obj in from_json.objects] == [repr(obj) for obj in from_yaml.objects]
    assert isinstance(from_json.objects[1], Node)
