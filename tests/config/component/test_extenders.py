from __future__ import annotations

import pytest

from kexplain.config.component.default_profile import default_profile
from kexplain.config.component.extenders import with_extenders
from kexplain.errors import UsageError
from kexplain.framework.extender import ExtenderConfig, ExtenderTls, ManagedResource
from kexplain.framework.features import Features
from kexplain.plugins.node_resources_fit import NodeResourcesFit
from kexplain.scheduler.cycle import Scheduler
from tests.extenders.extender_server import serving
from tests.factories import cluster, node, pod

GPU = "example.com/gpu"
IGNORED = ExtenderConfig(
    url_prefix="http://gpu", managed_resources=(ManagedResource(name=GPU, ignored_by_scheduler=True),)
)
WANTS_GPU = pod("p", further={GPU: 1})
NONE_THERE = cluster([node("n1"), node("n2")])


def scheduler(*extenders: ExtenderConfig, calls: bool = False) -> Scheduler:
    return with_extenders(Scheduler({"default-scheduler": default_profile()}, extenders=extenders), calls=calls)


def test_ignorable_extenders_come_last() -> None:
    configs = [ExtenderConfig(url_prefix=f"http://{name}", ignorable=name in "ac") for name in "abcd"]
    made = scheduler(*configs, calls=True)
    assert [config.url_prefix[-1] for config in made.extenders] == ["b", "d", "a", "c"]
    assert [extender.config for extender in made.connected_extenders] == list(made.extenders)


def test_extenders_are_not_connected_unasked() -> None:
    assert scheduler(IGNORED).connected_extenders == ()


@pytest.mark.parametrize(
    ("extenders", "message"),
    [
        pytest.param([], "0/2 nodes are available: 2 Insufficient example.com/gpu.", id="none"),
        pytest.param([ExtenderConfig(url_prefix="http://gpu", managed_resources=(ManagedResource(name=GPU),))],
                     "0/2 nodes are available: 2 Insufficient example.com/gpu.", id="managed"),
        pytest.param([IGNORED], "", id="ignored-by-the-scheduler"),
    ],
)  # fmt: skip
def test_resources_that_only_an_extender_looks_after(extenders: list[ExtenderConfig], message: str) -> None:
    told = scheduler(*extenders).schedule(WANTS_GPU, NONE_THERE).message
    assert told.partition(" no new claims")[0] == message


def test_ignored_resources_of_extenders_replace_those_of_the_plugin() -> None:
    made = scheduler(IGNORED).profiles["default-scheduler"]
    plugins = {plugin for plugin in (*made.pre_filter, *made.filter, *made.score) if plugin.name == "NodeResourcesFit"}
    assert [p.ignored_resources for p in plugins if isinstance(p, NodeResourcesFit)] == [frozenset({GPU})]


def test_certificates_that_cannot_be_read_are_told_at_once() -> None:
    unreadable = ExtenderConfig(url_prefix="https://h", tls_config=ExtenderTls(ca_file="/gone"))
    with pytest.raises(UsageError, match="extender https://h: its TLS configuration cannot be used"):
        scheduler(unreadable, calls=True)
    # It is of no account where it is not called.
    assert scheduler(unreadable).extenders == (unreadable,)


@pytest.mark.parametrize(
    ("features", "best"),
    [
        # Both are empty to it: kube-scheduler has scored what came back since plugins are handed nodes, not names.
        pytest.param(Features(), ("n1", "n2"), id="since-1.33"),
        pytest.param(Features(returned_nodes_are_scored_bare=False), ("n2",), id="before"),
    ],
)
def test_whole_nodes_that_come_back_are_scored_as_they_come(features: Features, best: tuple[str, ...]) -> None:
    standing = cluster([node("n1"), node("n2")], [pod("runs", node="n1", cpu="2", memory="4Gi")])
    with serving(filter=lambda asked: {"Nodes": asked["Nodes"]}) as server:
        echo = ExtenderConfig(url_prefix=server.url, filter_verb="filter")
        made = Scheduler({"default-scheduler": default_profile(features)}, extenders=(echo,), features=features)
        decision = with_extenders(made, calls=True).schedule(pod("p", cpu="1", memory="1Gi"), standing)
    assert decision.best == best
