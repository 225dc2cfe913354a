from __future__ import annotations

import pytest

from kexplain.case.node_names import whole_name
from kexplain.errors import UsageError


@pytest.mark.parametrize(
    ("name", "known", "found"),
    [
        pytest.param("n1", ["n1", "n1.lan"], "n1", id="itself"),
        pytest.param("n1", ["n1.lan", "n10.lan"], "n1.lan", id="short"),
    ],
)
def test_a_name_may_be_short(name: str, known: list[str], found: str) -> None:
    assert whole_name(name, known) == found


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        pytest.param(
            "n1",
            ["n1.wan", "n1.lan", "n2.lan"],
            "n1 may be any of 2 nodes: did you mean n1.lan or n1.wan?",
            id="several",
        ),
        pytest.param("n", ["n1.lan"], "there is no node n in the cluster: did you mean n1.lan?", id="part-of-a-word"),
        pytest.param("", [".lan"], "there is no node  in the cluster: there are .lan", id="nothing"),
        pytest.param("xyz", ["b", "a"], "there is no node xyz in the cluster: there are a, b", id="another"),
    ],
)
def test_nodes_that_are_not_there_or_not_alone(name: str, known: list[str], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        whole_name(name, known)
    assert f"{raised.value.message}: {raised.value.hint}" == said
