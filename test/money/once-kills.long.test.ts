import { describe, expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import { BLOWS, describeBlow } from './once/blows.ts'
import { KillRounds } from './once/kill-rounds.ts'
import { openKillShop, orderOf } from './once/kill-shop.ts'
import { SEED } from './seeds.ts'
import { COMMANDS } from './till.ts'

needs(OWN_POSTGRES)
const postgres = postgresServer()

/** How often each test runs its command. */
const RUNS = Number(process.env['PARTNER_KILLS'] ?? 300)
const RUNS_PER_ROUND = 6
const TIMEOUT = { timeout: 3_600_000 }

describe.each(COMMANDS)('%s --once', (command) => {
  test(
    `an order is done once, and all answers are equal, in ${RUNS} runs on two hosts that are killed`,
    TIMEOUT,
    async () => {
      const order = orderOf(command, 1)
      const rounds = new KillRounds(await openKillShop(postgres, [order]))
      await rounds.play(order, { seed: SEED, runs: RUNS, undone: Math.floor(RUNS / 2) })
    },
  )

  test(
    `each order is done once, whatever happened to its first run, in ${RUNS} runs on two hosts`,
    TIMEOUT,
    async () => {
      const orders = Array.from({ length: Math.ceil(RUNS / RUNS_PER_ROUND) }, (_, at) => orderOf(command, at + 1))
      const rounds = new KillRounds(await openKillShop(postgres, orders))
      for (const [at, order] of orders.entries())
        await rounds.play(order, { seed: SEED + at, runs: RUNS_PER_ROUND, first: BLOWS[at % BLOWS.length] })
      const missed = BLOWS.map(describeBlow).filter((blow) => !rounds.struck.has(blow))
      process.stderr.write(`${command} missed: ${missed.join('; ')}\n`)
      expect(rounds.struck.size).toBeGreaterThan(0)
    },
  )
})
