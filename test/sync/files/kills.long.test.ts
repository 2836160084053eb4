import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { freshDirectory, freshHome, type Run, runPartner } from '../../support/partner.ts'
import { startPartner } from '../../support/running.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)
const SEED = Number(process.env['PARTNER_SEED'] ?? 1)

const venue = await venueOfThisFile()
const SINCE = ['--since', new Date(Date.now() - 75 * 86_400_000).toISOString()]

/**
 * A preloaded script that counts partner's operations on stdout and on the files in a directory, and kills partner
 * before, during or after one of them. It splits writes into smaller ones, so that there are more points at which to
 * kill.
 */
const KILLER = `
const fs = require('node:fs')
const { KILL_IN: home, KILL_AT: at, KILL_HOW: how, KILL_COUNT: count } = process.env
let steps = 0
const own = new Set()
const die = () => process.kill(process.pid, 'SIGKILL')
const step = (half, work) => {
  if (++steps !== Number(at)) return work()
  if (how === 'half' && half) half()
  // An attempt to open a missing file also counts as a step.
  try {
    if (how === 'after') work()
  } finally {
    die()
  }
}
const real = { ...fs }
// In Windows, the tool may write /tmp as \\\\tmp or as Z:\\\\tmp.
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
fs.renameSync = (from, to) => (isOurs(to) ? step(null, () => real.renameSync(from, to)) : real.renameSync(from, to))
for (const name of ['truncateSync', 'ftruncateSync', 'fdatasyncSync', 'fsyncSync'])
  fs[name] = (what, ...rest) =>
    own.has(what) || isOurs(what) ? step(null, () => real[name](what, ...rest)) : real[name](what, ...rest)
fs.writeSync = (descriptor, bytes, offset = 0, length = bytes.length - offset, position) => {
  if (!own.has(descriptor)) return real.writeSync(descriptor, bytes, offset, length, position)
  const some = Math.min(length, 40000)
  const write = (size) => real.writeSync(descriptor, bytes, offset, size, position)
  return step(() => write(some >> 1), () => write(some))
}
const { stdout } = process
const write = stdout.write.bind(stdout)
stdout.write = (text, ...rest) =>
  text.length === 0 ? write(text, ...rest) : step(() => write(text.slice(0, text.length >> 1)), () => write(text, ...rest))
process.on('exit', () => real.writeFileSync(count, String(steps)))
`

interface Try {
  readonly run: Run
  readonly steps: number
  readonly again: () => Promise<Run>
  readonly file: string | null
  readonly path: string
}

/** Syncs into a new directory. `at` is the step at which to kill partner, or 0 if it must not be killed. */
async function syncInto(name: string, at: number, how: string, flags: readonly string[] = []): Promise<Try> {
  const home = freshDirectory()
  const path = join(home, name)
  const counted = join(freshDirectory(), 'count')
  const env = { ...freshHome(), PARTNER_DATA_DIR: home, ...venue.env }
  const args = ['bookings', 'sync', '--to', name === '-' ? '-' : path, ...SINCE, ...flags]
  const killing = { KILL_IN: home, KILL_AT: String(at), KILL_HOW: how, KILL_COUNT: counted }
  const run = await startPartner(args, { env: { ...env, ...killing }, preload: KILLER }).ended
  return {
    run,
    steps: existsSync(counted) ? Number(readFileSync(counted, 'utf8')) : 0,
    again: () => runPartner(args, { env }),
    file: existsSync(path) ? readFileSync(path, 'utf8') : null,
    path,
  }
}

const turns = Array.from({ length: KILLS }, (_, turn) => turn)

describe.each(['b.ndjson', 'b.csv'])('killed syncs to %s', (name) => {
  const whole = syncOnce(name)

  test.each(turns)(
    'after a sync is killed at random point %i, the next run completes the file as if nothing had happened',
    async (turn) => {
      const { file, steps } = await whole()
      const at = chance(SEED + turn).integer(1, steps)
      const how = ['before', 'half', 'after'][turn % 3] ?? ''
      const killed = await syncInto(name, at, how)
      const what = `step ${at} of ${steps}, ${how}`
      expect(killed.run.code, what).toBe(null)
      expect(await killed.again(), what).toMatchObject({ code: 0 })
      expect(readFileSync(killed.path, 'utf8') === file, what).toBe(true)
      expect((await killed.again()).stderr).toMatch(/ 0 new, 0 changed/)
      expect(readFileSync(killed.path, 'utf8') === file, what).toBe(true)
    },
  )
})

describe('killed syncs to stdout', () => {
  const whole = syncOnce('-')

  test.each(turns)(
    'a sync killed at random point %i and the next run together print every line in order',
    async (turn) => {
      const { run, steps } = await whole()
      const at = chance(SEED + turn).integer(1, steps)
      const how = ['before', 'half', 'after'][turn % 3] ?? ''
      const killed = await syncInto('-', at, how)
      const second = await killed.again()
      expect(second.code).toBe(0)
      const first = killed.run.stdout.slice(0, killed.run.stdout.lastIndexOf('\n') + 1)
      const lines = new Set(`${first}${second.stdout}`.split('\n').slice(0, -1))
      expect([...lines].join('\n') === run.stdout.trimEnd(), `step ${at} of ${steps}, ${how}`).toBe(true)
      expect((await killed.again()).stdout).toBe('')
    },
  )
})

test('after sync --reset is killed at any point, the next run completes the file', async () => {
  const file = (await syncInto('b.ndjson', 0, '')).file ?? ''
  const { steps } = await syncInto('b.ndjson', 0, '', ['--reset', '--yes'])
  for (let at = 1; at < steps; at += Math.ceil(steps / KILLS)) {
    const killed = await syncInto('b.ndjson', at, 'after', ['--reset', '--yes'])
    await killed.again()
    expect(readFileSync(killed.path, 'utf8') === file, `step ${at} of ${steps}`).toBe(true)
  }
})

/**
 * Returns a function that performs an undisturbed sync on its first call and returns the same result on every later
 * call.
 */
function syncOnce(name: string): () => Promise<Try> {
  let done: Promise<Try> | undefined
  return () => {
    done ??= syncInto(name, 0, '').then((undisturbed) => {
      expect(undisturbed.run).toMatchObject({ code: 0 })
      expect(undisturbed.steps).toBeGreaterThan(20)
      return undisturbed
    })
    return done
  }
}
