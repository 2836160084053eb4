import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { freshDirectory, freshHome, type Run, runPartner } from '../../support/partner.ts'
import { type Blow, countKills, HOWS, NO_BLOW, runUntilStep, type SteppedRun } from '../../support/step-killer.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)
const SEED = Number(process.env['PARTNER_SEED'] ?? 1)

const venue = await venueOfThisFile()
const SINCE = ['--since', new Date(Date.now() - 75 * 86_400_000).toISOString()]

interface Try {
  readonly run: SteppedRun
  readonly again: () => Promise<Run>
  readonly file: string | null
  readonly path: string
}

/** Syncs into a new directory and kills the sync at the step in `blow`. */
async function syncInto(name: string, blow: Blow, flags: readonly string[] = []): Promise<Try> {
  const home = freshDirectory()
  const path = join(home, name)
  const env = { ...freshHome(), PARTNER_DATA_DIR: home, ...venue.env }
  const args = ['bookings', 'sync', '--to', name === '-' ? '-' : path, ...SINCE, ...flags]
  return {
    run: await runUntilStep(args, env, blow),
    again: () => runPartner(args, { env }),
    file: existsSync(path) ? readFileSync(path, 'utf8') : null,
    path,
  }
}

const turns = Array.from({ length: KILLS }, (_, turn) => turn)

/** Returns a random step at which to kill the run. */
function blowOf(turn: number, steps: number): Blow {
  return { at: chance(SEED + turn).integer(1, steps), how: HOWS[turn % HOWS.length] ?? 'before' }
}

describe.each(['b.ndjson', 'b.csv'])('killed syncs to %s', (name) => {
  const whole = syncOnce(name)
  const count = countKills()

  test.each(turns)(
    'after a sync is killed at random point %i, the next run completes the file exactly as an uninterrupted sync would',
    async (turn) => {
      const { file, run } = await whole()
      const blow = blowOf(turn, run.steps)
      const killed = await syncInto(name, blow)
      const what = `${blow.how} step ${blow.at} of ${run.steps}`
      count.add(killed.run)
      expect(await killed.again(), what).toMatchObject({ code: 0 })
      expect(readFileSync(killed.path, 'utf8') === file, what).toBe(true)
      expect((await killed.again()).stderr).toMatch(/ 0 new, 0 changed/)
      expect(readFileSync(killed.path, 'utf8') === file, what).toBe(true)
    },
  )

  test('at least half of the killed syncs had sent a request', ({ annotate }) =>
    annotate(count.expectMost(`syncs to ${name}`)))
})

describe('killed syncs to stdout', () => {
  const whole = syncOnce('-')
  const count = countKills()

  test.each(turns)(
    'a sync killed at random point %i and the next run together print every line in order',
    async (turn) => {
      const { run } = await whole()
      const blow = blowOf(turn, run.steps)
      const killed = await syncInto('-', blow)
      count.add(killed.run)
      const second = await killed.again()
      expect(second.code).toBe(0)
      const first = killed.run.stdout.slice(0, killed.run.stdout.lastIndexOf('\n') + 1)
      const lines = new Set(`${first}${second.stdout}`.split('\n').slice(0, -1))
      expect([...lines].join('\n') === run.stdout.trimEnd(), `${blow.how} step ${blow.at} of ${run.steps}`).toBe(true)
      expect((await killed.again()).stdout).toBe('')
    },
  )

  test('at least half of the killed syncs had sent a request', ({ annotate }) =>
    annotate(count.expectMost('syncs to stdout')))
})

test('after sync --reset is killed at any point, the next run completes the file', {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const file = (await syncInto('b.ndjson', NO_BLOW)).file ?? ''
  const { steps } = (await syncInto('b.ndjson', NO_BLOW, ['--reset', '--yes'])).run
  for (let at = 1; at < steps; at += Math.ceil(steps / KILLS)) {
    const killed = await syncInto('b.ndjson', { at, how: 'after' }, ['--reset', '--yes'])
    await killed.again()
    expect(readFileSync(killed.path, 'utf8') === file, `step ${at} of ${steps}`).toBe(true)
  }
})

/** Returns a function that runs a complete sync on its first call and returns the same result on every call. */
function syncOnce(name: string): () => Promise<Try> {
  let done: Promise<Try> | undefined
  return () => {
    done ??= syncInto(name, NO_BLOW).then((undisturbed) => {
      expect(undisturbed.run).toMatchObject({ code: 0 })
      expect(undisturbed.run.steps).toBeGreaterThan(20)
      return undisturbed
    })
    return done
  }
}
