"""What fails in a plugin is told as upstream tells it, or named by plugin, pod and node."""

from __future__ import annotations

import pytest

from kexplain.errors import PluginError
from kexplain.framework.plugin_errors import Asked, ScoreError, score_error
from kexplain.objects.quantity import QuantityError
from tests.factories import pod


def test_scoring_fails_in_upstreams_words() -> None:
    assert str(score_error("Foo", "no state")) == 'running Score plugins: plugin "Foo" failed with: no state'


def test_a_fault_of_ours_is_named_by_its_place() -> None:
    said = r"^Foo failed for pod default/web on node n1: KeyError: 'x'$"
    with pytest.raises(PluginError, match=said), Asked("Foo", pod("web"), "n1"):
        raise KeyError("x")


@pytest.mark.parametrize("said", [ScoreError("no state"), PluginError("Bar failed"), QuantityError("1x")])
def test_what_says_already_what_it_is_stays_as_it_is(said: Exception) -> None:
    with pytest.raises(type(said)) as raised, Asked("Foo", pod("web")):
        raise said
    assert raised.value is said
