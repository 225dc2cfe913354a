#compdef kexplain
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
