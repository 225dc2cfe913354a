"""Whoever waits hears how many bytes of all files have been read."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

from kexplain.load import load
from kexplain.load.text import json_pieces

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}}


def test_a_listener_hears_how_much_has_been_read(tmp_path: Path) -> None:
    paths = [tmp_path / "small.json", tmp_path / "large.json"]
    for path, pods in zip(paths, (1, 30), strict=True):
        path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": [POD] * pods}))
    heard: list[tuple[int, int]] = []
    with patch("kexplain.load._LARGE", 0), patch.object(json_pieces, "PIECE", 500):
        load([str(path) for path in paths], progress=lambda done, total: heard.append((done, total)))
    small, large = (path.stat().st_size for path in paths)
    done = [each for each, _ in heard]
    assert {total for _, total in heard} == {small + large}
    assert done == sorted(done)
    assert (done[0], done[-1]) == (small, small + large)
    assert len(done) > large / 500
