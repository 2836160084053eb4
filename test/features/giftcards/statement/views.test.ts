import { expect, test } from 'vitest'
import type { PeriodRecord } from '../../../../src/features/giftcards/output.ts'
import {
  movementList,
  statementCard,
  toStatementView,
} from '../../../../src/features/giftcards/statement/printed/views.ts'
import { createMovementFormatter, statementRecord } from '../../../../src/features/giftcards/statement/statement.ts'
import { openRuler } from '../../../../src/terminal/render/text/width.ts'
import { card, table } from '../../shown.ts'
import { type Histories, makeStatement } from './make-statement.ts'

const HOUR_MS = 3_600_000
const active = (left: number) => ({ status: 'Active', amount: 10_000n, remaining: BigInt(left) })

/** Builds a statement with every kind of movement and remark. `odd` is used both as a card number and as a status. */
function everything(odd: string): PeriodRecord {
  const opening = ['GIFT1-00000100-AAAA', 'GIFT2-00005025-AAAA', 'GIFT3-00003333-AAAA', odd, 'GONES-00000000-GGGG']
  const history: Histories = {
    takenMs: [0, 24 * HOUR_MS],
    opening: new Map(opening.map((number) => [number, { state: active(10_000), lastListed: active(10_000) }])),
    changes: [
      { card: 'GIFT1-00000100-AAAA', at: 1, state: active(6500) },
      { card: 'GIFT2-00005025-AAAA', at: 1, state: { ...active(7000), status: 'Expired' } },
      { card: odd, at: 1, state: { ...active(7000), status: odd } },
      { card: 'GONES-00000000-GGGG', at: 1, state: null },
      { card: 'NEWCA-00000000-NNNN', at: 1, state: { ...active(10_000), status: 'PendingPostage' } },
      { card: 'VOIDS-00000000-CCCC', at: 1, state: { ...active(10_000), status: 'Cancelled' } },
    ],
  }
  const write = (id: string, number: string, cents: bigint | null, isOpen = false) => ({
    ...{ id, command: cents === null ? 'giftcards cancel' : 'giftcards redeem', card: number, cents, isOpen },
    ...{ sentMs: 12 * HOUR_MS, balanceBefore: null, totalBefore: null },
  })
  const writes = [
    write('op_0123456789', 'GIFT1-00000100-AAAA', 2500n),
    write('op_1123456789', 'GIFT1-00000100-AAAA', 1000n, true),
    write('op_2123456789', 'GIFT3-00003333-AAAA', 3333n),
  ]
  const made = makeStatement(history, { writes, tellsWho: true })
  return statementRecord(made, made.movements.map(createMovementFormatter()), { source: odd, knownSinceMs: 0 })
}

test('a printed statement shows the amount owed, how it changed, and what cannot be explained', async () => {
  const shown = toStatementView(everything('Suspended'))
  const text = (await card(shown, statementCard(shown), movementList, { columns: 80 })).join('\n')
  expect(text).toContain(`Amount owed
  LINE                   UNITS  CARDS
  opening               500.00      5
  + issued              100.00      1
  - redeemed            -65.00      2
      by this machine   -25.00
      elsewhere         -40.00
  - cancelled             0.00      0
  - expired             -70.00      1
  ? not explained      -200.00      2
  = closing             265.00      3
`)
  expect(text).toContain(`
  GIFT1-00000100-AAAA  redeemed        -25.00  this machine  Active
  GIFT1-00000100-AAAA  redeemed        -10.00  elsewhere     Active
`)
  expect(text).toContain(`Done by this machine, but not shown by the service
  GIFT3-00003333-AAAA  giftcards redeem 33.33 (op_2123456789): the service shows
                       no redemption on the card
`)
  expect(text).toContain(`Not explained by the service
  GONES-00000000-GGGG  -100.00: the service no longer lists the card but does
                       not say why
  Suspended            -30.00: its balance fell, and it is Suspended: the
                       service does not say whether the difference was redeemed
                       beforehand
`)
  expect(text.replace(/\s+/g, ' ')).toContain('partner operations resolve')
})

test('a printed statement contains no control characters, even if card numbers and statuses do', async () => {
  const ruler = await openRuler(['寿司'])
  for (const odd of ['\u001b[2J\u0007', '\u202eevil\u200b', 'two\nlines', '👩‍👩‍👧‍👦 寿司', 'n'.repeat(500), '']) {
    const record = everything(odd)
    const shown = toStatementView(record)
    const lines = await card(shown, statementCard(shown), movementList, { columns: 80 })
    for (const line of [...lines, ...(await table(record.movements, movementList, { columns: 80 }))]) {
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u200b\u202a-\u202e]/)
      expect(ruler.width(line)).toBeLessThanOrEqual(80)
    }
  }
})
