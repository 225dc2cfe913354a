"""Completion scripts that hold all there is to complete, so that no key press waits for an interpreter."""

from __future__ import annotations

from collections.abc import Iterable

from kexplain.cli.tree import CommandInfo, ParameterInfo, commands
from kexplain.render import FORMATS


def script(shell: str) -> str:
    """The script for bash, zsh or fish."""
    first, *others = commands()
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](first, others)


def _values(option: ParameterInfo) -> tuple[str, ...]:
    return FORMATS if "--output" in option.names else option.choices


def _names(options: Iterable[ParameterInfo]) -> list[str]:
    return [name for option in options for name in option.names]


def _bash(default: CommandInfo, others: list[CommandInfo]) -> str:
    cases = [
        f"    {'|'.join(option.names)}) COMPREPLY=($(compgen -W '{' '.join(_values(option))}' -- \"$cur\")); return ;;"
        for option in default.options
        if _values(option)
    ]
    files = "|".join(_names(option for option in default.options if option.is_file))
    silent = "|".join(_names(o for o in default.options if o.metavar and not o.is_file and not _values(o)))
    words = " ".join([*(command.name for command in others), default.name])
    arguments = [
        f"    {command.name}) COMPREPLY=($(compgen -W '{' '.join(parameter.choices)}' -- \"$cur\")); return ;;"
        for command in others
        for parameter in command.parameters
        if parameter.is_argument and parameter.choices
    ]
    return "\n".join(
        [
            "_kexplain() {",
            "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
            "  COMPREPLY=()",
            "  case ${COMP_WORDS[1]} in",
            *arguments,
            "  esac",
            "  case $prev in",
            *cases,
            f'    {files}) COMPREPLY=($(compgen -f -- "$cur")); return ;;',
            f"    {silent}) return ;;",
            "  esac",
            "  if [[ $cur == -* ]]; then",
            f"    COMPREPLY=($(compgen -W '{' '.join(_names(default.options))} --help' -- \"$cur\"))",
            "    return",
            "  fi",
            '  COMPREPLY=($(compgen -f -- "$cur"))',
            f"  [[ $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W '{words}' -- \"$cur\"))",
            "}",
            "complete -o filenames -F _kexplain kexplain",
            "",
        ]
    )


def _zsh(default: CommandInfo, others: list[CommandInfo]) -> str:
    lines = ["#compdef kexplain", "_kexplain() {"]
    for command in others:
        choices = " ".join(c for p in command.parameters if p.is_argument for c in p.choices)
        lines.append(f"  if [[ ${{words[2]}} == {command.name} ]]; then _values '{command.name}' {choices}; return; fi")
    lines.append("  _arguments \\")
    for option in default.options:
        lines += [f"    '*{name}[{_zsh_text(option.help)}]{_zsh_action(option)}' \\" for name in option.names]
    words = " ".join(command.name for command in (*others, default))
    lines += [f'    \'1: :_alternative "commands:command:({words})" "files:file:_files"\' \\', "    '*:file:_files'"]
    return "\n".join([*lines, "}", "compdef _kexplain kexplain", ""])


def _zsh_action(option: ParameterInfo) -> str:
    if not option.metavar:
        return ""
    if values := _values(option):
        return f":value:({' '.join(values)})"
    return ":file:_files" if option.is_file else f":{option.metavar.lower()}: "


def _zsh_text(text: str) -> str:
    return text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "\\:")


def _fish(default: CommandInfo, others: list[CommandInfo]) -> str:
    lines = [
        f"complete -c kexplain -n __fish_use_subcommand -a {command.name} -d {_fish_text(command.summary)}"
        for command in (*others, default)
    ]
    for command in others:
        lines += [
            f"complete -c kexplain -f -n '__fish_seen_subcommand_from {command.name}' -a '{' '.join(p.choices)}'"
            for p in command.parameters
            if p.is_argument and p.choices
        ]
    for option in default.options:
        spelled = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
        values = _values(option)
        value = f" -x -a '{' '.join(values)}'" if values else (" -r" if option.metavar else "")
        lines.append(f"complete -c kexplain {spelled}{value} -d {_fish_text(option.help)}")
    return "\n".join([*lines, ""])


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
