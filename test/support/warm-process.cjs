'use strict'
// Receives command lines from the parent process and runs them in this process, one at a time. Each run loads
// bin/run.js as the main program and uses this process's streams. When a run calls process.exit, only the run ends. The
// bundles in dist/ are read and evaluated only once, because that takes most of a run's time. Runs therefore share the
// state of their modules. With PARTNER_TEST_COLD=1, each run has its own process instead.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { Readable } = require('node:stream')
const vm = require('node:vm')

const [, , launcher, mark] = process.argv
const partner = path.resolve(launcher)
/** Events that a run might have added listeners for. */
const EVENTS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGBREAK',
  'SIGCONT',
  'beforeExit',
  'uncaughtException',
  'exit',
  'warning',
]
/** Event loop resources that this process itself keeps open between runs. */
const OWN_RESOURCES = new Set(['PipeWrap', 'Pipe'])
/** The exit code of a command whose write has an unknown outcome. */
const EXIT_UNKNOWN = 9
/** After a run, its connections must close within this many turns of the event loop. */
const TURNS = 20

const evaluated = new Map()
/** The environment variables that libraries might have read when their modules were evaluated, as JSON. */
let surroundings = ''

shareBundles(path.join(path.dirname(partner), '..', 'dist'))
const exit = process.exit.bind(process)
let end = () => {}
let standIn = startStandIn()
Object.defineProperty(process, 'pid', { get: () => standIn.pid })
process.exit = (code = process.exitCode) => end(code ?? 0)

process.channel.ref()
process.on('disconnect', () => exit(0))
process.on('message', async ({ args, env, cwd, input }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  noteSurroundings(args, env)
  process.chdir(cwd)
  process.argv = [process.execPath, partner, ...args]
  process.exitCode = undefined
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false })
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true })
  const ended = new Promise((resolve) => {
    end = resolve
  })
  // The run ends when the process has no work left, unless one of the run's `beforeExit` listeners adds more.
  process.channel.unref()
  process.once('beforeExit', () => {
    process.channel.ref()
    setImmediate(() => process.exit())
  })
  delete require.cache[partner]
  Module._load(partner, null, true)
  const code = await ended
  process.channel.ref()
  for (const event of EVENTS) process.removeAllListeners(event)
  // These listeners would keep everything that the run loaded in memory.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  if (code === EXIT_UNKNOWN) await replaceStandIn()
  for (const descriptor of process.stderr === process.stdout ? [1, 1] : [1, 2]) await writeWhole(descriptor, mark)
  process.send({ code, isClean: await isIdle() })
})

/** Caches the bundles, so that each is read, compiled and evaluated only once. */
function shareBundles(directory) {
  const { readFileSync } = fs
  const files = new Map()
  fs.readFileSync = (file, ...rest) => {
    if (typeof file !== 'string' || !file.startsWith(directory) || !/\.(?:cjs|bin)$/.test(file))
      return readFileSync(file, ...rest)
    if (!files.has(file)) files.set(file, readFileSync(file, ...rest))
    return files.get(file)
  }
  const { Script } = vm
  const scripts = new Map()
  vm.Script = function shared(source, options) {
    const file = options?.filename
    if (!file?.startsWith(directory)) return new Script(source, options)
    if (!scripts.has(file)) scripts.set(file, sharedScript(new Script(source, options), file))
    return scripts.get(file)
  }
}

function sharedScript(script, file) {
  const evaluate = script.runInThisContext()
  script.runInThisContext =
    () =>
    (exports, require, module, ...places) => {
      if (!evaluated.has(file)) evaluate(exports, require, module, ...places)
      else module.exports = evaluated.get(file)
      evaluated.set(file, module.exports)
    }
  return script
}

/**
 * Discards the evaluated bundles if the variables that libraries read have changed. Partner's own code reads its
 * variables again in each run.
 */
function noteSurroundings(args, env) {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('PARTNER_'))
  const now = JSON.stringify([others, args.includes('--no-color')])
  if (now !== surroundings) evaluated.clear()
  surroundings = now
}

/**
 * Starts a stand-in process, whose ID runs use as their own. An open operation can be resolved only after its process
 * has exited, so the stand-in is killed instead of the warm process.
 */
function startStandIn() {
  // The stand-in exits when its input closes, so it does not outlive this process.
  const [program, words] = process.platform === 'win32' ? [process.execPath, ['-']] : ['cat', []]
  const child = spawn(program, words, { stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  child.stdin.unref()
  return child
}

async function replaceStandIn() {
  const gone = once(standIn, 'exit')
  standIn.kill('SIGKILL')
  await gone
  standIn = startStandIn()
}

/** Writes text after a run's output. If the pipe is full, waits for the reader. */
async function writeWhole(descriptor, text) {
  let rest = Buffer.from(text)
  while (rest.length > 0)
    try {
      rest = rest.subarray(fs.writeSync(descriptor, rest))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
}

/** Waits until all resources of a run are closed. Returns `false` if some are still open after {@link TURNS} turns. */
async function isIdle() {
  for (let turn = 0; turn < TURNS; turn++) {
    if (process.getActiveResourcesInfo().every((name) => OWN_RESOURCES.has(name))) return true
    await new Promise((resolve) => setImmediate(resolve))
  }
  return false
}
