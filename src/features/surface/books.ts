import type { Schema, Zod } from '../../contract/shapes/schema.ts'
import { count, instant, instantOrNull, textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** The kinds of `sales reconcile`. */
const RECONCILE_KINDS = ['missing', 'extra', 'doubled', 'total', 'unlinked', 'booking', 'orphan-refund', 'day'] as const

/** How a day's closings and the service's sales compare: amounts in currency units, as exact decimal texts. */
export const reconciled = own((z) => {
  const amount = () => z.string().describe('currency units, an exact decimal')
  const kinds = Object.fromEntries(RECONCILE_KINDS.map((kind) => [kind, amount()]))
  return {
    differences: z.array(
      z.looseObject({
        kind: z.enum(RECONCILE_KINDS),
        saleId: textOrNull(z),
        pos: textOrNull(z).describe('currency units; null: the file has none'),
        service: textOrNull(z).describe('currency units; null: the service has none'),
        difference: z.string().describe('what it adds to totals.difference, in currency units'),
        detail: z.string().describe('what is so'),
        next: z.string().describe('what to do'),
      }),
    ),
    totals: z.looseObject({
      pos: amount(),
      service: amount(),
      difference: z.string().describe('pos - service, and the sum of byKind'),
      byKind: z.looseObject(kinds),
    }),
  }
})

/** An amount in currency units, as text with two decimals. */
const units = (z: Zod) => z.string().describe('currency units, two decimals')

const unitsOrNull = (z: Zod) => z.string().nullable().describe('currency units, two decimals')

const share = (z: Zod) => ({ cards: count(z), amount: units(z) })

/** What is owed on gift cards now. */
const liability = own((z) => ({
  at: instant(z),
  owed: z.looseObject(share(z)),
  byStatus: z.array(z.looseObject({ status: z.string(), ...share(z), owed: z.boolean() })),
  byAge: z.array(z.looseObject({ age: z.string(), ...share(z) })),
  byExpiry: z.array(z.looseObject({ month: z.string(), ...share(z) })),
  pastExpiry: z.looseObject(share(z)),
  unreadable: z.array(z.string()),
}))

/** How it came about between two snapshots. */
const period = own((z) => ({
  source: z.string(),
  from: instant(z),
  to: instant(z),
  snapshots: count(z),
  opening: z.looseObject(share(z)),
  issued: units(z),
  redeemed: units(z),
  cancelled: units(z),
  expired: units(z),
  adjusted: units(z),
  notExplained: units(z),
  closing: z.looseObject(share(z)),
  redeemedHere: unitsOrNull(z),
  redeemedElsewhere: unitsOrNull(z),
  knownSince: instantOrNull(z),
  movements: z.array(
    z.looseObject({
      cardNumber: z.string(),
      kind: z.enum(['issued', 'redeemed', 'cancelled', 'expired', 'adjusted', 'not-explained']),
      amount: units(z),
      by: z.enum(['this machine', 'elsewhere']).nullable(),
      after: instant(z),
      seen: instant(z),
      statusBefore: textOrNull(z),
      statusAfter: textOrNull(z),
      why: textOrNull(z),
    }),
  ),
  notShown: z.array(
    z.looseObject({
      cardNumber: z.string(),
      command: z.string(),
      amount: unitsOrNull(z),
      operations: z.array(z.string()),
      why: z.string(),
    }),
  ),
  open: z.array(
    z.looseObject({
      operation: z.string(),
      cardNumber: z.string(),
      command: z.string(),
      amount: unitsOrNull(z),
      fits: z.boolean(),
    }),
  ),
  notes: z.array(z.looseObject({ cardNumber: z.string(), text: z.string() })),
}))

/** What `giftcards statement` prints: with `--copy` how it came about, else what is owed now. */
export const cardStatement: Schema = (z) => z.union([period(z), liability(z)])

export const CARD_STATEMENT_ABOUT =
  'With --copy the period, else what is owed now. opening + issued - redeemed - cancelled - expired + adjusted + notExplained = closing.'
