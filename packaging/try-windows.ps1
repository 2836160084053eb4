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
# PowerShell passes arguments to Node unchanged, but not to partner.cmd.
$lib = "$(Split-Path (Get-Command partner).Source)\..\lib"
$node, $tool = "$lib\node.exe", "$lib\partner\bin\run.js"
$hostile = '%PATH%', 'a&echo b', '"&echo b', '!PATH!', '^', '100%', 'a b\'
$shown = & $node $tool sandbox exec '--' .\shown.cmd @hostile | Out-String | ConvertFrom-Json
if (Compare-Object $hostile $shown -SyncWindow 0) { throw "the batch file got other arguments: $shown" }

# The command of a rehearsal ends with it, even if a batch file started it.
$beat = "setInterval(() => {}, 1000); require('http').get(process.env.PARTNER_BASE_URL + '/Bookings')"
Set-Content beat.cmd "@node -e ""$beat"" partner-tried-beat"
& $node $tool sandbox rehearse --speed max --wait '--' .\beat.cmd | Out-Null
Start-Sleep 2
if (Get-CimInstance Win32_Process -Filter "CommandLine LIKE '%partner-tried-beat%' AND Name = 'node.exe'") {
  throw 'a process of the rehearsal is still running'
}

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
