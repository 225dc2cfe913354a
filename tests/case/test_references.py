from __future__ import annotations

import pytest

from kexplain.case.references import Reference, parted
from kexplain.errors import UsageError
from kexplain.objects.apps import Deployment
from kexplain.objects.meta import ObjectMeta
from tests.factories import pod

PODS = [pod("web"), pod("web", namespace="shop"), pod("db", namespace="shop"), pod("cache")]


def deployment(name: str) -> Deployment:
    return Deployment(metadata=ObjectMeta(name=name))


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        pytest.param("web", "Pod", "web", id="a bare name is a pod"),
        pytest.param("po/web", "Pod", "web", id="a pod by its short name"),
        pytest.param("Deploy/web", "Deployment", "web", id="a kind in any case"),
        pytest.param("statefulsets/web", "StatefulSet", "web", id="a plural"),
        pytest.param("cj/web", "CronJob", "web", id="a short name"),
    ],
)
def test_a_name_is_a_reference(text: str, kind: str, name: str) -> None:
    assert parted([text, text]) == ([], [Reference(kind, name)])


@pytest.mark.parametrize("text", ["-", "web.yaml", "dir/web.json", "./web", "Web", "tests"])
def test_what_looks_like_a_file_is_one(text: str) -> None:
    assert parted([text]) == ([text], [])


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        pytest.param("deploymnt/web", "did you mean deployment?", id="a slip"),
        pytest.param("cfg/x", "use pod, cronjob, daemonset, deployment", id="no such kind"),
    ],
)
def test_a_kind_without_pods_is_refused(text: str, hint: str) -> None:
    with pytest.raises(UsageError, match="is not a kind with pods") as error:
        parted([text])
    assert (error.value.hint or "").startswith(hint)


def test_a_name_is_looked_up_in_its_namespace() -> None:
    assert Reference("Pod", "web").find(PODS, "shop") is PODS[1]
    assert Reference("Pod", "web").find(PODS, "default") is PODS[0]


def test_an_object_without_a_namespace_is_in_the_one_that_is_meant() -> None:
    web = deployment("web")
    assert Reference("Deployment", "web").find([web], "shop") is web


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        pytest.param(Reference("Pod", "db"), "namespace shop has one of that name", id="elsewhere"),
        pytest.param(Reference("Pod", "cahce"), "did you mean cache?", id="a slip"),
        pytest.param(Reference("Pod", "dbs"), "did you mean db in namespace shop?", id="a slip, and elsewhere"),
        pytest.param(Reference("Pod", "xyz"), "there are 4 others", id="nothing near"),
        pytest.param(Reference("Job", "web"), "there is no Job at all in what was read", id="no such kind"),
        pytest.param(Reference("Deployment", "xyz"), "there is 1 other", id="one other"),
    ],
)
def test_a_name_that_does_not_exist_is_said_with_a_hint(reference: Reference, hint: str) -> None:
    with pytest.raises(UsageError, match="in namespace default") as error:
        reference.find([*PODS, deployment("web")], "default")
    assert error.value.hint == hint
