import { always, sureInteger } from './facts.ts'
import { lenientObject, type Schema, schema } from './schema.ts'

/** The query for a page of a list: `Limit` records, starting at the zero-based offset `StartIndex`. Assumed. */
export const pageQuery = schema((z) =>
  z.object({ Limit: z.int().min(1).optional(), StartIndex: z.int().min(0).optional() }),
)

/** A page of a list. It is unknown whether `length` counts the page or the whole result. Assumed. */
export const page = <S extends Schema>(item: S) =>
  schema((z) =>
    lenientObject(z, {
      from: sureInteger(z),
      to: sureInteger(z),
      length: sureInteger(z),
      items: always(z.array(item(z))),
    }),
  )

/**
 * Possible names of the member that holds the records, for lists whose shape is undocumented. The assumed name comes
 * first.
 */
export const LIST_MEMBERS: readonly string[] = [
  'items',
  'bookings',
  'customers',
  'giftCards',
  'sales',
  'data',
  'results',
  'records',
]
