import { integer } from './scalars.ts'
import { lenientObject, type Schema, schema } from './schema.ts'

/** Assumed paging: `Limit` records from the zero-based offset `StartIndex`. */
export const pageQuery = schema((z) =>
  z.object({ Limit: z.int().min(1).optional(), StartIndex: z.int().min(0).optional() }),
)

/** Assumed: `{from, to, length, items}`. Whether `length` counts the page or the whole result is not known. */
export const page = <S extends Schema>(item: S) =>
  schema((z) => lenientObject(z, { from: integer(z), to: integer(z), length: integer(z), items: z.array(item(z)) }))
