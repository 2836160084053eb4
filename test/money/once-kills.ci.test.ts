import { describe, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../support/postgres.ts'
import { findBlow } from './once/blows.ts'
import { KillRounds } from './once/kill-rounds.ts'
import { openKillShop, orderOf } from './once/kill-shop.ts'
import { SEED } from './seeds.ts'
import { COMMANDS } from './till.ts'

// These tests run each command a few times. once-kills.long.test.ts runs each command hundreds of times.

needs(OWN_POSTGRES)
const postgres = postgresServer()

/** The first runs of two orders. The service does the write later, or the ledger does not receive the outcome. */
const OPENINGS = [
  [findBlow('lose before write 1, which arrives later'), null],
  [findBlow('kill before ledger 3'), null],
]

describe.each(COMMANDS)('%s --once', (command) => {
  test('an order is done once, and all answers are equal, although its runs on two hosts are killed', async () => {
    const orders = OPENINGS.map((_, at) => orderOf(command, at + 1))
    const rounds = new KillRounds(await openKillShop(postgres, orders))
    for (const [at, order] of orders.entries())
      await rounds.play(order, { seed: SEED + at, runs: 4, opening: OPENINGS[at] })
  })
})
