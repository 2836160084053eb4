import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chance } from '../../money/chance.ts'
import { SEED } from '../../money/seeds.ts'
import { countKills, HOWS, NO_BLOW, runUntilStep, type SteppedRun } from '../../support/step-killer.ts'
import { ids, openTill, outcomes, sale, type Till } from './importing.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)

const COUNT = 12

/** Sets up a till whose file has a malformed line, and a service that resets the connection during two of the sales. */
async function evening(): Promise<Till> {
  const till = await openTill([...ids(COUNT).map((id) => sale(id)), '{half'])
  till.server.setFaults('write', 'T-4', [{ kind: 'lost', loss: 'reset', phase: 'after' }])
  till.server.setFaults('write', 'T-7', [{ kind: 'lost', loss: 'reset', phase: 'before' }])
  return till
}

function importOf({ file, env }: Till, blow = NO_BLOW): Promise<SteppedRun> {
  return runUntilStep(['sales', 'import', file], env, blow)
}

test('an import that is killed and run again has the same result as an uninterrupted import', {
  timeout: 120_000 + KILLS * 20_000,
}, async ({ annotate }) => {
  const whole = await importOf(await evening())
  const undisturbed = outcomes(whole)
  expect(undisturbed.map(([, , outcome]) => outcome)).toEqual([...ids(COUNT).map(() => 'accepted'), 'invalid'])
  const random = chance(SEED)
  const count = countKills()
  for (let kill = 1; kill <= KILLS; kill++) {
    const till = await evening()
    const blow = { at: random.integer(1, whole.steps), how: random.pick(HOWS) }
    const context = `killed ${blow.how} step ${blow.at} of ${whole.steps} (PARTNER_SEED=${SEED}, kill ${kill})`
    const killed = await importOf(till, blow)
    count.add(killed)
    const again = await importOf(till)
    expect(again.code, `${context}: ${again.stderr}`).toBe(11)
    expect(outcomes(again), context).toEqual(undisturbed)
    const commits = ids(COUNT).map((id) => till.server.commitsOn(id))
    expect(commits, `${context}: ${killed.code}`).toEqual(ids(COUNT).map(() => 1))
    // The killed run may leave an incomplete journal. The next run must accept it.
    expect(existsSync(till.journal), context).toBe(true)
    const open = (await till.operations()).filter(({ state }) => state === 'open')
    expect(open, context).toEqual([])
  }
  await annotate(count.expectMost('sales imports'))
})

test('an import that is killed repeatedly has the same result as an uninterrupted import', async () => {
  const till = await evening()
  const random = chance(SEED + 1)
  for (let times = 0; times < Math.min(KILLS, 5); times++)
    await importOf(till, { at: random.integer(40, 240), how: 'half' })
  expect((await importOf(till)).code).toBe(11)
  expect(ids(COUNT).map((id) => till.server.commitsOn(id))).toEqual(ids(COUNT).map(() => 1))
})
