/** Runs in Windows PowerShell 5.1 and PowerShell 7. The words go through a variable: 5.1 drops empty arguments, and spoils quotes in others. */
export const POWERSHELL = `# Completion of partner for PowerShell. It asks partner, which answers from a table: no request is made.
Register-ArgumentCompleter -Native -CommandName partner, partner.cmd, partner.ps1, partner.exe -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $partner = Get-Command partner -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
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
        # With nothing to offer, PowerShell completes the names of files by itself.
        if (-not $line.StartsWith('=')) { continue }
        $value, $about = $line.Substring(1).Split([char]9, 2)
        if (-not $about) { $about = $value }
        $typed = $value
        if ($value -notmatch '^[A-Za-z0-9_./:=+-]+$') { $typed = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'" }
        [System.Management.Automation.CompletionResult]::new($typed, $value, 'ParameterValue', $about)
    }
}
`
