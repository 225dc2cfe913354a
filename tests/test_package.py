"""What `import kexplain` offers."""

import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import kexplain
from kexplain import World, edit_of
from kexplain.errors import UsageError


def test_only_what_there_is_to_use_is_listed() -> None:
    assert dir(kexplain) == sorted(kexplain.__all__)
    assert all(getattr(kexplain, name) is not None for name in dir(kexplain))


def test_a_function_stays_one_once_its_room_is_imported() -> None:
    code = "import kexplain; kexplain.load_case; print(callable(kexplain.explain), callable(kexplain.explain))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_help_shows_the_functions() -> None:
    text = pydoc.plain(pydoc.render_doc(kexplain))
    assert "explain(case: 'Case'" in text
    assert "walk(decision: 'Decision'" in text
    assert "class World" in text
    assert "TYPE_CHECKING" not in text


def test_a_world_is_changed_and_followed(tmp_path: Path) -> None:
    amounts = "allocatable: {cpu: '1', memory: 1Gi, pods: '9'}"
    nodes = [f"{{kind: Node, apiVersion: v1, metadata: {{name: n{each}}}, status: {{{amounts}}}}}" for each in "01"]
    pod = "{kind: Pod, apiVersion: v1, metadata: {name: web}, spec: {containers: [{name: c, image: nginx}]}}"
    path = tmp_path / "cluster.yaml"
    path.write_text("\n---\n".join([*nodes, pod]))
    world = World.of([str(path)])
    assert list(world.settled().settled.placed) == ["default/web"]
    cordoned = world.after([edit_of("cordon", "n0"), edit_of("cordon", "n1")]).settled()
    assert [each.pod.key for each in cordoned.settled.waiting] == ["default/web"]


def test_a_change_that_there_is_not() -> None:
    with pytest.raises(UsageError, match="there is no change 'cordons'") as raised:
        edit_of("cordons", "n0")
    assert raised.value.hint == "did you mean cordon?"
