"""What fails in a plugin is told as upstream tells it, or named by plugin, pod and node."""

from __future__ import annotations

from kexplain.framework.plugin_errors import plugin_error, score_error
from tests.factories import pod


def test_scoring_fails_in_upstreams_words() -> None:
    assert str(score_error("Foo", "no state")) == 'running Score plugins: plugin "Foo" failed with: no state'


def test_a_fault_of_ours_is_named_by_its_place() -> None:
    fault = plugin_error("Foo", pod("web"), KeyError("x"), "n1")
    assert str(fault) == "Foo failed for pod default/web on node n1: KeyError: 'x'"
