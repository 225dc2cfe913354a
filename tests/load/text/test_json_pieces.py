"""Large dumps that are read piece by piece hold what they hold when they are read whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kexplain.errors import InputError
from kexplain.load import load
from kexplain.load.loaded import Loaded
from kexplain.load.text import json_dump, json_pieces

Json = dict[str, Any]


def _pod(number: int, **further: Any) -> Json:
    containers = [{"name": name, "image": "},\n    {"} for name in ("a", "b")]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": f"pod-{number}"},
        "spec": {"containers": containers},
        **further,
    }


def _listed(*items: Json, **further: Any) -> Json:
    return {"apiVersion": "v1", "items": list(items), "kind": "List", "metadata": {"resourceVersion": ""}, **further}


PODS = [_pod(number) for number in range(30)]


def _in_pieces(path: Path, size: int = 1500) -> Loaded:
    near_the_end = patch.object(json_pieces, "_NEAR_THE_END", size >> 1)
    with patch("kexplain.load._LARGE", 0), patch.object(json_pieces, "PIECE", size), near_the_end:
        return load([str(path)])


def _is_whole(path: Path) -> bool:
    """Whether the source had to be read as a whole."""
    with patch("kexplain.load.text.source.Source.read", side_effect=AssertionError):
        try:
            _in_pieces(path)
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize("indentation", [4, 2, 1])
@pytest.mark.parametrize("size", [600, 1500, 4096])
def test_pieces_hold_what_the_whole_does(tmp_path: Path, indentation: int, size: int) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS), indent=indentation))
    assert not _is_whole(path)
    whole, pieces = load([str(path)]), _in_pieces(path, size)
    assert msgspec.to_builtins(list(pieces.objects)) == msgspec.to_builtins(list(whole.objects))
    assert len(list(pieces.objects)) == len(PODS)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(_listed(*PODS, others=PODS), id="another array behind"),
        pytest.param({"others": PODS, **_listed(*PODS)}, id="another array before"),
        pytest.param(_listed(*PODS, _pod(31, metadata=None)), id="null where an object stands"),
        pytest.param(_listed(*PODS, {"kind": "Pod"}), id="an item that does not say its version"),
        pytest.param({**_listed(*PODS), "kind": "Table"}, id="no list"),
    ],
)
def test_anything_else_is_read_whole(tmp_path: Path, document: Json) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(document, indent=4))
    assert _outcome(path, is_whole=False) == _outcome(path, is_whole=True)


def _outcome(path: Path, *, is_whole: bool, size: int = 1500) -> object:
    try:
        loaded = load([str(path)]) if is_whole else _in_pieces(path, size)
    except InputError as error:
        return [str(fault) for fault in error.faults]
    return msgspec.to_builtins(list(loaded.objects)), loaded.passed_over


def test_no_size_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS)))
    with patch("kexplain.load.text.source.JSON_LIMIT", 1000):
        assert not _is_whole(path)
        assert len(list(_in_pieces(path).objects)) == len(PODS)


def test_faults_keep_their_places(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS, _pod(31, spec={"containers": 7})), indent=4))
    assert _outcome(path, is_whole=False) == _outcome(path, is_whole=True)


# A piece may seem to end in front of each of these: within lists and texts of an item.
_LIKE_AN_ITEM = '},{"apiVersion":'
_OWNERS = [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"web-{number}", "uid": "1"} for number in range(3)]
_METADATA: list[Json] = [
    {},
    {"ownerReferences": _OWNERS},
    {"annotations": {"said": _LIKE_AN_ITEM}, "managedFields": [{"apiVersion": "v1", "fields": [{}, {}]}] * 3},
    {"labels": {"said": "]"}},
]
_ITEMS = st.lists(
    st.builds(
        lambda metadata, length: {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "p" * length, **metadata},
            "spec": {"containers": [{"name": "a"}, {"name": "b"}]},
        },
        st.sampled_from(_METADATA),
        st.integers(1, 60),
    ),
    min_size=5,
    max_size=20,
)
_SEPARATORS = st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " : ")])


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=_ITEMS, separators=_SEPARATORS, indentation=st.sampled_from([None, 0, 1, 4]), data=st.data())
def test_wherever_pieces_end_they_hold_what_the_whole_does(
    tmp_path: Path, items: list[Json], separators: tuple[str, str], indentation: int | None, data: st.DataObject
) -> None:
    document = _listed(*items) if data.draw(st.booleans()) else {"kind": "List", "apiVersion": "v1", "items": items}
    text = json.dumps(document, indent=indentation, separators=separators)
    if data.draw(st.integers(0, 3)) == 0:
        # A second document, an end that is missing, or one that is wrong.
        place = data.draw(st.integers(0, len(text)))
        text = data.draw(st.sampled_from([text + text, text + "\n[]", text[:place], text[:place] + "!" + text[place:]]))
    path = tmp_path / "dump.json"
    path.write_text(text)
    size = data.draw(st.integers(500, 2000))
    assert _outcome(path, is_whole=False, size=size) == _outcome(path, is_whole=True)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(json.dumps(_listed(*PODS[:2])) + json.dumps(_listed(*PODS[2:])), id="two documents"),
        pytest.param(json.dumps(_listed(_listed(*PODS[:15]), _listed(*PODS[15:]))), id="lists in a list"),
        pytest.param(json.dumps(_listed(*PODS, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {}})), id="kinds"),
        pytest.param(json.dumps(_listed(*PODS, _pod(31, spec={"containers": 7})), indent=1), id="a fault"),
        pytest.param(json.dumps(_listed(*PODS))[:-1000], id="cut off"),
        pytest.param(json.dumps(_listed(*PODS), indent=1).replace("pod-29", "\udcff"), id="no UTF-8"),
    ],
)
def test_what_no_pieces_are_made_of_is_read_whole_all_the_same(tmp_path: Path, text: str) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(text.encode(errors="surrogateescape"))
    expected = _outcome(path, is_whole=True)
    with patch("kexplain.load.text.source.JSON_LIMIT", 1000), patch.object(json_dump, "_DECODED", 64):
        assert _outcome(path, is_whole=False) == expected


def test_there_is_a_size_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS)) * 2)
    with (
        patch("kexplain.load.text.source.JSON_LIMIT", 1000),
        patch("kexplain.load.text.source._LARGEST", 2000),
        pytest.raises(InputError, match="split it"),
    ):
        load([str(path)])
