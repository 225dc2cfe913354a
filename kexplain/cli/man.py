"""Manual pages, made from the command line's own help: `python -m kexplain.cli.man DIRECTORY`."""

from __future__ import annotations

import sys
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
A pod does not fit, or was not tried.
.TP
.B 2
Wrong usage, unreadable or invalid input, or nothing to explain.
.TP
.B 3
The cluster could not be read: out of reach, credentials not accepted, rights that are missing, no answer in time.
.TP
.B 70
A bug in kexplain; the one line on standard error says where to look.
.TP
.B 130
Interrupted.
.TP
.B 141
The reader of standard output went away.
.SH ENVIRONMENT
.TP
.B NO_COLOR
No colours, if it is set to anything.
.TP
.B FORCE_COLOR
Colours even where standard output is no terminal.
.TP
.B KUBECONFIG
Files that say how to reach a live cluster, separated by colons.
.TP
.BR HTTPS_PROXY ", " HTTP_PROXY ", " NO_PROXY
How to get to it, where the kubeconfig does not say.
.SH FILES
.TP
.I ~/.kube/config
How to reach a live cluster, if KUBECONFIG is not set. A cluster is read, and only ever read, where no file describes
one.
.PP
Manifests are read as kubectl reads them: YAML or JSON, several documents a file, Lists, and what
.B kubectl get -o json
or
.B -o yaml
prints. Kinds that scheduling does not read are counted and passed over.
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
    arguments = " ".join(
        f"{p.metavar}..." if p.metavar == "POD" else p.metavar for p in command.parameters if p.is_argument
    )
    lines = [
        f'.TH {title.upper()} 1 "" "kexplain {__version__}" "User Commands"',
        ".SH NAME",
        rf"{title} \- {_roff(_first_sentence(SUMMARY if tail else command.summary))}",
        ".SH SYNOPSIS",
        f".B {name}",
        _roff(f"[OPTIONS] {arguments}".strip()),
        ".SH DESCRIPTION",
        _roff(" ".join(command.help.split())),
        ".SH OPTIONS",
    ]
    for parameter in command.parameters:
        lines += _parameter(parameter)
    lines += [".TP", r"\fB\-h\fR, \fB\-\-help\fR", "Show a summary and exit."]
    references = " ,\n".join(f".BR {page} (1)" for page in [*see, "kubectl"])
    return "\n".join(lines) + f"\n{tail}.SH SEE ALSO\n{references}\n"


def _parameter(parameter: ParameterInfo) -> list[str]:
    if parameter.is_argument:
        head = f".I {_roff(parameter.metavar)}"
    else:
        value = rf" \fI{_roff(parameter.metavar)}\fR" if parameter.metavar else ""
        head = ", ".join(rf"\fB{_roff(name)}\fR" for name in parameter.names) + value
    default = f" (default: {parameter.default})" if parameter.default else ""
    return [".TP", head, _roff(parameter.help + default)]


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
