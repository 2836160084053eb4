/** Works from `fpath`, where it is called `_partner`, and when it is sourced after `compinit`. */
export const ZSH = `#compdef partner
# Completion of partner for zsh. It asks partner, which answers from a table: no request is made.
_partner() {
  local line
  local -a offered
  while IFS= read -r line; do
    case $line in
      \\=*) offered+=("\${line#=}") ;;
      files\\ *) compset -p "\${line#files }"; _files; return ;;
    esac
  done < <(command partner __complete zsh "$QIPREFIX$PREFIX" "\${(@)words[1,CURRENT-1]}" 2>/dev/null </dev/null)
  (( $#offered )) && _describe -V partner offered
}
if [[ \${funcstack[1]-} == _partner ]]; then
  _partner "$@"
elif (( $+functions[compdef] )); then
  compdef _partner partner
fi
`
