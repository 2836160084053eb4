import { describe, expect, test } from 'vitest'
import { History } from './history.ts'
import { HISTORIES, SEED } from './seeds.ts'
import { ANSWERS } from './twists/answers.ts'
import { BALANCES } from './twists/balances.ts'
import { CLOCKS } from './twists/clocks.ts'
import { INTERRUPTS } from './twists/interrupts.ts'
import { PROXIES } from './twists/proxies.ts'
import { SALES } from './twists/sales.ts'
import { continueRandomly } from './twists/twist.ts'

const TWISTS = Object.entries({ ...INTERRUPTS, ...PROXIES, ...ANSWERS, ...SALES, ...BALANCES, ...CLOCKS })

const seeds = Array.from({ length: HISTORIES }, (_, at) => SEED + at)
const tally = { settled: 0, open: 0 }

describe('partner survives random faults during money writes', () => {
  test.each(seeds)('writes move money at most once and are reported correctly, with seed %i', async (seed) => {
    const [name, play] = TWISTS[seed % TWISTS.length] as (typeof TWISTS)[number]
    const history = await History.begin(seed)
    try {
      await play(history)
      await continueRandomly(history)
      await history.finish()
      for (const intent of history.intents) tally[history.findOpen(intent) ? 'open' : 'settled']++
    } catch (error) {
      const alone = `PARTNER_SEED=${seed} PARTNER_HISTORIES=1 npx vitest run test/money/histories.test.ts`
      const said = error instanceof Error ? error.message : String(error)
      throw new Error(`${name}: ${said}\n  ${history.script.join('\n  ')}\nto run only this history: ${alone}`, {
        cause: error,
      })
    }
  })
})

test('most operations in the random tests end with a known outcome', () =>
  expect(tally.settled).toBeGreaterThan(tally.open))
