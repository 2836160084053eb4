'use strict'
// Runs in Node for Windows and starts programs for the tests, which run on Linux. Programs in Wine cannot use Linux
// pipes, so they get Windows pipes, and each program has its own connection to `node.cjs`, the client on Linux.
//
// Each line on a connection is JSON. The client sends `{args, env, cwd, client: PID}` first, then `{in: BASE64}`,
// `{end: true}` for the end of stdin, `{unread: true}` if nothing reads its stdout any longer, `{ipc: MESSAGE}`, and
// `{signal: NAME}`. It receives `{out: BASE64}`, `{err: BASE64}`, `{ipc: MESSAGE}` and finally `{code}`, which is
// `null` if the program was killed. When the client disconnects, its program is killed, as with taskkill /F.
//
// Tests may send `{kill: PID}` to kill a client's program, `{gone: PID}` to kill it and wait until all killed programs
// have ended, or `{pidOf: PID}` to get the Windows process ID of a client's program.
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const readline = require('node:readline')

const [, , portFile] = process.argv
const SIGNALS = path.join(__dirname, 'signals.cjs')
/** The Windows variables that programs need but a client's environment does not have. */
const WINDOWS =
  /^(?:SystemRoot|SystemDrive|ComSpec|PATHEXT|windir|TEMP|TMP|OS|NUMBER_OF_PROCESSORS|WINE.*|NODE_SKIP.*)$/i
const base = Object.fromEntries(Object.entries(process.env).filter(([name]) => WINDOWS.test(name)))
/** The Windows PATH, which replaces the client's Linux PATH. */
base.PATH = `${path.dirname(process.execPath)};${__dirname};${process.env.PATH ?? process.env.Path}`

/** The programs that are running or whose clients are connected. */
const programs = new Set()

const server = net.createServer((socket) => {
  let child
  const lines = readline.createInterface({ input: socket })
  lines.on('line', (line) => {
    const { args, env, cwd, client, in: bytes, end, unread, ipc, signal, kill, gone, pidOf } = JSON.parse(line)
    if (args) child = start(socket, args, { env, cwd, client })
    else if (kill) socket.end(JSON.stringify(killProgram(kill)))
    else if (gone) void endAbandoned(gone).then(() => socket.end())
    else if (pidOf) socket.end(JSON.stringify(findProgram(pidOf)?.child.pid ?? null))
    else if (bytes) child.stdin.write(Buffer.from(bytes, 'base64'))
    else if (end) child.stdin.end()
    else if (unread) child.stdout.destroy()
    else if (child.connected) child.send(signal ? { signal } : ipc.env ? { ...ipc, env: toWindows(ipc.env) } : ipc)
  })
  // A killed client can reset its connection.
  for (const one of [socket, lines]) one.on('error', () => {})
  socket.on('close', () => child?.kill('SIGKILL'))
})

function toWindows({ PATH: _, HOME: home, PARTNER_TEST_BRIDGE: __, ...others }) {
  return { ...base, ...(home === undefined ? {} : { USERPROFILE: home }), ...others }
}

function findProgram(client) {
  return [...programs].find((program) => program.client === client)
}

/** Kills a client's program. Returns `false` if it is not running. */
function killProgram(client) {
  const program = findProgram(client)
  program?.child.kill('SIGKILL')
  return program !== undefined
}

/** Kills a client's program and waits until all killed programs have ended. */
async function endAbandoned(client) {
  killProgram(client)
  await Promise.all([...programs].flatMap(({ child, ended }) => (child.killed ? [ended] : [])))
}

function start(socket, args, { env, cwd, client }) {
  const send = (message) => socket.writable && socket.write(`${JSON.stringify(message)}\n`)
  const child = spawn(process.execPath, ['--require', SIGNALS, ...args], {
    cwd,
    env: toWindows(env),
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  })
  // A killed program's pipes can report errors.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  child.stdout.on('data', (bytes) => send({ out: bytes.toString('base64') }))
  child.stderr.on('data', (bytes) => send({ err: bytes.toString('base64') }))
  let hasKilledItself = false
  child.on('message', (ipc) => {
    if (ipc.killed) hasKilledItself = true
    else send({ ipc })
  })
  child.on('error', ({ message }) => send({ err: Buffer.from(message).toString('base64') }))
  child.on('close', (code) => {
    send({ code: hasKilledItself ? null : code })
    socket.end()
  })
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  const program = { client, child, ended }
  programs.add(program)
  const disconnected = new Promise((resolve) => socket.once('close', resolve))
  void Promise.all([ended, disconnected]).then(() => programs.delete(program))
  return child
}

server.listen(0, '127.0.0.1', () => {
  // Write a temporary file and rename it, so that waiting tests never read an incomplete port number.
  fs.writeFileSync(`${portFile}.new`, String(server.address().port))
  fs.renameSync(`${portFile}.new`, portFile)
})
