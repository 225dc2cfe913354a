from __future__ import annotations

from pathlib import Path

import pytest

from tests.extenders.extender_server import serving

from .command import ROOT, kexplain

CASE = ROOT / "fixtures" / "extender-not-asked"
CONFIG = """
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders:
- {{urlPrefix: "{url}", filterVerb: filter, nodeCacheCapable: true, ignorable: {ignorable}}}
"""


@pytest.fixture(name="pod")
def _pod(tmp_path: Path) -> Path:
    pod = tmp_path / "pod.yaml"
    pod.write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: c, image: i}]}\n")
    return pod


def explained(pod: Path, url: str, *words: str, ignorable: bool = False) -> tuple[int, str]:
    config = pod.with_name("config.yaml")
    config.write_text(CONFIG.format(url=url, ignorable=str(ignorable).lower()))
    done = kexplain(pod, "--nodes", CASE / "nodes.yaml", "--config", config, *words)
    return done.returncode, done.stdout.decode()


def test_an_extender_has_its_say(pod: Path) -> None:
    with serving(filter=lambda asked: {"NodeNames": ["gpu-2"], "FailedNodes": {"gpu-1": "no licence"}}) as server:
        code, text = explained(pod, server.url, "--call-extenders", "--all-failures")
    assert code == 0
    assert "default/web fits and lands on gpu-2" in text
    assert "no licence" in text
    assert server.verbs == ["filter"]


def test_nobody_is_called_unasked(pod: Path) -> None:
    with serving(filter=lambda asked: {"NodeNames": []}) as server:
        code, text = explained(pod, server.url)
    assert (code, server.verbs) == (0, [])
    assert "--call-extenders asks it" in " ".join(text.split())


@pytest.mark.parametrize(("ignorable", "code"), [(False, 1), (True, 0)])
def test_an_extender_that_is_not_there(pod: Path, ignorable: bool, code: int) -> None:
    with serving() as server:
        url = server.url
    assert explained(pod, url, "--call-extenders", ignorable=ignorable)[0] == code
