/**
 * The completion script for bash 3.2 and later. Bash 3.2 has no `compopt`, so completed directories get no trailing
 * slash.
 */
const BASH = `# Completion of partner for bash. It runs partner, which reads a local table and makes no requests.
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
        # The word has a prefix, such as @, which readline does not separate from the file name.
        while IFS= read -r file; do
          COMPREPLY+=("\${2:0:behind}$(printf %q "$file")")
        done < <(compgen -f -- "\${2:behind}") ;;
    esac
  done < <(command partner __complete bash "\${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null </dev/null)
}
complete -F _partner partner
`

/** The completion script for zsh. It works both as the file `_partner` in `fpath` and when sourced after `compinit`. */
const ZSH = `#compdef partner
# Completion of partner for zsh. It runs partner, which reads a local table and makes no requests.
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

const FISH = `# Completion of partner for fish. It runs partner, which reads a local table and makes no requests.
function __partner_complete
    set -l word (commandline -ct)
    for line in (command partner __complete fish "$word" (commandline -pco) 2>/dev/null </dev/null)
        switch $line
            case '=*'
                string sub -s 2 -- $line
            case 'files *'
                set -l behind (string sub -s 7 -- $line)
                set -l start (string sub -l $behind -- $word)
                for file in (__fish_complete_path (string sub -s (math $behind + 1) -- $word))
                    echo $start$file
                end
        end
    end
end
complete -c partner -e
complete -c partner -f -k -a '(__partner_complete)'
`

/**
 * The completion script for PowerShell 5.1 and 7. It passes the words in an environment variable, because PowerShell
 * 5.1 drops empty arguments and garbles quotes.
 */
const POWERSHELL = `# Completion of partner for PowerShell. It runs partner, which reads a local table and makes no requests.
Register-ArgumentCompleter -Native -CommandName 'partner', 'partner.cmd', 'partner.ps1', 'partner.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $partner = Get-Command partner -CommandType 'Application', 'ExternalScript' -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($null -eq $partner) { return }
    $current = ''
    $words = [System.Collections.Generic.List[string]]::new()
    foreach ($element in $commandAst.CommandElements) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $text = if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value } else { $element.Extent.Text }
        if ($element.Extent.EndOffset -ge $cursorPosition) {
            $length = $cursorPosition - $element.Extent.StartOffset
            $current = if ($length -lt $element.Extent.Text.Length) { $element.Extent.Text.Substring(0, $length) } else { $text }
            break
        }
        $words.Add($text)
    }
    $before = $env:PARTNER_COMPLETION_WORDS
    try {
        $env:PARTNER_COMPLETION_WORDS = ConvertTo-Json -Compress -InputObject @(@($current) + $words)
        $lines = & $partner __complete powershell 2>$null
    } finally {
        $env:PARTNER_COMPLETION_WORDS = $before
    }
    foreach ($line in $lines) {
        # If nothing is offered, PowerShell completes file names itself.
        if (-not $line.StartsWith('=')) { continue }
        $value, $about = $line.Substring(1).Split([char]9, 2)
        if (-not $about) { $about = $value }
        $typed = $value
        if ($value -notmatch '^[A-Za-z0-9_./:=+-]+$') { $typed = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $about)
    }
}
`

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** The completion scripts by shell. Each script registers a function that runs `partner __complete`. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH, powershell: POWERSHELL }

export function isShell(name: string): name is Shell {
  return (SHELLS as readonly string[]).includes(name)
}
