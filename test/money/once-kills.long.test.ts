import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import { BLOWS, type Blow, describeBlow, findBlow } from './once/blows.ts'
import { KillRounds } from './once/kill-rounds.ts'
import { openKillShop, orderOf } from './once/kill-shop.ts'
import { SEED } from './seeds.ts'
import { COMMANDS, type MoneyCommand } from './till.ts'

needs(OWN_POSTGRES)
const postgres = postgresServer()

const ALL_RUNS = 300
/** The number of runs in each test. */
const RUNS = Number(process.env['PARTNER_KILLS'] ?? ALL_RUNS)
const RUNS_PER_ROUND = 3
const TIMEOUT = { timeout: 3_600_000 }

/**
 * The faults in the opening runs of each round. Every fault is injected once into a first run, and once into a second
 * run after the first run's write was lost.
 */
const OPENINGS = [
  ...BLOWS.map((blow) => [blow]),
  ...BLOWS.map((blow) => [findBlow('lose before write 1, which arrives never'), blow]),
]
/** The step in OPENINGS from one round to the next. It is large, so even a few rounds include every kind of fault. */
const STRIDE = 31

describe.each(COMMANDS)('%s --once', (command) => {
  test(
    `${RUNS} runs on two hosts perform an order once and print the same receipt, although many are killed`,
    TIMEOUT,
    async () => {
      const order = orderOf(command, 1)
      const rounds = new KillRounds(await openKillShop(postgres, [order]))
      await rounds.play(order, { seed: SEED, runs: RUNS, undone: Math.floor(RUNS / 2) })
    },
  )

  test(`${RUNS} runs on two hosts perform each order once, even if the first runs are killed`, TIMEOUT, async () => {
    const orders = Array.from({ length: Math.ceil(RUNS / RUNS_PER_ROUND) }, (_, at) => orderOf(command, at + 1))
    const rounds = new KillRounds(await openKillShop(postgres, orders))
    for (const [at, order] of orders.entries()) {
      const opening = OPENINGS[(at * STRIDE + COMMANDS.indexOf(command)) % OPENINGS.length]
      await rounds.play(order, { seed: SEED + at, runs: RUNS_PER_ROUND, opening })
    }
    if (RUNS < ALL_RUNS) return
    const missed = BLOWS.filter((blow) => isExpected(blow, command) && !rounds.struck.has(describeBlow(blow)))
    expect(missed.map(describeBlow), 'faults that were not injected into any run').toEqual([])
  })
})

/** Returns whether at least one run must reach this fault. Few runs of `sales create` send more than one read. */
function isExpected({ at, number }: Blow, command: MoneyCommand): boolean {
  return command !== 'sales create' || at !== 'read' || number === 1
}
