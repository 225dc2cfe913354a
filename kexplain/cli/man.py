"""Manual pages, generated from the help of the command line: `python -m kexplain.cli.man DIRECTORY`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from kexplain import __version__
from kexplain.cli.app import SUMMARY
from kexplain.cli.tree import CommandInfo, ParameterInfo, commands

_TAIL = r""".SH EXIT STATUS
.TP
.B 0
Every pod fits.
.TP
.B 1
A pod does not fit, or was not tried; a difference or a finding was reported.
.TP
.B 2
Wrong usage, unreadable or invalid input, or nothing to explain.
.TP
.B 3
The cluster could not be read: it is out of reach, rejects the credentials, denies permission or answers too late.
.TP
.B 70
A bug in kexplain; one line on standard error says what to report.
.TP
.B 130
Interrupted.
.TP
.B 141
The reader of standard output went away.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Set to anything, it turns colours off.
.TP
.B FORCE_COLOR
Set to anything, it turns colours on even if standard output is not a terminal.
.TP
.B KUBECONFIG
Kubeconfig files, separated by colons.
.TP
.BR HTTPS_PROXY ", " HTTP_PROXY ", " NO_PROXY
The proxy to reach the cluster through, unless the kubeconfig names one.
.SH FILES
.TP
.I ~/.kube/config
The kubeconfig file, if KUBECONFIG is not set. A live cluster is read if no file describes one; nothing in it is ever
changed.
.PP
Manifests are read as kubectl reads them: YAML or JSON, several documents a file, Lists, and what
.B kubectl get -o json
or
.B -o yaml
prints. Kinds that scheduling does not read are counted and skipped.
"""


def pages() -> dict[str, str]:
    """All pages by file name."""
    default, *others = commands()
    written = {"kexplain.1": _page("kexplain", default, [f"kexplain-{command.name}" for command in others], _TAIL)}
    for command in others:
        written[f"kexplain-{command.name}.1"] = _page(f"kexplain {command.name}", command, ["kexplain"])
    return written


def _page(name: str, command: CommandInfo, see: list[str], tail: str = "") -> str:
    title = name.replace(" ", "-")
    lines = [
        f'.TH {title.upper()} 1 "" "kexplain {__version__}" "User Commands"',
        ".SH NAME",
        rf"{title} \- {_roff(_first_sentence(SUMMARY if tail else command.help))}",
        ".SH SYNOPSIS",
        f".B {name}",
        _roff(command.usage),
        ".SH DESCRIPTION",
        _roff(" ".join(command.help.split())),
        *_examples(command),
        ".SH OPTIONS",
        ".TP",
        r"\fB\-h\fR, \fB\-\-help\fR",
        "Show a summary and exit.",
    ]
    # Without a panel is what asks for help; it stands beside --help.
    ordered = sorted(command.parameters, key=lambda each: bool(each.panel))
    for panel, parameters in groupby(ordered, lambda each: each.panel):
        lines += [f".SS {_roff(panel)}"] if panel else []
        for parameter in parameters:
            lines += _parameter(parameter)
    references = " ,\n".join(f".BR {page} (1)" for page in [*see, "kubectl"])
    return "\n".join(lines) + f"\n{tail}.SH SEE ALSO\n{references}\n"


def _examples(command: CommandInfo) -> Iterator[str]:
    """Commands, each with what it is for."""
    if command.examples:
        yield ".SH EXAMPLES"
    for words, purpose in command.examples:
        yield from (".TP", rf"\fB{_roff(words)}\fR", _roff(f"{purpose[0].upper()}{purpose[1:]}."))


def _parameter(parameter: ParameterInfo) -> list[str]:
    if parameter.is_argument:
        head = f".I {_roff(parameter.metavar)}"
    else:
        value = rf" \fI{_roff(parameter.metavar)}\fR" if parameter.metavar else ""
        head = ", ".join(rf"\fB{_roff(name)}\fR" for name in parameter.names) + value
    return [".TP", head, _roff(parameter.help)]


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".")


def _roff(text: str) -> str:
    """Text with what roff would read as a command escaped."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return rf"\&{escaped}" if escaped.startswith(".") else escaped


def main() -> None:
    """Write every page into the directory named."""
    directory = Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (directory / name).write_text(text)


if __name__ == "__main__":
    main()
