# Tries the Windows archive on Windows, before the release is published: packaging\try-windows.ps1 FOLDER, which contains
# the unpacked archive. Fails at the first command that does not do what it should.
param([Parameter(Mandatory)] [string] $Folder)
$ErrorActionPreference = 'Stop'
$PSNativeCommandUseErrorActionPreference = $true
[Console]::OutputEncoding = [Text.Encoding]::UTF8

$env:PATH = "$(Resolve-Path $Folder)\bin;$env:PATH"
$env:PARTNER_PROFILE = 'sandbox'
$place = New-Item -ItemType Directory -Path "$env:TEMP\partner tried ü"
Set-Location $place

function Assert-Contains([string] $Text, [string] $Part) {
  if (-not $Text.Contains($Part)) { throw "this does not contain ""$Part"": $Text" }
}

Assert-Contains (partner --version) 'win32-x64'
foreach ($file in 'venue.ndjson', 'venue.csv', 'venue.db') {
  partner bookings sync --to $file --quiet
  Assert-Contains (partner bookings sync status --to $file --json) '"lastRun"'
}

# Programs that partner starts: one with an extension that Windows adds, and a batch file with hostile arguments.
Assert-Contains (partner sandbox exec '--' partner bookings statuses -o tsv | Out-String) 'CONFIRMED'
Set-Content shown.cmd '@node -p "JSON.stringify(process.argv.slice(1))" -- %*'
Assert-Contains (partner sandbox exec '--' .\shown.cmd 'a&b' | Out-String) 'a&b'

# Only the current user may read the data.
$rows = partner doctor --json --query "rows[?name=='data directory'].status" -r
Assert-Contains "$rows" 'ok'

# Task Scheduler accepts the task.
partner bookings sync unit --to venue.db > task.xml
schtasks /create /tn partner-tried /xml task.xml
schtasks /delete /tn partner-tried /f

# Tab completes.
partner completion powershell | Out-String | Invoke-Expression
$found = (TabExpansion2 'partner book' 12).CompletionMatches.CompletionText
Assert-Contains "$found" 'bookings'

# A killed run blocks nobody.
$run = Start-Process partner.cmd -ArgumentList 'bookings sync --to venue.db --every 1m' -PassThru -WindowStyle Hidden
Start-Sleep 5
taskkill /f /t /pid $run.Id
partner bookings sync --to venue.db --quiet
Write-Output 'partner works on this machine'
