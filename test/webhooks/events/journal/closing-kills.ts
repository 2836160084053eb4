import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freshDirectory, NODE, runProgram } from '../../../support/partner.ts'
import { PER_DAY, timeOf } from './closing-time.ts'
import { bodiesIn } from './journals.ts'

const DAYS = 8
const SCRIPT = join(import.meta.dirname, 'closing-process.ts')
const KILLER = join(import.meta.dirname, 'killer.cjs')

/** Runs closing-process.ts in a new directory. Kills it at file operation `at`, or not at all if `at` is 0. */
export async function runAndKill(at: number, how: 'before' | 'half' | 'after') {
  const home = freshDirectory()
  const notes = freshDirectory()
  const [path, log, count] = [join(home, 'hooks.ndjson'), join(notes, 'log'), join(notes, 'count')]
  const run = (first: number, kill: number) =>
    runProgram(NODE, ['--require', KILLER, SCRIPT, path, log, `${first}`, `${DAYS}`], {
      env: { KILL_IN: home, KILL_AT: `${kill}`, KILL_HOW: how, KILL_COUNT: kill === 0 ? count : undefined },
    })
  const { code, stderr } = await run(0, at)
  expect(stderr).toMatch(/^(?:.*not known to be handled.*\n)*$/)
  const steps = existsSync(count) ? Number(readFileSync(count, 'utf8')) : 0
  return { home, path, log, code, steps, again: (first: number) => run(first, 0) }
}

/**
 * Checks that the journal has no duplicates and still has every delivery in the log that must be kept. Returns the
 * number of the last delivery, or -1 if there is none.
 */
export async function expectWhole(path: string, log: string, isWhere: string): Promise<number> {
  const notes = existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(0, -1) : []
  const numbers = (what: string) => notes.flatMap((line) => (line.endsWith(what) ? [Number.parseInt(line, 10)] : []))
  const [stored, handled] = [numbers('stored'), new Set(numbers('handled'))]
  const found = (await bodiesIn(path)).map(Number)
  const last = Math.max(-1, ...stored, ...found)
  expect(found, isWhere).toEqual([...new Set(found)].sort((a, b) => a - b))
  const mustBeThere = stored.filter((one) => !handled.has(one) || timeOf(one) >= timeOf(last) - 2 * 86_400_000)
  expect(found, isWhere).toEqual(expect.arrayContaining(mustBeThere))
  // The process might have been killed between storing a delivery and logging it.
  const extra = found.filter((one) => !stored.includes(one))
  expect(extra.length, isWhere).toBeLessThanOrEqual(1)
  return last
}

/**
 * Runs a process that is killed, and then a second one that continues its work. Checks the journal after each process.
 */
export async function killAndCheck(at: number, how: 'before' | 'half' | 'after'): Promise<void> {
  const isWhere = `step ${at}, ${how}`
  const { home, path, log, code, again } = await runAndKill(at, how)
  expect(code, isWhere).toBe(null)
  const last = existsSync(path) || readdirSync(home).length > 0 ? await expectWholeOrNone(path, log, isWhere) : -1
  const first = Math.ceil((last + 1) / PER_DAY) * PER_DAY
  expect(await again(first), isWhere).toMatchObject({ code: 0 })
  await expectWhole(path, log, isWhere)
  const names = readdirSync(home)
  expect(
    names.filter((name) => name.endsWith('.tmp') || /\d$/.test(name)),
    isWhere,
  ).toEqual([])
  const dropped = names.filter((name) => name.endsWith('.gz')).length
  expect(dropped, isWhere).toBeGreaterThan(2)
}

/** Like `expectWhole`, but accepts a missing journal, because the process might be killed before it creates one. */
async function expectWholeOrNone(path: string, log: string, isWhere: string): Promise<number> {
  const hasFiles = existsSync(path) || readdirSync(join(path, '..')).some((name) => name.startsWith('hooks.ndjson.2'))
  return hasFiles ? expectWhole(path, log, isWhere) : -1
}
