'use strict'
// Behaves like `taskkill /T /F /PID ID` on Windows, because Wine 8's taskkill cannot kill a process together with its
// child processes. Programs that load this file run it instead of taskkill.
const childProcess = require('node:child_process')
const { spawn, spawnSync } = childProcess

// Compare paths, because Node does not evaluate this file again as the main program if NODE_OPTIONS has loaded it.
if (process.argv[1] === __filename) {
  const [tree, force, name, id, ...more] = process.argv.slice(2)
  if (`${tree} ${force} ${name}` !== '/T /F /PID' || more.length > 0) process.exit(1)
  const { stdout } = spawnSync('wmic', ['process', 'get', 'ParentProcessId,ProcessId'], { encoding: 'utf16le' })
  const rows = [...stdout.matchAll(/(\d+)\s+(\d+)/g)].map(([, parent, own]) => ({ parent, own }))
  const doomed = [id]
  for (const one of doomed) doomed.push(...rows.filter(({ parent }) => parent === one).map(({ own }) => own))
  for (const one of doomed)
    try {
      process.kill(Number(one), 'SIGKILL')
    } catch {
      // The process has already ended. As in taskkill, that is an error only for the process given on the command line.
      if (one === id) process.exitCode = 128
    }
} else
  childProcess.spawn = (program, args, options) =>
    /\\System32\\taskkill\.exe$/i.test(program)
      ? spawn(process.execPath, [__filename, ...args], options)
      : spawn(program, args, options)
