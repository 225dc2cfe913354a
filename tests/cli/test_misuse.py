from __future__ import annotations

from pathlib import Path

import pytest

from .command import kexplain


def complaint(*words: str) -> str:
    """What is said on stderr about words that cannot be used."""
    done = kexplain(*words)
    assert done.returncode in {2, 3}
    return done.stderr.decode()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("pod.yaml --top x", "--top: x is not a whole number of at least 0"),
        ("pod.yaml --replicas 0", "--replicas: 0 is not a whole number from 1 to 10000"),
        ("lint . --fail-on x", "--fail-on: 'x' is not one of 'error', 'warning', 'info'"),
        ("pod.yaml --top", "option '--top' requires an argument"),
    ],
)
def test_the_message_begins_with_the_option_and_says_what_it_takes(words: str, message: str) -> None:
    assert complaint(*words.split()).splitlines()[0] == f"kexplain: {message}"


@pytest.mark.parametrize(("word", "meant"), [("dif", "diff"), ("capcity", "capacity"), ("whatif", "what-if")])
def test_a_slip_for_a_command_is_not_only_taken_for_a_pod(word: str, meant: str, tmp_path: Path) -> None:
    assert f"did you mean the command {meant}?" in complaint(word, "--kubeconfig", str(tmp_path / "none"))


def test_a_pod_that_is_called_otherwise_is_no_slip(tmp_path: Path) -> None:
    assert "did you mean" not in complaint("web", "--kubeconfig", str(tmp_path / "none"))


def test_a_file_without_any_object_is_named(tmp_path: Path) -> None:
    empty, pod = tmp_path / "empty.yaml", tmp_path / "pod.yaml"
    empty.write_text("# nothing yet\n")
    pod.write_text("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web}]}\n")
    assert f"nothing to place: there is no object in {empty}" in complaint(str(empty))
    assert f"to place pods on: there is no object in {empty}" in complaint(str(pod), "--cluster", str(empty))
