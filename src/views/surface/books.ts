import { textOrNull } from './members.ts'
import { own } from './output.ts'

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
