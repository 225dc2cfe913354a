"""What `kubectl kexplain` completes to, for kubectl's own completion: `kubectl_complete-kexplain WORD...`.

A key press waits for it, so that nothing is imported before it is wanted, and what is in the cluster is asked of
kubectl, as plugins do. Source: kubectl `plugin_completion.go`, and the directives of cobra's `__complete`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kexplain.patterns import regex
from kexplain.shell import program

if TYPE_CHECKING:
    from kexplain.cli.tree import CommandInfo, ParameterInfo

#: Cobra's directives, which add up: no blank behind the word, and no names of files where nothing else is offered.
_NO_SPACE, _NO_FILES = 2, 4
_KUBECTL_SECONDS = 5
#: Kinds of what has pods, as people write them before a name.
KINDS = ("pod", "deploy", "rs", "sts", "ds", "rc", "job", "cj")
_KIND = regex(r"[A-Za-z]+(?:\.[a-z0-9.]+)?")
#: What kubectl lists the values of an option with.
_LISTED_BY = {
    "--namespace": ("get", "namespaces", "-o", "name"),
    "-n": ("get", "namespaces", "-o", "name"),
    "--node": ("get", "nodes", "-o", "name"),
    "--context": ("config", "get-contexts", "-o", "name"),
    "--cluster-name": ("config", "get-clusters"),
    "--user": ("config", "get-users"),
}
_HEAD = "NAME"
_EVERYWHERE = "-A"
#: Options that kubectl needs, too, with how it calls them.
_HANDED_ON = {
    **{
        f"--{name}": f"--{name}"
        for name in (
            "namespace", "kubeconfig", "context", "user", "server", "token", "username", "password", "as", "as-uid",
            "as-group", "as-user-extra", "certificate-authority", "client-certificate", "client-key", "tls-server-name",
        )
    },
    "-n": "--namespace",
    "-s": "--server",
    "--cluster-name": "--cluster",
}  # fmt: skip
_HANDED_ON_FLAGS = ("--insecure-skip-tls-verify", _EVERYWHERE)
#: With these it is files that describe the cluster.
_OFFLINE = ("--cluster", "--nodes", "--pods")


class Offer(NamedTuple):
    """What a word may become, and how the shell goes on from there."""

    words: Sequence[str]
    directive: int = _NO_FILES


def main() -> None:
    """Print what the last word may become, and the directive, as cobra does."""
    offered = complete(sys.argv[1:] or [""])
    sys.stdout.write("".join(f"{word}\n" for word in offered.words) + f":{offered.directive}\n")
    sys.stdout.flush()
    os._exit(0)


def complete(words: Sequence[str]) -> Offer:
    """What the last of the words may become; it is empty where a new one begins."""
    *before, current = words
    option, equals, typed = current.partition("=")
    if equals and option.startswith("--"):
        offered = _values(option, typed, before)
        return offered._replace(words=[f"{option}={word}" for word in offered.words])
    if current.startswith("-") and current != "-":
        return Offer(list(_options(current, before)))
    if before and before[-1].startswith("-") and (before[-1] in _LISTED_BY or _takes_value(before[-1], before)):
        return _values(before[-1], current, before)
    return _arguments(current, before)


def _arguments(current: str, before: Sequence[str]) -> Offer:
    """The pods that are there, or kinds of what has pods; before them, the commands."""
    command = _command(before)
    if command and command != "explain":
        arguments = [parameter for parameter in _info(command).parameters if parameter.is_argument]
        if not any(parameter.metavar == "POD" for parameter in arguments):
            choices = [choice for parameter in arguments for choice in parameter.choices]
            files = any(parameter.is_file for parameter in arguments)
            return Offer(_beginning(current, choices), 0 if files else _NO_FILES)
    if any(word.partition("=")[0] in _OFFLINE for word in before):
        return Offer([], 0)
    return _named(current, before)


def _named(current: str, before: Sequence[str]) -> Offer:
    """Names of the kind that stands before them, as `deploy/` or as a word of its own; otherwise pods, and kinds."""
    kind, slash, name = current.partition("/")
    if slash:
        listed = _names("get", kind, "-o", "name", words=before) if _KIND.fullmatch(kind) else ()
        return Offer([f"{kind}/{each}" for each in _beginning(name, listed)], 0)
    if kind := _kind_word(before):
        return Offer(_beginning(current, _names("get", kind, "-o", "name", words=before)))
    pods = _beginning(current, _names("get", "pods", "-o", "name", words=before))
    kinds = _beginning(current, [f"{kind}/" for kind in KINDS])
    commands = _beginning(current, [] if before else _commands())
    only_kinds = bool(kinds) and not pods and not commands
    return Offer([*pods, *kinds, *commands], _NO_SPACE if only_kinds else 0)


def _kind_word(before: Sequence[str]) -> str:
    """The first word that is neither an option nor the value of one nor a command, if it is a kind of what has pods."""
    from kexplain.objects.workload_kinds import kind_of_word  # noqa: PLC0415 (see above)

    for previous, word in pairwise(["", *before]):
        is_value = previous.startswith("-") and (previous in _LISTED_BY or _takes_value(previous, before))
        if not word.startswith("-") and not is_value and word != _command(before):
            return word if kind_of_word(word) else ""
    return ""


def _values(option: str, typed: str, before: Sequence[str]) -> Offer:
    if option in _LISTED_BY:
        return Offer(_beginning(typed, _names(*_LISTED_BY[option], words=before)))
    found = _option(option, before)
    if found is None:
        return Offer([])
    return Offer(_beginning(typed, found.choices), 0 if found.is_file else _NO_FILES)


def _takes_value(word: str, before: Sequence[str]) -> bool:
    found = _option(word, before)
    return found is not None and bool(found.metavar)


def _option(name: str, before: Sequence[str]) -> ParameterInfo | None:
    return next((each for each in _info(_command(before)).options if name in each.names), None)


def _options(typed: str, before: Sequence[str]) -> Iterator[str]:
    """The options of the command, each with what it is for."""
    for option in _info(_command(before)).options:
        for name in option.names:
            if name.startswith(typed):
                yield f"{name}\t{option.help}"


def _command(before: Sequence[str]) -> str:
    """The command that the first word is, or would be; the default one is empty."""
    first = before[0] if before else ""
    return first if first.isalpha() and first in _commands() else ""


def _commands() -> Sequence[str]:
    from kexplain.cli.app import COMMANDS  # noqa: PLC0415 (see above)

    return COMMANDS


def _info(command: str) -> CommandInfo:
    from kexplain.cli.tree import described  # noqa: PLC0415 (see above)

    return described(command or _commands()[0])


def _beginning(typed: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(typed)]


def _names(*command: str, words: Sequence[str]) -> list[str]:
    """The names that kubectl lists, for the cluster that the words lead to; none if it cannot."""
    handed_on = [word for word in _handed_on(words) if command[0] == "get" or word != _EVERYWHERE]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(  # noqa: S603 (words stand behind their options, and a kind is letters only)
            [program("kubectl") or "", *command, "--request-timeout=2s", *handed_on],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=_KUBECTL_SECONDS,
            check=True,
        )
        names = [line.rpartition("/")[2] if command[0] == "get" else line for line in done.stdout.split()]
        return [name for name in names if name != _HEAD]
    return []


def _handed_on(words: Sequence[str]) -> Iterator[str]:
    for word, following in pairwise([*words, ""]):
        option, equals, value = word.partition("=")
        if word in _HANDED_ON_FLAGS:
            yield word
        elif option in _HANDED_ON and (equals or following):
            yield f"{_HANDED_ON[option]}={value if equals else following}"


if __name__ == "__main__":
    main()
