"""Pods changed at paths of their fields."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kexplain.objects.core import Affinity, NodeAffinity, PodSpec
from kexplain.remedies.pod_edits import as_written, at, attracted_in, preferring_apart, preferring_near
from tests.factories import affinity, pod, selector, term

BARE = pod().spec
WEB, DB = term({"app": "web"}), term({"app": "db"})


def test_only_the_term_in_the_way_becomes_preferred() -> None:
    for near, edit in ((False, preferring_apart), (True, preferring_near)):
        asking = pod(affinity=affinity(near=[WEB, DB] if near else (), far=() if near else [WEB, DB]))
        made = edit(WEB.topology_key, "app=web")(asking).spec.affinity or Affinity()
        softened = made.pod_affinity if near else made.pod_anti_affinity
        assert softened is not None
        assert softened.required == (DB,)
        ((weight, preferred),) = [(each.weight, each.pod_affinity_term) for each in softened.preferred or ()]
        assert (weight, preferred) == (100, WEB)


def test_a_pod_without_affinity_stays_as_it_is() -> None:
    asking = pod()
    assert preferring_near("zone", "app=web")(asking) is preferring_apart("zone", "app=web")(asking) is asking
    assert as_written(asking) is asking


def test_a_term_that_looks_elsewhere_keeps_its_own_namespace() -> None:
    asking = pod(affinity=affinity(near=[WEB]))
    made = attracted_in(WEB.topology_key, ["b"])(asking).spec.affinity or Affinity()
    (widened,) = (made.pod_affinity and made.pod_affinity.required) or ()
    assert widened.namespaces == ("default", "b")


def test_keys_that_an_api_server_has_put_into_a_selector_are_not_asked_for_again() -> None:
    merged = replace(WEB, label_selector=selector(None, ("hash", "In", ["1"])), match_label_keys=("hash",))
    fresh = replace(DB, match_label_keys=("hash",))
    made = (
        as_written(pod(affinity=affinity(far=[merged, fresh], prefers_far=[(1, merged)]))).spec.affinity or Affinity()
    )
    assert made.pod_anti_affinity is not None
    required = made.pod_anti_affinity.required or ()
    preferred = made.pod_anti_affinity.preferred or ()
    assert [each.match_label_keys for each in required] == [None, ("hash",)]
    assert [each.pod_affinity_term.match_label_keys for each in preferred] == [None]


@pytest.mark.parametrize(
    ("path", "made", "expected"),
    [
        pytest.param("spec.node_name", "n1", replace(BARE, node_name="n1"), id="a-field"),
        pytest.param("spec.affinity.node_affinity", NodeAffinity(), BARE, id="below-what-is-not-there"),
        pytest.param("spec.volumes[].name", "v", BARE, id="no-elements"),
        pytest.param("spec.tolerations", (), BARE, id="nothing-is-left-out"),
        pytest.param("spec.containers[]", None, replace(BARE, containers=None), id="elements"),
    ],
)
def test_what_stands_at_a_path_is_changed(path: str, made: object, expected: PodSpec) -> None:
    assert at(path, lambda _: made)(pod()).spec == expected
