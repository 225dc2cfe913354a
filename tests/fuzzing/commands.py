"""The command lines that are run on a scenario: every command, with options that it has and objects that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from kexplain.cli.app import COMMANDS
from kexplain.objects.workload_kinds import WORKLOAD_KINDS
from kexplain.render import FORMATS, Kind, formats
from tests.fuzzing.scenarios import File, flat

Words = list[str]

_RELEASES = ("1.22", "1.28", "1.31", "1.33", "1.34", "1.35", "1.36", "1.37", "1.38")
_CLUSTER = ["--cluster", "."]
_WORKLOADS = ("Pod", *(kind.kind for kind in WORKLOAD_KINDS))
_PAGES = 0.15
_ODD_NAMES = ("x", "", "-", "a/b", "[b]", "../x", "0")


class Input:
    """The files of a scenario, and chance; reports are in this `only` format where they have it."""

    def __init__(self, files: Mapping[str, File], chance: Random, only: str = "") -> None:
        self.chance = chance
        self._only = only
        self.files = sorted(files)
        self.texts = [file.text for file in files.values()]
        self._objects = {name: [*flat(file.objects or ())] for name, file in files.items()}

    def one_of(self, *options: Sequence[str]) -> Words:
        """One of these options, as a list of its own."""
        return [*self.chance.choice(options)]

    def file(self, *kinds: str) -> str:
        """A file that holds an object of these kinds, if there is one."""
        holding = [name for name in self.files if any(each.get("kind") in kinds for each in self._objects[name])]
        return self.chance.choice(holding or self.files)

    def name(self, kind: str) -> str:
        """The name of an object of that kind, if there is one."""
        return self._named(each for each in self._all() if each.get("kind") == kind)[0]

    def reference(self) -> Words:
        """A pod or workload as kubectl spells it, with its namespace."""
        kinds = [each["kind"] for each in self._all() if each.get("kind") in _WORKLOADS]
        kind = self.chance.choice(kinds or _WORKLOADS)
        name, namespace = self._named(each for each in self._all() if each.get("kind") == kind)
        return [f"{kind.lower()}/{name}", "-n", namespace]

    def printed(self, kind: Kind) -> Words:
        """Half the time a format that there is; seldom pages, which take twenty times as long."""
        names = [each.name for each in formats(kind)]
        if self._only:
            return ["-o", self._only] if self._only in names else []
        chosen = self.chance.choices(names, [_PAGES if name == "html" else 1 for name in names])
        return self.one_of([], ["-o", *chosen])

    def release(self) -> str:
        """One of those that are followed."""
        return self.chance.choice(_RELEASES)

    def _all(self) -> list[dict[str, Any]]:
        return [each for objects in self._objects.values() for each in objects]

    def _named(self, objects: Iterable[Mapping[str, Any]]) -> tuple[str, str]:
        found = [each["metadata"] for each in objects if isinstance(each.get("metadata"), dict)]
        metadata = self.chance.choice(found) if found else {"name": self.chance.choice(_ODD_NAMES)}
        return _argument(metadata.get("name")), _argument(metadata.get("namespace", "default"))


def _argument(value: object) -> str:
    # What no shell can hand over.
    return str(value).replace("\x00", "").encode("utf-8", "replace").decode()


def _explain(given: Input) -> list[Words]:
    pod = given.one_of([given.file(*_WORKLOADS)], given.reference(), [], ["-A"])
    more = given.one_of(
        *([], ["-v"], ["--all-failures"], ["--replicas", given.chance.choice(("0", "3", "40"))], ["--all-remedies"]),
        *(["--kubernetes-version", given.release()], ["--validate", "ignore"], ["--validate", "strict"]),
        *(["--no-preemption"], ["--until-settled"], ["--node", given.name("Node")], ["--top", "0"], ["--width", "20"]),
        *(["--percentage-of-nodes-to-score", "1"], ["-l", "app"], ["--plugin", "NodeAffinity"], ["--start-index", "9"]),
        *(["-vv"], ["--group-nodes"], ["--replicas", "2", "-v"], ["--all-failures", "-v"]),
    )
    last = ["--fix", "1"] if given.chance.random() < 0.1 else given.printed(Kind.EXPLANATION)
    return [[*pod, *_CLUSTER, *more, *last]]


def _trace(given: Input) -> list[Words]:
    pod = given.one_of([given.file(*_WORKLOADS)], given.reference(), [])
    more = given.one_of([], ["--top", "0"], ["-v"], ["--start-index", "3"], ["--kubernetes-version", given.release()])
    return [["trace", *pod, *_CLUSTER, *more, *given.printed(Kind.TRACE)]]


def _configured(given: Input) -> list[Words]:
    """With files that are no configurations, too."""
    configuration = ["--config", given.file("KubeSchedulerConfiguration", "ConfigMap")]
    pod = [given.file(*_WORKLOADS), *_CLUSTER]
    return [
        given.one_of(
            [*pod, *configuration],
            [*pod, "--policy", given.file("Policy")],
            ["plugins", *configuration, *given.printed(Kind.PLUGINS)],
            ["diff", *pod, "--to-config", configuration[1], *given.printed(Kind.DIFFERENCE)],
        )
    ]


def _diff(given: Input) -> list[Words]:
    which = given.one_of(["--all-running"], [given.file(*_WORKLOADS)], [])
    to = given.one_of(["--to-kubernetes-version", given.release()], ["--to-cluster", given.chance.choice(given.files)])
    return [["diff", *_CLUSTER, *which, *to, *given.printed(Kind.DIFFERENCE), "--workers", "1"]]


def _lint(given: Input) -> list[Words]:
    around = given.one_of([], _CLUSTER, ["--kubernetes-version", f"{given.release()},1.36"])
    shown = given.one_of(["--fix"], ["-v"], given.printed(Kind.FINDINGS), given.printed(Kind.FINDINGS))
    return [["lint", *given.one_of(["-R", "."], [given.chance.choice(given.files)]), *around, *shown]]


def _capacity(given: Input) -> list[Words]:
    pods = given.one_of([], [given.file(*_WORKLOADS)], given.reference(), [given.file(*_WORKLOADS), "--until-pending"])
    more = given.one_of([], ["-v"], given.printed(Kind.CAPACITY))
    return [["capacity", *pods, *_CLUSTER, "--limit", given.chance.choice(("1", "20", "300")), *more]]


def _drain(given: Input) -> list[Words]:
    more = given.one_of([], ["--one-by-one"], ["--surge", "1"], ["--delete-emptydir-data"], given.printed(Kind.DRAIN))
    nodes = {given.name("Node") for _ in range(given.chance.choice((1, 1, 2)))}
    return [["drain", *nodes, *_CLUSTER, *given.one_of(["--force"], ["--force"], []), *more]]


def _what_if(given: Input) -> list[Words]:
    node, (workload, *_) = given.name("Node"), given.reference()
    value = given.chance.choice(("1", "x", "[]", "{a: b}", "null"))
    changes = given.chance.choices(
        (
            *(["--remove-node", node], ["--add-node", f"2=like:{node}"], ["--cordon", node], ["--label", node, "a=b"]),
            *(["--taint", node, "a=b:NoExecute"], ["--delete-pods", "app"]),
            *(["--apply", given.file(*_WORKLOADS)], ["--apply", "."]),
            ["--scale", f"{workload}={given.chance.choice((0, 3, 200))}"],
            ["--set", f"pod/{given.name('Pod')} spec.priority={value}"],
            ["--set", f"node/{node} status.allocatable.cpu={value}"],
        ),
        k=given.chance.choice((1, 1, 2)),
    )
    return [["what-if", *_CLUSTER, *(word for change in changes for word in change), *given.printed(Kind.WHAT_IF)]]


def _event(given: Input) -> list[Words]:
    shown = given.one_of([], given.printed(Kind.EVENT), _CLUSTER)
    return [["event", given.one_of([given.file("Event", "Pod")], [_message(given)])[0], *shown]]


def _message(given: Input) -> str:
    words = given.chance.choice(given.texts).decode(errors="replace").replace("\x00", " ").split(" ")
    start = given.chance.randrange(len(words))
    begin = given.chance.choice(
        ("0/5 nodes are available: ", "", "Failed to schedule pod, ", "running PreBind plugin ")
    )
    return (begin + " ".join(words[start : start + 30])).replace("--", "-").lstrip("-")


def _snapshot(given: Input) -> list[Words]:
    """Taken, and read again."""
    redacted = given.one_of([], ["--redact"])
    again = given.one_of(["--cluster", "out.snapshot"], ["capacity", "--cluster", "out.snapshot", "--limit", "5"])
    return [["snapshot", *_CLUSTER, "-o", "out.snapshot", *redacted], again]


def _words(given: Input) -> list[Words]:
    """Commands that read no files."""
    word = given.chance.choice((given.name("Pod"), given.name("Node"), "pod", *COMMANDS))
    return [[given.chance.choice(("rules", "plugins", "help", "schema", "completion", "version")), word]]


_COMMANDS: tuple[tuple[int, Callable[[Input], list[Words]]], ...] = (
    (30, _explain),
    (5, _trace),
    (14, _lint),
    (10, _what_if),
    (8, _capacity),
    (8, _drain),
    (7, _diff),
    (5, _event),
    (5, _configured),
    (5, _snapshot),
    (1, _words),
)


#: Each command with each format; those that a report does not have leave it as it is.
EVERY = [(command, each.name) for _, command in _COMMANDS for each in FORMATS]


def command_lines(files: Mapping[str, File], chance: Random) -> list[Words]:
    """A command on the files, in the directory that holds them; another behind it where that reads what it wrote."""
    (command,) = chance.choices([each for _, each in _COMMANDS], [weight for weight, _ in _COMMANDS])
    return _in_directory(command(Input(files, chance)), files)


def lines_in_format(files: Mapping[str, File], chance: Random, at: int) -> list[Words]:
    """The same of one of EVERY."""
    command, name = EVERY[at]
    return _in_directory(command(Input(files, chance, name)), files)


def _in_directory(lines: list[Words], files: Mapping[str, File]) -> list[Words]:
    deep = ["-R"] if all("/" in name for name in files) else []
    return [[*words, *deep] if "--cluster" in words and "-R" not in words else words for words in lines]
