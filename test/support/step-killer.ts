import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Environment, freshDirectory, type Run } from './partner.ts'
import { startPartner } from './running.ts'

/** The step at which a run kills itself, counted from 1. With 0, it does not kill itself. */
export interface Blow {
  readonly at: number
  readonly how: (typeof HOWS)[number]
}

/** When a run is killed: before a step, after half of the step's bytes are written, or after the step. */
export const HOWS = ['before', 'half', 'after'] as const

export const NO_BLOW: Blow = { at: 0, how: 'before' }

export interface SteppedRun extends Run {
  /** The number of steps that the run began, including the step at which it was killed. */
  readonly steps: number
  /** Whether the run had sent a request by the time it ended. */
  readonly hasSent: boolean
}

/**
 * A preloaded script that counts the steps of a run and kills it at one of them. A step is an operation on a file in
 * the directory for temporary files, a BEGIN or COMMIT, or a write to a connection or to stdout. Long file writes are
 * split into several steps.
 */
const KILLER = `
const fs = require('node:fs')
const { Socket } = require('node:net')
const { DatabaseSync } = require('node:sqlite')
const { KILL_IN: home, KILL_AT: at, KILL_HOW: how, KILL_REPORT: report } = process.env
const real = { ...fs }
const own = new Set()
let steps = 0
let hasSent = false
const note = () => real.writeFileSync(report, JSON.stringify({ steps, hasSent }))
const step = (half, work) => {
  if (++steps !== Number(at)) return work()
  if (how === 'half' && half) half()
  // Kill the process even if the step itself fails, for example because a file is missing.
  try {
    if (how === 'after') work()
  } finally {
    note()
    process.kill(process.pid, 'SIGKILL')
  }
}
// On Windows, the tool might use a Linux path with backslashes or with a drive letter.
const isOurs = (path) => String(path).replaceAll('\\\\', '/').replace(/^[a-z]:/i, '').startsWith(home)
fs.openSync = (path, ...rest) => {
  if (!isOurs(path)) return real.openSync(path, ...rest)
  const open = () => real.openSync(path, ...rest)
  const descriptor = step(null, open)
  own.add(descriptor)
  return descriptor
}
fs.closeSync = (descriptor) => {
  own.delete(descriptor)
  return real.closeSync(descriptor)
}
const others = 'rename link unlink rm mkdir rmdir truncate ftruncate fdatasync fsync writeFile appendFile utimes futimes'
for (const name of others.split(' ').map((other) => other + 'Sync'))
  fs[name] = (...args) => {
    const work = () => real[name](...args)
    return own.has(args[0]) || isOurs(args[0]) ? step(null, work) : work()
  }
fs.writeSync = (descriptor, what, offset, length, position) => {
  if (!own.has(descriptor)) return real.writeSync(descriptor, what, offset, length, position)
  const bytes = Buffer.from(what)
  const [from, some] = typeof what === 'string' ? [0, bytes.length] : [offset ?? 0, Math.min(length ?? bytes.length, 40000)]
  const write = (size) => real.writeSync(descriptor, bytes, from, size, typeof what === 'string' ? offset : position)
  return step(() => write(some >> 1), () => write(some))
}
const wrap = (object, name, before = () => {}) => {
  const method = object[name]
  object[name] = function (...args) {
    const work = () => method.apply(this, args)
    return before(this) === 'no step' ? work() : step(null, work)
  }
}
wrap(DatabaseSync.prototype, 'exec')
wrap(Socket.prototype, '_writeGeneric', (socket) => {
  if (socket === process.stdout || socket === process.stderr) return 'no step'
  hasSent = true
})
const { stdout } = process
const write = stdout.write.bind(stdout)
stdout.write = (text, ...rest) =>
  text.length === 0 ? write(text, ...rest) : step(() => write(text.slice(0, text.length >> 1)), () => write(text, ...rest))
process.on('exit', note)
`

/** Runs the tool in a new process that kills itself at a step. */
export async function runUntilStep(args: readonly string[], env: Environment, { at, how }: Blow): Promise<SteppedRun> {
  const report = join(freshDirectory(), 'steps')
  const killing = { KILL_IN: tmpdir(), KILL_AT: String(at), KILL_HOW: how, KILL_REPORT: report }
  const run = await startPartner(args, { env: { ...env, ...killing }, preload: KILLER }).ended
  if (!existsSync(report)) return { ...run, steps: 0, hasSent: false }
  return { ...run, ...JSON.parse(readFileSync(report, 'utf8')) }
}

/** Counts the killed runs, and how many of them had sent a request. */
export function countKills() {
  let [kills, transfers] = [0, 0]
  return {
    get kills() {
      return kills
    },
    add: ({ code, hasSent }: Pick<SteppedRun, 'code' | 'hasSent'>) => {
      if (code !== null) return
      kills++
      if (hasSent) transfers++
    },
    /** Expects at least half of the killed runs to have sent a request. Returns the counts as one line of text. */
    expectMost: (runs: string): string => {
      expect(kills).toBeGreaterThan(0)
      expect(transfers, `of ${kills} kills`).toBeGreaterThanOrEqual(kills / 2)
      return `${kills} kills of ${runs}; ${transfers} hit a transfer`
    },
  }
}
