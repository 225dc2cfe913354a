from __future__ import annotations

import re
from pathlib import Path

import pytest

import kexplain
from kexplain.remedies.advice import advice
from kexplain.remedies.records import Action, Rank
from kexplain.tables import table

ROWS = table("advice", dict[str, dict[str, object]])


def test_what_is_advised_has_words_and_commands() -> None:
    found = advice("suspend-runs", "shop/etl", "etl", "shop", ["etl-1", "etl-2"], nodes=("n1",))
    assert found.text == "suspend CronJob shop/etl, and delete those of its 2 Jobs that do not end"
    assert found.commands == (
        """kubectl patch cronjob etl -n shop -p '{"spec": {"suspend": true}}'""",
        "kubectl delete job etl-1 etl-2 -n shop",
    )
    assert (found.action, found.rank, found.nodes, found.changes) == (Action.FREE, Rank.MENDS, ("n1",), ())


def test_what_it_is_about_never_becomes_an_option_or_a_template() -> None:
    assert advice("lost-node/delete", "--all").commands == ("kubectl delete node -- --all",)
    assert advice("lost-node/repair", "{node}").text == "repair {node}: its kubelet then ends the pod in order"


def test_all_that_it_is_about_has_to_be_named() -> None:
    with pytest.raises(ValueError, match="zip"):
        advice("lost-node/repair")


@pytest.mark.parametrize("name", ROWS)
def test_rows_name_nothing_but_what_they_are_about_and_are_all_in_use(name: str) -> None:
    row = ROWS[name]
    about = str(row.get("about", "")).split()
    used = re.findall(r"\{(\w+)(?:\.\w+)*[?=}]", str((row["text"], row.get("commands"))))
    assert {*used} <= {*about}
    sources = "".join(path.read_text() for path in Path(kexplain.__file__).parent.rglob("*.py"))
    assert f'"{name.partition("/")[0]}' in sources
