"""Completion scripts: each asks `kexplain __complete` and hands the answer to its shell."""

_BASH = r"""_kexplain() {
  local line=${COMP_LINE:0:COMP_POINT} current=${COMP_WORDS[COMP_CWORD]} each offered directive prefix
  local -a words
  # Bash takes words apart at = and :, which kexplain needs whole.
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  COMPREPLY=()
  offered=$("${COMP_WORDS[0]}" __complete "${words[@]:1}" 2>/dev/null) || return
  directive=${offered##*:}
  prefix=${words[${#words[@]}-1]}
  prefix=${prefix%"${prefix##*[=:]}"}
  while IFS= read -r each; do
    each=${each%%$'\t'*}
    [[ -n $each && $each != :[0-9]* ]] && COMPREPLY+=("${each#"$prefix"}")
  done <<< "$offered"
  if (( ${#COMPREPLY[@]} == 0 || (directive & 4) == 0 )); then
    [[ $current == [=:] ]] && current=
    (( (directive & 4) == 0 )) && while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -f -- "$current")
    compopt -o filenames 2>/dev/null
  fi
  (( directive & 2 )) && compopt -o nospace 2>/dev/null
  [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _kexplain kexplain
"""

_ZSH = r"""#compdef kexplain
_kexplain() {
  local each directive=0
  local -a lines offered described
  lines=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for each in "${lines[@]}"; do
    case $each in
      :[0-9]*) directive=${each#:} ;;
      *$'\t'*) described+=("${${each%%$'\t'*}//:/\\:}:${each#*$'\t'}") ;;
      ?*) offered+=("$each") ;;
    esac
  done
  if [[ ${words[CURRENT]} == --*=* ]]; then
    compset -P 1 '*='
    offered=("${offered[@]#*=}")
  fi
  (( $#described )) && _describe -o option described
  compadd -S '' -- "${(M)offered[@]:#*/}"
  compadd -- "${offered[@]:#*/}"
  (( directive & 4 )) || _files
}
compdef _kexplain kexplain
"""

_FISH = r"""function __kexplain_offered
  set -l words (commandline -opc) (commandline -ct)
  set -l directive 0
  for line in ($words[1] __complete $words[2..-1] 2>/dev/null)
    if string match -qr '^:[0-9]+$' -- $line
      set directive (string sub -s 2 -- $line)
    else
      echo $line
    end
  end
  if test (math "bitand($directive, 4)") -eq 0
    __fish_complete_path (commandline -ct)
  end
end
complete -c kexplain -f -a '(__kexplain_offered)'
"""

_SCRIPTS = {"bash": _BASH, "zsh": _ZSH, "fish": _FISH}


def script(shell: str) -> str:
    """The script for bash, zsh or fish."""
    return _SCRIPTS[shell]
