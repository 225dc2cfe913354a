"""Completion scripts that hold everything to complete, so that no key press waits for an interpreter."""

from collections.abc import Iterable, Iterator

from kexplain.cli.kubectl_completion import KINDS
from kexplain.cli.tree import CommandInfo, ParameterInfo, commands

#: What a name may begin with; the name itself only the cluster knows.
_KINDS = " ".join(f"{kind}/" for kind in KINDS)


def script(shell: str) -> str:
    """The script for bash, zsh or fish."""
    first, *others = commands()
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](first, others)


def _names(options: Iterable[ParameterInfo]) -> list[str]:
    return [name for option in options for name in option.names]


def _choices(command: CommandInfo) -> str:
    return " ".join(choice for p in command.parameters if p.is_argument for choice in p.choices)


def _bash(default: CommandInfo, others: list[CommandInfo]) -> str:
    words = " ".join([*(command.name for command in others), default.name])
    return "\n".join(
        [
            "_kexplain() {",
            "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
            f"  local command={default.name} options arguments",
            "  COMPREPLY=()",
            "  if [[ $COMP_CWORD -gt 1 ]]; then",
            "    case ${COMP_WORDS[1]} in",
            f"      {words.replace(' ', '|')}) command=${{COMP_WORDS[1]}} ;;",
            "    esac",
            "  fi",
            "  case $command:$prev in",
            *(line for command in (default, *others) for line in _bash_values(command)),
            "  esac",
            "  case $command in",
            *(
                f"    {each.name}) options='{' '.join(_names(each.options))}' arguments='{_choices(each)}' ;;"
                for each in (default, *others)
            ),
            "  esac",
            "  if [[ $cur == -* ]]; then",
            '    COMPREPLY=($(compgen -W "$options --help" -- "$cur"))',
            "    return",
            "  fi",
            "  if [[ -n $arguments ]]; then",
            '    COMPREPLY=($(compgen -W "$arguments" -- "$cur"))',
            "    return",
            "  fi",
            '  COMPREPLY=($(compgen -f -- "$cur"))',
            f"  case $command in {'|'.join(each.name for each in (default, *others) if each.takes_pods)})",
            f"    COMPREPLY+=($(compgen -W '{_KINDS}' -- \"$cur\")) ;;",
            "  esac",
            "  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null",
            f"  [[ $COMP_CWORD == 1 ]] && COMPREPLY+=($(compgen -W '{words}' -- \"$cur\"))",
            "}",
            "complete -o filenames -F _kexplain kexplain",
            "",
        ]
    )


def _bash_values(command: CommandInfo) -> Iterator[str]:
    """What comes after each option of a command that takes a value."""
    for option in command.options:
        pattern = "|".join(f"{command.name}:{name}" for name in option.names)
        if words := option.choices:
            yield f"    {pattern}) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$cur\")); return ;;"
        elif option.is_file:
            yield f'    {pattern}) COMPREPLY=($(compgen -f -- "$cur")); return ;;'
        elif option.metavar:
            yield f"    {pattern}) return ;;"


def _zsh(default: CommandInfo, others: list[CommandInfo]) -> str:
    lines = ["#compdef kexplain", f"_kexplain_pods() {{ compadd -S '' {_KINDS}; _files }}"]
    lines += ["_kexplain() {", "  case ${words[2]} in"]
    for command in others:
        choices = _choices(command)
        rest = "'*:pod:_kexplain_pods'" if command.takes_pods else f"'2:{command.name}:({choices})'"
        lines += [f"    {command.name})", *_zsh_arguments(command), f"        {rest}"]
        lines.append("      return ;;")
    words = " ".join(command.name for command in (*others, default))
    first = f'\'1: :_alternative "commands:command:({words})" "pods:pod:_kexplain_pods"\''
    lines += ["  esac", *_zsh_arguments(default), f"    {first} \\", "    '*:pod:_kexplain_pods'"]
    return "\n".join([*lines, "}", "compdef _kexplain kexplain", ""])


def _zsh_arguments(command: CommandInfo) -> Iterator[str]:
    yield "  _arguments \\"
    for option in command.options:
        for name in option.names:
            yield f"    '*{name}[{_zsh_text(option.help)}]{_zsh_action(option)}' \\"


def _zsh_action(option: ParameterInfo) -> str:
    if not option.metavar:
        return ""
    if words := option.choices:
        return f":value:({' '.join(words)})"
    return ":file:_files" if option.is_file else f":{option.metavar.lower()}: "


def _zsh_text(text: str) -> str:
    return text.replace("'", "").replace("[", "(").replace("]", ")").replace(":", "\\:")


def _fish(default: CommandInfo, others: list[CommandInfo]) -> str:
    lines = [
        f"complete -c kexplain -n __fish_use_subcommand -a {command.name} -d {_fish_text(command.help)}"
        for command in (*others, default)
    ]
    for command in others:
        seen = f"__fish_seen_subcommand_from {command.name}"
        if choices := _choices(command):
            lines.append(f"complete -c kexplain -f -n '{seen}' -a '{choices}'")
        if command.takes_pods:
            lines.append(f"complete -c kexplain -n '{seen}' -a '{_KINDS}'")
        lines += _fish_options(command, seen)
    no_other = f"not __fish_seen_subcommand_from {' '.join(each.name for each in others)}"
    lines += [f"complete -c kexplain -n '{no_other}' -a '{_KINDS}'", *_fish_options(default, no_other)]
    return "\n".join([*lines, ""])


def _fish_options(command: CommandInfo, condition: str) -> Iterator[str]:
    for option in command.options:
        spelled = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in option.names)
        words = option.choices
        value = f" -x -a '{' '.join(words)}'" if words else (" -r" if option.metavar else "")
        yield f"complete -c kexplain -n '{condition}' {spelled}{value} -d {_fish_text(option.help)}"


def _fish_text(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
