"""The entry point: runs the command that is meant, and turns every ending into an exit code."""

import errno
import os
import sys
from codecs import register_error
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, cast

import typer
from typer._click.exceptions import ClickException

from kexplain import __version__
from kexplain.cli import EXIT_BUG, EXIT_CLUSTER, EXIT_INTERRUPTED, EXIT_PIPE_CLOSED, EXIT_USAGE
from kexplain.cli.app import COMMANDS, DEFAULT_COMMAND, command
from kexplain.cli.program import program_name, spelled
from kexplain.cli.spelling import FOR_AGENTS, as_argument, as_flag
from kexplain.errors import ClusterError, InputError, KexplainError, PluginError
from kexplain.parameters import parameters_spelled

#: How characters are encoded that a stream cannot show.
_HANDLER = "kexplain.plain"
#: The most faults that are printed one by one.
FAULTS_SHOWN = 50
#: What a stream to be written to may say: full, broken, closed, too long, over quota.
_OF_WRITING = {errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG, errno.EDQUOT, errno.ENXIO, errno.EINVAL}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run and leave. The heap is handed back by leaving: taking a large cluster apart would cost time for nothing."""
    os._exit(ended(sys.argv[1:] if arguments is None else list(arguments)))


def ended(arguments: list[str]) -> int:
    """The exit code of a command line, all of whose output has been written; prints messages."""
    _have_streams()
    code = run(arguments)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = EXIT_PIPE_CLOSED
    except OSError as error:
        code = _refused(error)
    return code


def _have_streams() -> None:
    """Characters that the terminal cannot show are replaced; what has no stderr says nothing."""
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 (open until the process ends)
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    register_error(_HANDLER, _replaced)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _replaced(error: UnicodeError) -> tuple[str, int]:
    # Few consoles lack a character.
    from kexplain.cli.encodings import replaced  # noqa: PLC0415

    return replaced(error)


def run(arguments: list[str]) -> int:
    """The exit code of a command line; prints messages."""
    is_for_agents = arguments[:1] == [FOR_AGENTS]
    arguments = arguments[1:] if is_for_agents else arguments
    try:
        with parameters_spelled(as_argument if is_for_agents else as_flag):
            result = _call(arguments)
    except (KexplainError, typer.Exit, typer.Abort, ClickException) as stop:
        code = _ended(stop)
        if code in {EXIT_USAGE, EXIT_CLUSTER}:
            _hint(_command_meant(arguments))
        return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except (BrokenPipeError, SystemExit):
        # Typer exits by itself where a pipe is closed, and only there.
        return EXIT_PIPE_CLOSED
    except OSError as error:
        return _refused(error)
    except RecursionError:
        return _bug("the input is nested too deeply")
    except MemoryError:
        return _bug("out of memory")
    except Exception as error:
        return _bug(f"{type(error).__name__}: {error}")
    return result if isinstance(result, int) else 0


def _call(arguments: list[str]) -> object:
    """Run the command that is the first word; without one, what is to be explained comes first."""
    if arguments in (["--version"], ["-V"]):
        arguments = ["version"]
    name, program = DEFAULT_COMMAND, _program()
    arguments = _command_first(arguments)
    if arguments and arguments[0] in COMMANDS:
        name, *arguments = arguments
        program = f"{program} {name}"
    return command(name).main(arguments, prog_name=program, standalone_mode=False)


def _command_first(arguments: list[str]) -> list[str]:
    """The words with the command first, which options may precede as kubectl's do: `-n shop drain worker-1`."""
    for at, name in enumerate(arguments):
        if name not in COMMANDS:
            continue
        params = (*command(DEFAULT_COMMAND).params, *command(name).params)
        valued = {opt for param in params if _takes_word(param) for opt in param.opts}
        read = 0
        while read < at and arguments[read].startswith("-") and arguments[read] != "--":
            read += 1 + (arguments[read] in valued)
        if read <= at:
            return arguments if read < at else [name, *arguments[:at], *arguments[at + 1 :]]
    return arguments


def _takes_word(param: Any) -> bool:
    """Whether it is an option whose value is the next word."""
    return param.param_type_name == "option" and not (param.is_flag or param.count)


def _command_meant(arguments: Sequence[str]) -> str:
    """The question whether the first word, taken for a pod, is a slip for a command; empty if it is none."""
    from kexplain.words import ask, slip_of  # noqa: PLC0415

    first = arguments[0] if arguments else ""
    slip = "" if first in COMMANDS or first.startswith("-") else slip_of(first, COMMANDS[1:])
    return ask(f"the command {slip}") if slip else ""


def _program() -> str:
    return program_name(sys.argv[0])


def _ended(stop: Exception) -> int:
    if isinstance(stop, typer.Exit):
        return stop.exit_code
    if isinstance(stop, typer.Abort):
        return EXIT_INTERRUPTED
    if isinstance(stop, PluginError):
        return _bug(stop.message)
    if isinstance(stop, InputError):
        for fault in stop.faults[:FAULTS_SHOWN]:
            _say(str(fault))
        if len(stop.faults) > FAULTS_SHOWN:
            _say(f"and {len(stop.faults) - FAULTS_SHOWN} more faults")
        _hint(stop.hint)
        return EXIT_USAGE
    if isinstance(stop, ClusterError):
        _say(f"{stop.message}; {spelled(stop.hint or '', _program())}")
        return EXIT_CLUSTER
    if isinstance(stop, KexplainError):
        _say(stop.message)
        _hint(stop.hint)
        return EXIT_USAGE
    from kexplain.cli.misuse import misuse  # noqa: PLC0415

    _say(misuse(cast("ClickException", stop)))
    context: Any = getattr(stop, "ctx", None)
    path, params = (context.command_path, context.command.params) if context else ("kexplain", ())
    has_rare = not context or any("--help-all" in each.opts for each in params)
    _hint(f"{path} {'--help-all' if has_rare else '--help'} lists every option")
    return EXIT_USAGE


def _say(message: str) -> None:
    # Imported late: a run that ends well has no use for it.
    from kexplain.render.harmless import printable  # noqa: PLC0415

    print(f"kexplain: {printable(message)}", file=sys.stderr)  # noqa: T201


def _hint(hint: str | None) -> None:
    if hint:
        _say(f"hint: {spelled(hint, _program())}")


def _refused(error: OSError) -> int:
    """What the operating system refused: a file by its name, else to write the report, where it is such an error."""
    reason = error.strerror or str(error)
    with suppress(OSError):
        if error.filename is not None:
            _say(f"{error.filename}: {reason}")
        else:
            what = "the report cannot be written" if error.errno in _OF_WRITING else "the system says"
            _say(f"{what}: {reason}")
    return EXIT_USAGE


def _bug(message: str) -> int:
    _say(f"internal error in {__version__}, please report it with the command line and input: {message}")
    return EXIT_BUG
