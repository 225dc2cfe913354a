from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kexplain.errors import InputError
from kexplain.load import check_quantities, fault, load
from kexplain.objects.problem import path_steps, path_text
from tests.load.texts import faults, listed, node, pod, write

HEAD = "apiVersion: v1\nkind: Pod\n"
POD = HEAD + "metadata: {name: p}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind: Pod\nmetadata: {name: p}\n", ["1:1: no apiVersion: this is not a Kubernetes object"]),
        ("apiVersion: v1\n", ["1:1: no kind: this is not a Kubernetes object"]),
        ("# values\nreplicas: 1\n", ["2:1: neither apiVersion nor kind: this is not a Kubernetes object"]),
        ("apiVersion: v1\nkind: 7\n", ["2:7: kind: expected a string, found a number"]),
        ("just text\n", ["1:1: expected an object, found a string"]),
        ("- 1\n", ["1:1: expected an object, found a list"]),
        (HEAD, ["1:1: metadata.name: a pod needs a name or a generateName"]),
        (HEAD + "metadata: {labels: {}}\n", ["3:11: metadata.name: a pod needs a name or a generateName"]),
        ("apiVersion: v1\nkind: Node\n", ["1:1: metadata.name: a node needs a name or a generateName"]),
        ("apiVersion: v1\nkind: List\nitems: 1\n", ["3:8: items: expected a list, found a number"]),
        (POD + "spec: 1\n", ["4:7: spec: expected an object, found a number"]),
        (
            POD + "spec:\n  containers: web\n  priority: high\n  hostNetwork: 3\n  nodeName: [a]\n",
            [
                "5:15: spec.containers: expected a list, found a string",
                "6:13: spec.priority: expected a whole number, found a string",
                "7:16: spec.hostNetwork: expected true or false, found a number",
                "8:13: spec.nodeName: expected a string, found a list",
            ],
        ),
        (
            POD + "spec:\n  nodeSelector:\n    a: yes\n    example.com/b: 1\n",
            [
                "6:8: spec.nodeSelector.a: expected a string, found a boolean (put it in quotes)",
                "7:20: spec.nodeSelector[example.com/b]: expected a string, found a number (put it in quotes)",
            ],
        ),
        (
            POD + "spec:\n  priority: 1.5\n  overhead: {cpu: yes, memory: [1]}\n",
            [
                "5:13: spec.priority: expected a whole number, found 1.5",
                "6:19: spec.overhead.cpu: expected a quantity, found a boolean",
                "6:32: spec.overhead.memory: expected a quantity, found a list",
            ],
        ),
        (
            POD + "spec: {tolerations: [{key: a}, b]}\n",
            ["4:32: spec.tolerations[1]: expected an object, found a string"],
        ),
        (
            POD + "---x\nfoo: 1\n---\na: b: c\n",
            [
                "4:4: only a comment may follow the document separator ---",
                "5:1: neither apiVersion nor kind: this is not a Kubernetes object",
                "7:5: mapping values are not allowed in this context",
            ],
        ),
    ],
)
def test_every_fault_is_told_with_its_place(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert faults(write(tmp_path / "a.yaml", text)) == [f"a.yaml:{fault}" for fault in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"apiVersion":"v1",\n"kind" "Pod"}', "2:8: this is not JSON: expected ':'"),
        ('{"apiVersion":"v1",\n"kind":"Pod', "2:12: the JSON ends early: it was cut off"),
        ('{"a": 1} x', "1:1: neither apiVersion nor kind: this is not a Kubernetes object"),
        ('{"apiVersion":"v1","kind":"List","items":{}}', "1:42: items: expected a list, found an object"),
        ('{"apiVersion":"v1","kind":["Pod"]}', "1:27: kind: expected a string, found a list"),
        ('[{"kind": "Pod"}]', "1:1: expected an object, found a list"),
        ('{"a":' * 100_000, "1:501: nested deeper than 100 levels"),
    ],
)
def test_faults_of_json(tmp_path: Path, text: str, expected: str) -> None:
    assert faults(write(tmp_path / "a.json", text))[0] == f"a.json:{expected}"


INT32 = "is not between -2147483648 and 2147483647"
INT64 = "is not between -9223372036854775808 and 9223372036854775807"


@pytest.mark.parametrize("suffix", ["json", "yaml"])
@pytest.mark.parametrize(
    ("field", "number", "problem"),
    [
        pytest.param("priority", str(2**31 - 1), "", id="the largest of 32 bits"),
        pytest.param("priority", str(2**31), f"2147483648 {INT32}", id="more than 32 bits"),
        pytest.param("priority", str(-(2**31) - 1), f"-2147483649 {INT32}", id="less than 32 bits"),
        pytest.param("tolerations", str(2**63 - 1), "", id="the largest of 64 bits"),
        pytest.param("tolerations", str(2**63), f"9223372036854775808 {INT64}", id="more than 64 bits"),
    ],
)
def test_whole_numbers_are_as_wide_as_their_field(
    tmp_path: Path, suffix: str, field: str, number: str, problem: str
) -> None:
    value = f'[{{"tolerationSeconds": {number}}}]' if field == "tolerations" else number
    text = f'{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "p"}}, "spec": {{"{field}":\n{value}}}}}'
    told = faults(write(tmp_path / f"a.{suffix}", text if suffix == "json" else f"# yaml\n{text}"))
    assert [fault.split(": ", 2)[2] for fault in told] == ([problem] if problem else [])
    assert all(int(fault.split(":")[1]) == (2 if suffix == "json" else 3) for fault in told)


