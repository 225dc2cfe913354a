"""Large dumps that are read piece by piece hold what they hold when they are read whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pytest

from kexplain.errors import InputError
from kexplain.load import load
from kexplain.load.loaded import Loaded
from kexplain.load.text import json_pieces

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
    with patch.object(json_pieces, "PIECE", size):
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


def _outcome(path: Path, *, is_whole: bool) -> object:
    try:
        loaded = load([str(path)]) if is_whole else _in_pieces(path)
    except InputError as error:
        return [str(fault) for fault in error.faults]
    return msgspec.to_builtins(list(loaded.objects)), loaded.passed_over


def test_no_size_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS), indent=4))
    with patch("kexplain.load.text.source.JSON_LIMIT", 1000):
        assert len(list(_in_pieces(path).objects)) == len(PODS)
        with pytest.raises(InputError, match="split it"):
            load([str(path)])


def test_a_dump_without_line_breaks_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS)))
    assert _is_whole(path)
    assert len(list(_in_pieces(path).objects)) == len(PODS)


def test_a_dump_that_is_indented_nowhere_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS), indent=0))
    assert _outcome(path, is_whole=False) == _outcome(path, is_whole=True)


def test_faults_keep_their_places(tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    path.write_text(json.dumps(_listed(*PODS, _pod(31, spec={"containers": 7})), indent=4))
    assert _outcome(path, is_whole=False) == _outcome(path, is_whole=True)
