"""What is shown while a live cluster is read."""

from __future__ import annotations

import pytest

from kexplain.cli.live import Progress
from kexplain.load.live.api_resources import SCHEDULING


def test_progress_never_goes_back(capsys: pytest.CaptureFixture[str]) -> None:
    pods, nodes, *_ = SCHEDULING
    progress = Progress()
    progress.has_read(pods, 500, 500)
    # A second list turns up, and the first expires and is read once more.
    progress.has_read(nodes, 500, 4500)
    progress.has_read(pods, 100, 0)
    lines = capsys.readouterr().err.split("\r")[1:]
    assert [line.split("] ")[1].strip() for line in lines] == [
        "500 of 1000 objects",
        "1000 of 6000 objects",
        "1000 of 5100 objects",
    ]
    assert {line.count("#") for line in lines} == {12}
