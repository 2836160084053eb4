/** Runs in bash 3.2 and later; in 3.2 without `compopt`, file names come without a slash behind directories. */
export const BASH = `# Completion of partner for bash. It asks partner, which answers from a table: no request is made.
_partner() {
  local line file
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      =*) COMPREPLY+=("\${line#=}") ;;
      'files 0') compopt -o default 2>/dev/null || while IFS= read -r file; do
          COMPREPLY+=("$(printf %q "$file")")
        done < <(compgen -f -- "$2") ;;
      files\\ *) local behind=\${line#files }
        # The word begins with something else, such as @, which readline does not part from the name of the file.
        while IFS= read -r file; do
          COMPREPLY+=("\${2:0:behind}$(printf %q "$file")")
        done < <(compgen -f -- "\${2:behind}") ;;
    esac
  done < <(command partner __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
}
complete -F _partner partner
`
