import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { SEED } from '../../money/seeds.ts'
import { freshDirectory } from '../../support/partner.ts'
import { startPartner } from '../../support/running.ts'
import { ids, openTill, outcomes, sale, type Till } from './importing.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)

/**
 * Counts the disk and network operations of a run, and kills the process at operation number KILLED_AT. If that
 * operation writes to a file, only half of the data is written.
 */
const KILLER = `
  const fs = require('node:fs'), { Socket } = require('node:net'), { DatabaseSync } = require('node:sqlite')
  const at = Number(process.env.KILLED_AT), report = process.env.STEPS_REPORT
  let steps = 0
  const step = (half) => {
    if (++steps !== at) return
    half?.()
    process.kill(process.pid, 'SIGKILL')
  }
  const { writeSync } = fs
  fs.writeSync = (to, what, ...rest) => {
    step(() => writeSync(to, what.slice(0, what.length / 2)))
    return writeSync(to, what, ...rest)
  }
  for (const [object, name] of [[fs, 'fdatasyncSync'], [DatabaseSync.prototype, 'exec'], [Socket.prototype, '_writeGeneric']]) {
    const real = object[name]
    object[name] = function (...args) {
      step()
      return real.apply(this, args)
    }
  }
  process.on('exit', () => report && fs.writeFileSync(report, String(steps)))
`

const COUNT = 12

/** Opens a till whose file has one malformed line, and two sales whose responses are lost. */
async function evening(): Promise<Till> {
  const till = await openTill([...ids(COUNT).map((id) => sale(id)), '{half'])
  till.server.setFaults('write', 'T-4', [{ kind: 'lost', loss: 'reset', phase: 'after' }])
  till.server.setFaults('write', 'T-7', [{ kind: 'lost', loss: 'reset', phase: 'before' }])
  return till
}

async function importOf(till: Till, env: Readonly<Record<string, string>> = {}) {
  return startPartner(['sales', 'import', till.file], { env: { ...till.env, ...env }, preload: KILLER }).ended
}

async function stepsOfOne(): Promise<number> {
  const report = join(freshDirectory(), 'steps')
  await importOf(await evening(), { STEPS_REPORT: report })
  return Number(readFileSync(report, 'utf8'))
}

test('an import that is killed and run again has the same result as an uninterrupted import', {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const undisturbed = outcomes(await importOf(await evening()))
  expect(undisturbed.map(([, , outcome]) => outcome)).toEqual([...ids(COUNT).map(() => 'accepted'), 'invalid'])
  const steps = await stepsOfOne()
  const { integer: whole } = chance(SEED)
  let kills = 0
  for (let kill = 1; kill <= KILLS; kill++) {
    const till = await evening()
    const at = whole(1, steps)
    const context = `killed at step ${at} of ${steps} (PARTNER_SEED=${SEED}, kill ${kill})`
    const killed = await importOf(till, { KILLED_AT: String(at) })
    if (killed.code === null) kills++
    const again = await importOf(till)
    expect(again.code, `${context}: ${again.stderr}`).toBe(11)
    expect(outcomes(again), context).toEqual(undisturbed)
    const commits = ids(COUNT).map((id) => till.server.commitsOn(id))
    expect(commits, `${context}: ${killed.code}`).toEqual(ids(COUNT).map(() => 1))
    // The killed run may leave an incomplete journal, but that must not make the next run fail.
    expect(existsSync(till.journal), context).toBe(true)
    const open = (await till.operations()).filter(({ state }) => state === 'open')
    expect(open, context).toEqual([])
  }
  // The number of steps varies with retries, so some runs may end before the step at which they would be killed.
  expect(kills).toBeGreaterThan(KILLS / 2)
})

test('an import that is killed repeatedly has the same result as an uninterrupted import', async () => {
  const till = await evening()
  const { integer: whole } = chance(SEED + 1)
  for (let times = 0; times < 5; times++) await importOf(till, { KILLED_AT: String(whole(20, 120)) })
  expect((await importOf(till)).code).toBe(11)
  expect(ids(COUNT).map((id) => till.server.commitsOn(id))).toEqual(ids(COUNT).map(() => 1))
})
