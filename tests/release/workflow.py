"""Reads a workflow of GitHub and runs the steps of its jobs on this machine, each in bash as a runner runs it.

What an action does is a function of ours, as actions cannot be had here. An expression that is not known is an error,
and so is an action: nothing is left out silently.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

#: What an action does in a job's workspace, by what it is given.
Action = Callable[[Path, Mapping[str, str]], None]
_EXPRESSION = re.compile(r"\${{ (?P<name>[\w.]+) }}")


@dataclass
class Runner:
    """Runs jobs: `contexts` answers expressions such as `github.ref_name`, `environment` is that of each step."""

    contexts: Mapping[str, str]
    actions: Mapping[str, Action]
    environment: Mapping[str, str]
    #: Names of steps that are not run here.
    left_out: frozenset[str] = frozenset()
    ran: list[str] = field(default_factory=list)

    def run(self, path: Path, workspaces: Path) -> None:
        """Run every job whose condition holds, after those that it needs, once for each row of its matrix."""
        jobs: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
        for name in _in_order(jobs):
            job = jobs[name]
            if not self._holds(job.get("if", "")):
                continue
            for number, row in enumerate(job.get("strategy", {}).get("matrix", {}).get("include", [{}])):
                workspace = workspaces / f"{name}-{number}"
                workspace.mkdir(parents=True)
                for step in job["steps"]:
                    self._step(name, step, workspace, {f"matrix.{key}": value for key, value in row.items()})

    def _step(self, job: str, step: Mapping[str, Any], workspace: Path, row: Mapping[str, str]) -> None:
        title = str(step.get("name") or step.get("uses") or step["run"])
        if title in self.left_out:
            return
        contexts = {**self.contexts, **row}
        if "uses" in step:
            given = {key: _filled(str(value), contexts) for key, value in step.get("with", {}).items()}
            self.actions[step["uses"].partition("@")[0]](workspace, given)
        else:
            extra = {key: _filled(value, contexts) for key, value in step.get("env", {}).items()}
            words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", _filled(step["run"], contexts)]
            subprocess.run(words, cwd=workspace, env={**self.environment, **extra}, check=True)
        self.ran.append(f"{job}: {title}")

    def _holds(self, condition: str) -> bool:
        """Whether a condition of the one form that is in use holds: that a variable of the repository is set."""
        if not condition:
            return True
        found = re.fullmatch(r"(?P<name>vars\.\w+) != ''", condition)
        if found is None:
            raise ValueError(f"no condition of the form that is known: {condition}")
        return bool(self.contexts.get(found["name"]))


def _in_order(jobs: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Each job after those that it needs."""
    done: set[str] = set()
    while left := [name for name in jobs if name not in done]:
        ready = [name for name in left if {*_needed(jobs[name])} <= done]
        if not ready:
            raise ValueError(f"jobs that wait for each other: {left}")
        yield from ready
        done.update(ready)


def _needed(job: Mapping[str, Any]) -> list[str]:
    needs = job.get("needs", [])
    return [needs] if isinstance(needs, str) else needs


def _filled(text: str, contexts: Mapping[str, str]) -> str:
    filled = _EXPRESSION.sub(lambda found: contexts[found["name"]], text)
    if "${{" in filled:
        raise ValueError(f"an expression that is not known: {text}")
    return filled


def clean_environment(folder: Path, pythons: list[Path]) -> dict[str, str]:
    """An environment with a home of its own, these Pythons and the programs of the system, and little else."""
    home = folder / "home"
    home.mkdir()
    kept = {name: os.environ[name] for name in os.environ if name.lower().startswith("pip_") or name == "LANG"}
    path = os.pathsep.join(
        [str(folder / "bin"), *(str(each) for each in pythons), "/usr/local/bin", "/usr/bin", "/bin"]
    )
    return {**kept, "HOME": str(home), "PATH": path}
