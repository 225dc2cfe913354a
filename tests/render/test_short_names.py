"""What all names of nodes end in is said once."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.api import Case, PodToPlace, explain
from kexplain.remedies.records import Remedy
from kexplain.render.blocks import Text
from kexplain.render.short_names import Ending, WithFootnote, with_short_names
from kexplain.render.view import View
from tests.factories import cluster, node, pod

AWS = ".eu-west-1.compute.internal"


@pytest.mark.parametrize(
    ("names", "end"),
    [
        pytest.param([f"ip-1{AWS}", f"ip-2{AWS}"], AWS, id="all"),
        pytest.param([f"ip-1{AWS}", "ip-2.eu-west-2.compute.internal"], ".compute.internal", id="part"),
        pytest.param([f"a{AWS}", f"a.a{AWS}"], AWS, id="one-within-the-other"),
        pytest.param([f"ip-1{AWS}", "worker"], "", id="not-all"),
        pytest.param([f"ip-1{AWS}"], "", id="one"),
        pytest.param(["n1.lan", "n2.lan"], "", id="no-burden"),
        pytest.param(["gke-pool-1-1a2b-abcd", "gke-pool-1-1a2b-efgh"], "", id="beginnings-alike"),
    ],
)
def test_the_shared_end(names: list[str], end: str) -> None:
    report = explain(Case(cluster([node(name) for name in names]), (PodToPlace(pod("web", cpu="9")),)))
    assert with_short_names(report, View())[2].text == end


def test_values_of_labels_keep_whole_names() -> None:
    names = [f"ip-1{AWS}", f"ip-2{AWS}"]
    nodes = [node(name, labels={"kubernetes.io/hostname": name}) for name in names]
    asking = pod("web", node_selector={"kubernetes.io/hostname": f"ip-3{AWS}"})
    shorter, _, _ = with_short_names(explain(Case(cluster(nodes), (PodToPlace(asking),))), View())
    assert f"kubernetes.io/hostname=ip-3{AWS}" in shorter.pods[0].causes[0].text
    assert shorter.pods[0].causes[0].nodes == ("ip-1", "ip-2")


def test_a_footnote_stands_below_names_that_are_short() -> None:
    ending = Ending(AWS, {"ip-1"})
    for shown, lines in (("on ip-1.", 3), ("on every node", 1)):
        assert len(list(WithFootnote(Text(shown), ending).lines(80))) == lines


def test_commands_keep_whole_names() -> None:
    names = [f"ip-1{AWS}", f"ip-2{AWS}"]
    found = explain(Case(cluster([node(name, cordoned=True) for name in names]), (PodToPlace(pod("web")),)))
    shorter, view, _ = with_short_names(found, View(node=names[0]))
    assert view.node == "ip-1"
    assert [each.node for each in shorter.pods[0].node_verdicts] == ["ip-1", "ip-2"]
    assert [each.commands for each in shorter.pods[0].remedies] == [each.commands for each in found.pods[0].remedies]
    assert any(AWS in command for each in shorter.pods[0].remedies for command in each.commands)


def test_commands_keep_whole_names_behind_what_they_quote() -> None:
    names = [f"ip-1{AWS}", f"ip-2{AWS}"]
    found = explain(Case(cluster([node(name) for name in names]), (PodToPlace(pod("web", cpu="9")),)))
    patch = (
        f"""kubectl patch pod web -p '[{{"value": "a;b"}}, {{"value": "{names[0]}"}}]' && kubectl uncordon {names[1]}"""
    )
    remedy = Remedy(action="combine", text=f"uncordon {names[1]}; {patch}", commands=(patch,))
    found = replace(found, pods=(replace(found.pods[0], remedies=(remedy,)),))
    (shown,) = with_short_names(found, View())[0].pods[0].remedies
    assert shown.commands == (patch,)
    assert shown.text == f"uncordon ip-2; {patch}"
