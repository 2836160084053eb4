import { count, status, textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'
import { KINDS } from './reconcile/ledger.ts'

/** An accepted sale: the service's response, or only the sale ID if the response is empty. */
export const submitted = own((z) => ({ saleId: textOrNull(z).optional() }))

export const imported = own((z) => ({
  line: count(z),
  saleId: textOrNull(z),
  outcome: z.string(),
  status: status(z),
  message: textOrNull(z),
}))

/** The total of all sales in an import that have the same currency and type. */
export const importTotal = own((z) => ({
  currency: textOrNull(z),
  type: z.string(),
  sales: count(z),
  totalCents: z.int().nullable().describe('negative for refunds; `null` if no sale has a total'),
  total: textOrNull(z).describe('decimal text in currency units, such as 12.50'),
}))

/**
 * A comparison of the sales closed at the POS with the service's sales. Amounts are exact decimal strings in currency
 * units.
 */
export const reconciled = own((z) => {
  const amount = () => z.string().describe('currency units, an exact decimal')
  return {
    differences: z.array(
      z.looseObject({
        kind: z.enum(KINDS),
        saleId: textOrNull(z),
        pos: textOrNull(z).describe('currency units; `null` if the file has none'),
        service: textOrNull(z).describe('currency units; `null` if the service has none'),
        difference: z.string().describe('contribution to totals.difference, in currency units'),
        detail: z.string().describe('what differs, in words'),
        next: z.string().describe('what to do'),
      }),
    ),
    totals: z.looseObject({
      pos: amount(),
      service: amount(),
      difference: z.string().describe('pos - service, which is also the sum of byKind'),
      byKind: z.looseObject(Object.fromEntries(KINDS.map((kind) => [kind, amount()]))),
    }),
  }
})
export type PrintedDifference = Printed<typeof reconciled>['differences'][number]
