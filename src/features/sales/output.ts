import { count, status, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'
import { KINDS } from './reconcile/ledger.ts'

/** An accepted sale: the service's answer, or only its ID if the answer is empty. */
export const submitted = own((z) => ({ saleId: textOrNull(z).optional() }))

export const imported = own((z) => ({
  line: count(z),
  saleId: textOrNull(z),
  outcome: z.string(),
  status: status(z),
  message: textOrNull(z),
}))

/** The total of the sales of one currency and type in an import. */
export const importTotal = own((z) => ({
  currency: textOrNull(z),
  type: z.string(),
  sales: count(z),
  totalCents: z.int().nullable().describe('below 0 for refunds; null: no sale has a total'),
  total: textOrNull(z).describe('decimal text in currency units, such as 12.50'),
}))

/** A comparison of closings with the service's sales. Amounts are exact decimal texts in currency units. */
export const reconciled = own((z) => {
  const amount = () => z.string().describe('currency units, an exact decimal')
  return {
    differences: z.array(
      z.looseObject({
        kind: z.enum(KINDS),
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
      byKind: z.looseObject(Object.fromEntries(KINDS.map((kind) => [kind, amount()]))),
    }),
  }
})
export type PrintedDifference = Printed<typeof reconciled>['differences'][number]
