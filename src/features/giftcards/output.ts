import type { Schema, Zod } from '../../contract/shapes/schema.ts'
import { count, instant, instantOrNull, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'
import { KINDS } from './statement/step.ts'

export const cancelled = own((z) => ({
  cardNumber: z.string(),
  status: z.string(),
  changed: z.boolean().describe('false if it was already cancelled'),
}))

const units = (z: Zod) => z.string().describe('currency units, with two decimal places')

const unitsOrNull = (z: Zod) => z.string().nullable().describe('currency units, with two decimal places')

const share = (z: Zod) => ({ cards: count(z), amount: units(z) })

/**
 * The amount currently owed on gift cards, which is the sum of the balances of all Active and PendingPostage cards.
 * `byAge` groups the amount by days since issue, and `byExpiry` groups it by month of expiry in the venue's time zone.
 * `pastExpiry` is the amount on cards that are past their expiry date. `unreadable` lists the cards without a readable
 * balance, which count as 0.
 */
const liability = own((z) => ({
  at: instant(z),
  owed: z.looseObject(share(z)),
  byStatus: z.array(z.looseObject({ status: z.string(), ...share(z), owed: z.boolean() })),
  byAge: z.array(z.looseObject({ age: z.string(), ...share(z) })),
  byExpiry: z.array(z.looseObject({ month: z.string(), ...share(z) })),
  pastExpiry: z.looseObject(share(z)),
  unreadable: z.array(z.string()),
}))
export type Liability = Printed<typeof liability>

/** The amounts owed on gift cards at two snapshots, and the movements between the snapshots. */
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
      kind: z.enum(KINDS),
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
      ...{ cardNumber: z.string(), command: z.string(), amount: unitsOrNull(z) },
      ...{ operations: z.array(z.string()), why: z.string() },
    }),
  ),
  open: z.array(
    z.looseObject({
      ...{ operation: z.string(), cardNumber: z.string(), command: z.string() },
      ...{ amount: unitsOrNull(z), fits: z.boolean() },
    }),
  ),
  notes: z.array(z.looseObject({ cardNumber: z.string(), text: z.string() })),
}))
export type PeriodRecord = Printed<typeof period>

/**
 * The output of `giftcards statement`: the statement for a period with `--copy`, otherwise the amount currently owed.
 */
export const cardStatement: Schema = (z) => z.union([period(z), liability(z)])

export const CARD_STATEMENT_ABOUT =
  'With --copy, a statement for a period; otherwise the amount currently owed. opening + issued - redeemed - cancelled - expired + adjusted + notExplained = closing.'