@pytest.mark.parametrize(
    ("digits", "found"), [(60, f"{'9' * 60} {INT32}"), (5_000, "expected a whole number, found inf")]
)
def test_numbers_of_very_many_digits_are_faults_in_json(tmp_path: Path, digits: int, found: str) -> None:
    value = pod(priority=0, unread=0, overhead={"cpu": 0})
    text = json.dumps(value).replace(": 0", ": " + "9" * digits)
    first, *others = [fault.split(": ", 2)[2] for fault in faults(write(tmp_path / "a.json", text))]
    assert first == found
    assert set(others) <= {"inf is not a quantity such as 500m, 2 or 1Gi"}


def test_numbers_of_very_many_digits_are_texts_in_yaml(tmp_path: Path) -> None:
    text = f"{POD}spec: {{priority: {'9' * 5_000}, unread: {'9' * 5_000}}}\n"
    assert faults(write(tmp_path / "a.yaml", text)) == [
        "a.yaml:4:18: spec.priority: expected a whole number, found a string"
    ]


def test_a_number_beyond_the_field_that_takes_texts_too(tmp_path: Path) -> None:
    text = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 2147483648}\n"
    (found,) = faults(write(tmp_path / "a.yaml", text))
    assert found.endswith(f"spec.maxUnavailable: 2147483648 {INT32}")


def test_bytes_that_are_no_utf8_are_placed_in_json(tmp_path: Path) -> None:
    text = json.dumps(pod("ü"), ensure_ascii=False).encode("latin-1")
    assert faults(write(tmp_path / "a.json", text)) == ["a.json:1:59: this is not UTF-8 (byte 0xfc)"]


def test_half_a_surrogate_pair_is_no_utf8(tmp_path: Path) -> None:
    text = json.dumps({**pod("ü"), "unread": 1}, ensure_ascii=False).encode().replace("ü".encode(), b"\xed\xa0\x80")
    assert faults(write(tmp_path / "a.json", text)) == ["a.json:1:59: this is not UTF-8 (byte 0xed)"]


def test_faults_within_lists_are_all_told(tmp_path: Path) -> None:
    bad: dict[str, Any] = pod("b", containers="x", tolerations=[{"key": 1}])
    value = listed(pod("a"), bad, 3, listed({"apiVersion": "v1", "kind": "Node"}), {"kind": "Pod"})
    text = json.dumps(value, indent=1)
    expected = [
        "spec.containers: expected a list, found a string",
        "spec.tolerations[0].key: expected a string, found a number (put it in quotes)",
        "expected an object, found a number",
        "metadata.name: a node needs a name or a generateName",
        "no apiVersion: this is not a Kubernetes object",
    ]
    for name in ("a.json", "a.yaml"):
        told = faults(write(tmp_path / name, text if name == "a.json" else "# yaml\n" + text))
        assert [fault.split(": ", 1)[1] for fault in told] == expected
        offset = 0 if name == "a.json" else 1
        assert int(told[0].split(":")[1]) - offset == text.splitlines().index('    "containers": "x",') + 1


def test_faults_of_items_without_kind_are_placed(tmp_path: Path) -> None:
    text = '{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},\n{"metadata":{"name":1}}]}'
    assert faults(write(tmp_path / "a.json", text)) == [
        "a.json:2:21: metadata.name: expected a string, found a number (put it in quotes)"
    ]


def test_faults_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    paths = [write(tmp_path / "a.yaml", "a: ["), write(tmp_path / "b.json", "{"), str(tmp_path / "c.yaml")]
    assert [fault.split(":")[0] for fault in faults(*paths)] == ["a.yaml", "b.json", "c.yaml"]


def test_very_many_faults_are_counted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", listed(*({"apiVersion": "v1", "kind": "Node"} for _ in range(150))))
    with pytest.raises(InputError) as raised:
        load([path])
    assert len(raised.value.faults) == 100
    assert raised.value.hint == "50 more faults are not shown"


@pytest.mark.parametrize(
    "value", [1, {"apiVersion": "v1", "kind": "Node", "metadata": {"name": 1}}], ids=["scalar", "node"]
)
def test_faults_without_end_are_not_counted_to_the_end(tmp_path: Path, value: object) -> None:
    for path in (write(tmp_path / "a.json", listed(*([value] * 5_000))), write(tmp_path / "b.yaml", "---x\n" * 5_000)):
        with pytest.raises(InputError) as raised:
            load([path])
        assert (len(raised.value.faults), raised.value.hint) == (100, "over 1000 more faults are not shown")


