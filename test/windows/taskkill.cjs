'use strict'
// The taskkill of Wine 8 cannot end a process together with its child processes. When this file is loaded, programs that
// run `taskkill /T /F /PID ID` run this file instead, which does what taskkill does on Windows.
const childProcess = require('node:child_process')
const { spawn, spawnSync } = childProcess

// NODE_OPTIONS may load this file before it runs as the main program, and it is then not evaluated again.
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
      // This process has already ended.
      if (one === id) process.exitCode = 128
    }
} else
  childProcess.spawn = (program, args, options) =>
    /\\System32\\taskkill\.exe$/i.test(program)
      ? spawn(process.execPath, [__filename, ...args], options)
      : spawn(program, args, options)
