import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import { OnceHistory } from './once/once-history.ts'
import { addPayments, playRandomly } from './once/twists.ts'
import { ONCE_HISTORIES, SEED } from './seeds.ts'

needs(OWN_POSTGRES)
const server = postgresServer()

const seeds = Array.from({ length: ONCE_HISTORIES }, (_, at) => SEED + at)
const tally = { paid: 0, other: 0 }

describe('random payments with keys on two hosts', () => {
  test.each(seeds)('payments are made at most once and are reported correctly, with seed %i', async (seed) => {
    const url = await database()
    const history = await OnceHistory.begin(seed, url, server)
    try {
      addPayments(history)
      await playRandomly(history)
      await history.finish()
      for (const { write } of history.payments) tally[history.committed(write) === 1 ? 'paid' : 'other']++
    } catch (error) {
      const alone = `PARTNER_SEED=${seed} PARTNER_HISTORIES=1 npx vitest run test/money/once-histories.ci.test.ts`
      const said = error instanceof Error ? error.message : String(error)
      throw new Error(`${said}\n  ${history.script.join('\n  ')}\nto run only this history: ${alone}`, { cause: error })
    }
  })
})

test('most payments in the random tests succeed', () => expect(tally.paid).toBeGreaterThan(tally.other))

let shared: string | undefined

/**
 * Returns the URL of a database without a ledger. All histories share the database, because creating one takes too
 * long.
 */
async function database(): Promise<string> {
  shared ??= await server.database()
  await server.query(shared, 'DROP SCHEMA IF EXISTS partner_ledger CASCADE')
  return shared
}