def test_faults_without_end_in_one_object_are_not_counted_to_the_end(tmp_path: Path) -> None:
    labels = {f"a{number}": number for number in range(5_000)}
    path = write(tmp_path / "a.json", {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": labels}})
    with pytest.raises(InputError) as raised:
        load([path])
    assert raised.value.faults[99].column == Path(path).read_text("utf-8").index('99, "a100"') + 1
    assert raised.value.hint == "over 1900 more faults are not shown"


def test_warnings_without_end_are_counted_only(tmp_path: Path) -> None:
    loaded = load([write(tmp_path / "a.yaml", POD + "a: 1\n" * 151)])
    assert (len(loaded.warnings), loaded.more_warnings) == (100, 50)


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_bad_quantities_are_all_told(tmp_path: Path, suffix: str) -> None:
    value = listed(
        pod(
            containers=[
                {"name": "a", "resources": {"requests": {"cpu": "1"}}},
                {"name": "b", "resources": {"requests": {"cpu": "1x"}, "limits": {"example.com/gpu": ""}}},
            ],
            overhead={"memory": "one"},
        ),
        node(allocatable={"cpu": 4, "memory": "1Gii"}),
        {"apiVersion": "v1", "kind": "LimitRange", "spec": {"limits": [{"max": {"cpu": "?"}}]}},
        {"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity", "capacity": "all", "maximumVolumeSize": 1},
        {
            "apiVersion": "batch/v1",
            "kind": "CronJob",
            "spec": {"jobTemplate": {"spec": {"template": {"spec": {"overhead": {"cpu": "!"}}}}}},
        },
    )
    text = ("# yaml\n" if suffix == "yaml" else "") + json.dumps(value, indent=1)
    loaded = load([write(tmp_path / f"a.{suffix}", text)])
    with pytest.raises(InputError) as raised:
        check_quantities(loaded)
    assert [(found.path, found.message) for found in raised.value.faults] == [
        ("spec.containers[1].resources.requests.cpu", '"1x" is not a quantity'),
        ("spec.containers[1].resources.limits[example.com/gpu]", '"" is not a quantity'),
        ("spec.overhead.memory", '"one" is not a quantity'),
        ("status.allocatable.memory", '"1Gii" is not a quantity'),
        ("spec.limits[0].max.cpu", '"?" is not a quantity'),
        ("capacity", '"all" is not a quantity'),
        ("spec.jobTemplate.spec.template.spec.overhead.cpu", '"!" is not a quantity'),
    ]
    lines = text.splitlines()
    for found in raised.value.faults:
        quoted = found.message.removesuffix(" is not a quantity")
        assert lines[found.line - 1][found.column - 1 :].startswith(quoted)


def test_bad_quantities_beyond_the_limit_are_counted(tmp_path: Path) -> None:
    nodes = [node(allocatable={"cpu": "1x"}) for _ in range(130)]
    with pytest.raises(InputError) as raised:
        check_quantities(load([write(tmp_path / "a.json", listed(*nodes))]))
    assert len(raised.value.faults) == 100
    assert raised.value.hint == "30 more faults are not shown"


def test_negative_quantities(tmp_path: Path) -> None:
    loaded = load([write(tmp_path / "a.json", listed(node(allocatable={"cpu": "-1", "memory": -0.5, "pods": "-0"})))])
    with pytest.raises(InputError) as raised:
        check_quantities(loaded)
    assert [found.message for found in raised.value.faults] == ['"-1" is negative', "-0.5 is negative"]


def test_good_quantities_pass(tmp_path: Path) -> None:
    check_quantities(load([write(tmp_path / "a.json", listed(node(allocatable={"cpu": 1.5, "memory": "1Gi"}), pod()))]))


def test_a_fault_is_placed_by_object_and_path(tmp_path: Path) -> None:
    loaded = load([write(tmp_path / "a.yaml", POD + "spec:\n  overhead:\n    example.com/x: 1\n")])
    for path in ("spec.overhead[example.com/x]", ("spec", "overhead", "example.com/x")):
        found = fault(loaded, loaded.objects[0], path, "no")
        assert str(found).endswith("a.yaml:6:20: spec.overhead[example.com/x]: no")


STEPS = st.lists(st.integers(0, 99) | st.text("abz-_./09", min_size=1), max_size=5)


@given(STEPS)
def test_paths_survive_being_written(steps: list[str | int]) -> None:
    written = path_text(step for step in steps if isinstance(step, int) or not step.isdigit())
    assert path_text(path_steps(written)) == written


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("", ()),
        ("spec", ("spec",)),
        ("spec.containers[0].image", ("spec", "containers", 0, "image")),
        ("metadata.labels[a.b/c-d]", ("metadata", "labels", "a.b/c-d")),
        ("spec.overhead.ephemeral-storage", ("spec", "overhead", "ephemeral-storage")),
        ("items[1][2]", ("items", 1, 2)),
    ],
)
def test_paths_are_written_as_kubernetes_writes_them(text: str, steps: tuple[str | int, ...]) -> None:
    assert path_text(steps) == text
    assert path_steps(text) == steps
