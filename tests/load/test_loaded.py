"""Objects are known by identity, whichever document they came from."""

from __future__ import annotations

import pytest

from kexplain.load.loaded import Loaded, Nowhere, Segment
from tests.factories import node, pod


def test_objects_are_found_in_every_document_also_in_those_that_come_later() -> None:
    loaded = Loaded()
    first, second, third = pod("web"), node("n1"), pod("web")
    loaded.add(Segment("pod.yaml", Nowhere(), [first]))
    assert loaded.origin(first).source == "pod.yaml"
    loaded.add(Segment("cluster.json", Nowhere(), [second, third], [("items", 3), ("items", 7)]))
    assert [(loaded.origin(each).source, loaded.origin(each).path) for each in (third, first, second)] == [
        ("cluster.json", ("items", 7)),
        ("pod.yaml", ("items", 0)),
        ("cluster.json", ("items", 3)),
    ]
    with pytest.raises(KeyError):
        loaded.origin(pod("web"))
