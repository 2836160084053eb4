@rem Runs partner with the Node that came with it. Nothing on PATH is asked for.
@"%~dp0..\lib\node.exe" "%~dp0..\lib\partner\bin\run.js" %*
