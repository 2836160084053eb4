'use strict'
// Runs the tool repeatedly in one process, one command line at a time, as requested by its parent process. Each run
// loads bin/run.js again as the main program, with the streams of this process; whatever would end the process ends the
// run. The bundles in dist/ are read and evaluated only once, because that is most of the work of a run. Runs share the
// state of their modules. With PARTNER_TEST_COLD=1 they share nothing.
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')
const { Readable } = require('node:stream')
const vm = require('node:vm')

const [, , partner, mark] = process.argv
/** The events that a run may have listened to. */
const EVENTS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGCONT', 'beforeExit', 'uncaughtException', 'exit', 'warning']
/** The event loop's resources that this process needs between runs. */
const OWN_RESOURCES = new Set(['PipeWrap', 'Pipe'])
/** The exit code of a write whose outcome is unknown. */
const EXIT_UNKNOWN = 9
/** The maximum number of event-loop turns in which a run's connections must close. */
const TURNS = 20

const evaluated = new Map()
/** The environment variables that libraries may have read while their modules were evaluated. */
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
  // The run ends when the process has nothing left to do, unless a `beforeExit` listener of the run adds work.
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
  // If a run left a listener on a stream, the run and everything that it loaded would stay in memory permanently.
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

/**
 * Discards the evaluated bundles if libraries would now read other variables. Our own code reads its variables in
 * each run.
 */
function noteSurroundings(args, env) {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('PARTNER_'))
  const now = JSON.stringify([others, args.includes('--no-color')])
  if (now !== surroundings) evaluated.clear()
  surroundings = now
}

/**
 * Starts a process whose ID the runs here report as their own. An open operation can be settled only once its process
 * is gone: killing this stand-in achieves that without ending the warm process.
 */
function startStandIn() {
  // `cat` ends when this process ends, because that closes its input.
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

/** Writes text after the output of a run. Its reader may be slow, and the pipe full. */
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

/**
 * Returns whether a run has left nothing active. In a separate process, everything would have ended with the process.
 */
async function isIdle() {
  for (let turn = 0; turn < TURNS; turn++) {
    if (process.getActiveResourcesInfo().every((name) => OWN_RESOURCES.has(name))) return true
    await new Promise((resolve) => setImmediate(resolve))
  }
  return false
}
