"""Label and field selectors as kubectl takes them."""

from __future__ import annotations

import pytest

from kexplain.objects.core import Pod, PodMeta, PodSpec, PodStatus
from kexplain.objects.meta import Labels
from kexplain.objects.pod_selection import PodSelection, parse_field_selector, parse_label_selector
from kexplain.objects.selectors import SelectorError


def _pod(labels: Labels | None = None, *, node: str = "", phase: str | None = None) -> Pod:
    return Pod(
        metadata=PodMeta(name="web", namespace="shop", labels=labels),
        spec=PodSpec(node_name=node or None),
        status=PodStatus(phase=phase),
    )


@pytest.mark.parametrize(
    ("text", "matching", "other"),
    [
        pytest.param("", {}, None, id="everything"),
        pytest.param("app=web", {"app": "web"}, {"app": "api"}, id="equal"),
        pytest.param("app == web", {"app": "web"}, {}, id="equal-twice"),
        pytest.param("app!=web", {}, {"app": "web"}, id="unequal-takes-what-lacks-the-label"),
        pytest.param("app=", {"app": ""}, {}, id="empty-value"),
        pytest.param("app", {"app": "x"}, {}, id="exists"),
        pytest.param("!app", {}, {"app": "x"}, id="does-not-exist"),
        pytest.param("app in (web, api)", {"app": "api"}, {"app": "db"}, id="in"),
        pytest.param("app in (web,)", {"app": ""}, {"app": "db"}, id="in-with-an-empty-value"),
        pytest.param("app notin (web,api)", {"app": "db"}, {"app": "web"}, id="not-in"),
        pytest.param("in in (in)", {"in": "in"}, {"in": "x"}, id="words-that-are-operators-elsewhere"),
        pytest.param("size>2", {"size": "3"}, {"size": "2"}, id="greater"),
        pytest.param("size<2", {"size": "1"}, {}, id="less"),
        pytest.param("a=b, !c ,d", {"a": "b", "d": ""}, {"a": "b", "c": "", "d": ""}, id="several"),
    ],
)
def test_label_selectors(text: str, matching: Labels, other: Labels | None) -> None:
    selector = parse_label_selector(text)
    assert selector.matches(matching)
    assert other is None or not selector.matches(other)


@pytest.mark.parametrize(
    "text",
    ["=web", "app=web,", ",app", "app in web", "app in (web", "app web", "app=we b", "!", "size>x", "-a=b", "a=b c=d"],
)
def test_what_is_no_label_selector(text: str) -> None:
    with pytest.raises(SelectorError):
        parse_label_selector(text)


@pytest.mark.parametrize(
    ("text", "pod", "matches"),
    [
        pytest.param("metadata.name=web", _pod(), True, id="name"),
        pytest.param("metadata.namespace!=shop", _pod(), False, id="namespace"),
        pytest.param("status.phase=Pending", _pod(), True, id="no-phase-is-pending"),
        pytest.param("status.phase==Running,spec.nodeName=a", _pod(node="a", phase="Running"), True, id="two"),
        pytest.param("spec.nodeName=", _pod(node="a"), False, id="no-node"),
        pytest.param("spec.schedulerName=default-scheduler", _pod(), True, id="default-scheduler"),
        pytest.param(r"metadata.name=a\,b", _pod(), False, id="escaped-comma"),
        pytest.param("", _pod(), True, id="everything"),
    ],
)
def test_field_selectors(text: str, pod: Pod, matches: bool) -> None:
    assert PodSelection(fields=parse_field_selector(text)).matches(pod) is matches


@pytest.mark.parametrize("text", ["spec.containers=x", "metadata.name", "=x", "metadata.name=a=b", "status.phase>x"])
def test_what_is_no_field_selector(text: str) -> None:
    with pytest.raises(SelectorError):
        parse_field_selector(text)


@pytest.mark.parametrize(
    ("text", "means_placed"),
    [
        ("status.phase=Running", True),
        ("status.phase!=Pending", True),
        ("status.phase=Pending", False),
        ("status.phase!=Running", False),
        ("spec.nodeName=a", True),
        ("spec.nodeName!=", True),
        ("spec.nodeName=", False),
        ("metadata.name=web", False),
    ],
)
def test_whether_pods_on_nodes_are_meant(text: str, means_placed: bool) -> None:
    assert PodSelection(fields=parse_field_selector(text)).means_placed is means_placed
