import { always, sureInteger } from './facts.ts'
import { lenientObject, type Schema, schema } from './schema.ts'

/**
 * The query for one page of a list. It requests `Limit` records, starting at the zero-based offset `StartIndex`. This
 * is an assumption: the specification does not describe paging.
 */
export const pageQuery = schema((z) =>
  z.object({ Limit: z.int().min(1).optional(), StartIndex: z.int().min(0).optional() }),
)

/**
 * One page of a list. It is unknown whether `length` is the size of the page or of the whole result. The shape is
 * assumed: the specification does not describe it.
 */
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
 * Possible names of the member that contains the records, for lists whose format is undocumented. The most likely name
 * comes first.
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
