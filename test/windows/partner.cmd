@rem The tool of this checkout, for commands that run partner themselves in Node for Windows.
@node "%~dp0..\..\bin\run.js" %*
