_kexplain() {
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
