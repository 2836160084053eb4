import { textOrNull } from '../shared/members.ts'
import { own } from '../shared/output.ts'

/** A table name of a POS, beside what it is at the service. */
export const checkedName = own((z) => ({
  pos: textOrNull(z).describe('null: a table of the service that no name means'),
  lines: z.array(z.int().min(1)).describe('the lines that say it'),
  kind: z.enum(['same', 'spelling', 'joined', 'id', 'ambiguous', 'missing', 'unused']),
  differences: z.array(z.enum(['unicode', 'spaces', 'punctuation', 'case', 'zeros', 'prefix'])),
  doubled: z.boolean().describe('another line of the file means the same table'),
  service: textOrNull(z).describe('the name to send; null: nobody can tell'),
  tableId: textOrNull(z),
  section: textOrNull(z),
  candidates: z
    .array(z.looseObject({ name: z.string(), tableId: textOrNull(z), section: textOrNull(z) }))
    .describe('tables that it could mean; none was chosen'),
  parts: z.array(z.string()).describe('the single tables of joined ones'),
  next: textOrNull(z).describe('what to do'),
}))
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
