"""What a word becomes at the press of Tab: `kexplain __complete WORD...`, or `kubectl_complete-kexplain WORD...`.

A key press waits for it, so nothing is imported before it is wanted. kubectl lists what is in a live cluster, as it
does for all plugins; files that describe a cluster are read. Source: kubectl `plugin_completion.go`, and the directives
of cobra's `__complete`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kexplain.patterns import regex
from kexplain.shell import program
from kexplain.tables import table, text

if TYPE_CHECKING:
    from kexplain.cli.tree import CommandInfo, ParameterInfo

#: Cobra's directives, which add up: no blank behind the word, and no names of files where nothing else is offered.
_NO_SPACE, _NO_FILES = 2, 4
_KUBECTL_SECONDS = 5
#: Kinds of what has pods, as people write them before a name.
KINDS = ("pod", "deploy", "rs", "sts", "ds", "rc", "job", "cj")
_KIND = regex(r"[A-Za-z]+(?:\.[a-z0-9.]+)?")
_HEAD = "NAME"
_EVERYWHERE = "-A"
#: Options without a value that kubectl needs, too.
_HANDED_ON_FLAGS = ("--insecure-skip-tls-verify", _EVERYWHERE)
#: With these it is files that describe the cluster.
_OFFLINE = ("--cluster", "--nodes", "--pods")


class Offer(NamedTuple):
    """What a word may become, and how the shell goes on from there."""

    words: Sequence[str]
    directive: int = _NO_FILES


def main(words: Sequence[str] | None = None) -> None:
    """Print what the last word may become, and the directive, as cobra does."""
    offered = complete(list(sys.argv[1:] if words is None else words) or [""])
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
    if before and before[-1].startswith("-") and _takes_value(before[-1], before):
        return _values(before[-1], current, before)
    return _arguments(current, before)


def _arguments(current: str, before: Sequence[str]) -> Offer:
    """The pods that are there, or kinds of what has pods; before them, the commands."""
    command = _command(before)
    if command and command != "explain":
        arguments = [parameter for parameter in _info(command).parameters if parameter.is_argument]
        if not any(parameter.metavar == "POD" for parameter in arguments):
            words = [word for parameter in arguments for word in _words_for(parameter, before)]
            files = any(parameter.is_file for parameter in arguments)
            return Offer(_beginning(current, words), 0 if files else _NO_FILES)
    return _pods(current, before)


def _pods(current: str, before: Sequence[str]) -> Offer:
    """Names of the kind that stands before them, as `deploy/` or as a word of its own; otherwise pods, and kinds."""
    kind, slash, name = current.partition("/")
    if slash:
        listed = _names(kind, before) if _KIND.fullmatch(kind) else ()
        return Offer([f"{kind}/{each}" for each in _beginning(name, listed)], 0)
    if kind := _kind_word(before):
        return Offer(_beginning(current, _names(kind, before)))
    pods = _beginning(current, _names("pods", before))
    commands = _beginning(current, [] if before else _commands())
    # With nothing typed and nothing to name, a shell that is offered no word lists files: manifests.
    kinds = _beginning(current, [f"{kind}/" for kind in KINDS]) if current or pods or commands else []
    only_kinds = bool(kinds) and not pods and not commands
    return Offer([*pods, *kinds, *commands], _NO_SPACE if only_kinds else 0)


def _kind_word(before: Sequence[str]) -> str:
    """The first word that is neither an option nor the value of one nor a command, if it is a kind of what has pods."""
    from kexplain.objects.workload_kinds import kind_of_word  # noqa: PLC0415 (see above)

    for previous, word in pairwise(["", *before]):
        is_value = previous.startswith("-") and _takes_value(previous, before)
        if not word.startswith("-") and not is_value and word != _command(before):
            return word if kind_of_word(word) else ""
    return ""


def _values(option: str, typed: str, before: Sequence[str]) -> Offer:
    """What the value of an option may become."""
    if kind := _of_kubectl("kinds").get(option):
        return Offer(_beginning(typed, _names(kind, before)))
    if lists := _of_kubectl("listed by").get(option):
        return Offer(_beginning(typed, _listed(*lists.split(), words=before)))
    found = _option(option, before)
    if found is None:
        return Offer([])
    return Offer(_beginning(typed, _words_for(found, before)), 0 if found.is_file else _NO_FILES)


def _words_for(parameter: ParameterInfo, before: Sequence[str]) -> Sequence[str]:
    """The values that a parameter can have, as far as they can be listed."""
    match parameter.metavar.split()[:1]:
        case ["NODE"]:
            return _names("nodes", before)
        case ["TOPIC"]:
            from kexplain.cli.manual.topics import TOPICS  # noqa: PLC0415 (see above)

            return [*TOPICS, *_commands()]
        case ["ID"]:
            from kexplain.lint.registry import RULE_BY_ID  # noqa: PLC0415 (see above)

            return [*RULE_BY_ID]
        case ["VERSION"]:
            from kexplain.config.releases.release import RELEASES  # noqa: PLC0415 (see above)

            return RELEASES
        case ["DOCUMENT"]:
            return [*table("schema-records", dict[str, str]), "settings"]
        case _:
            return parameter.choices


def _takes_value(word: str, before: Sequence[str]) -> bool:
    if word in _of_kubectl("kinds") or word in _of_kubectl("listed by"):
        return True
    found = _option(word, before)
    return found is not None and bool(found.metavar)


def _option(name: str, before: Sequence[str]) -> ParameterInfo | None:
    return next((each for each in _info(_command(before)).options if name in each.names), None)


def _options(typed: str, before: Sequence[str]) -> Iterator[str]:
    """The options of the command, each with what it is for."""
    for option in _info(_command(before)).options:
        yield from (f"{name}\t{option.help}" for name in option.names if name.startswith(typed))


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


def _names(kind: str, words: Sequence[str]) -> Sequence[str]:
    """The names of all objects of a kind in the cluster that the words lead to; none if it cannot be read."""
    files = [*_files(words)]
    if not files:
        return _listed("get", kind, "-o", "name", words=words)
    from kexplain.cli.names_in_files import names_in_files  # noqa: PLC0415 (see above)

    namespace = "" if _EVERYWHERE in words else _given(words, ("-n", "--namespace")) or "default"
    return names_in_files(kind, files, namespace)


def _files(words: Sequence[str]) -> Iterator[str]:
    """The files that describe the cluster."""
    for word, following in pairwise([*words, ""]):
        option, equals, value = word.partition("=")
        if option in _OFFLINE and (path := value if equals else following):
            yield os.path.expanduser(path)  # noqa: PTH111 (as the loader takes it)


def _given(words: Sequence[str], names: Sequence[str]) -> str:
    """The value of an option that has one of these names; empty without it."""
    for word, following in pairwise([*words, ""]):
        option, equals, value = word.partition("=")
        if option in names:
            return value if equals else following
    return ""


def _listed(*command: str, words: Sequence[str]) -> list[str]:
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


@cache
def _of_kubectl(section: str) -> Mapping[str, str]:
    """By option, the kind of object that it names, what kubectl lists its values with, or how kubectl calls it."""
    found: Mapping[str, str] = json.loads(text("kubectl-completion.json"))[section]
    return found


def _handed_on(words: Sequence[str]) -> Iterator[str]:
    for word, following in pairwise([*words, ""]):
        option, equals, value = word.partition("=")
        if word in _HANDED_ON_FLAGS:
            yield word
        elif (name := _of_kubectl("handed on").get(option)) and (equals or following):
            yield f"{name}={value if equals else following}"


if __name__ == "__main__":
    main()
