'use strict'
// Runs the tool again and again in one process, a command line at a time, as its parent asks. Each run loads bin/run.js
// anew as the main program, with the process's own streams; what would end the process ends the run. The bundles in dist/ are
// read and evaluated only once, because that is most of the work of a run. Runs share what their modules keep; with
// PARTNER_TEST_COLD=1 they share nothing.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { Readable } = require('node:stream')
const vm = require('node:vm')

const [, , partner, mark] = process.argv
/** What a run may have listened to. */
const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGCONT', 'beforeExit', 'uncaughtException', 'exit', 'warning']
/** What this process has itself. */
const OWN_RESOURCES = new Set(['PipeWrap', 'Pipe'])
/** The exit code of a write whose outcome is unknown. */
const EXIT_UNKNOWN = 9
/** How many turns of the event loop a run's connections may take to close. */
const TURNS = 20

const evaluated = new Map()
/** What libraries may have read from the environment while their modules were evaluated. */
let surroundings = ''

shareBundles(path.join(path.dirname(partner), '..', 'dist'))
const exit = process.exit.bind(process)
let end = () => {}
let standIn = startStandIn()
Object.defineProperty(process, 'pid', { get: () => standIn.pid })
process.exit = (code = process.exitCode) => end(code ?? 0)

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
  // A process with nothing left to do ends, unless a listener of the run finds it something.
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
  // A run that still listened to a stream would be kept for good, with all that it had loaded.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  if (code === EXIT_UNKNOWN) await replaceStandIn()
  for (const descriptor of [1, 2]) await writeWhole(descriptor, mark)
  process.send({ code, isClean: await isIdle() })
})

/** Reads, compiles and evaluates each bundle once. */
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

/** Has the bundles evaluated again if libraries would now read something else. Our own code reads its variables in each run. */
function noteSurroundings(args, env) {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('PARTNER_'))
  const now = JSON.stringify([others, args.includes('--no-color')])
  if (now !== surroundings) evaluated.clear()
  surroundings = now
}

/**
 * Starts the process that runs here say that they are. An operation that stays open is settled once its process is gone: then
 * this one is ended, and the warm process is kept.
 */
function startStandIn() {
  // It ends with this process, which closes its input.
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] })
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

/** Writes a text behind what a run wrote. Its reader may be behind, and the pipe full. */
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

/** Whether nothing of a run is still under way; in a process of its own that would have gone with it. */
async function isIdle() {
  for (let turn = 0; turn < TURNS; turn++) {
    if (process.getActiveResourcesInfo().every((name) => OWN_RESOURCES.has(name))) return true
    await new Promise((resolve) => setImmediate(resolve))
  }
  return false
}
