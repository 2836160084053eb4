import { textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

/** A table name from the POS, and the service's table for it. */
export const checkedName = own((z) => ({
  pos: textOrNull(z).describe('null for a service table that no name refers to'),
  lines: z.array(z.int().min(1)).describe('the lines with this name'),
  kind: z.enum(['same', 'spelling', 'joined', 'id', 'ambiguous', 'missing', 'unused']),
  differences: z.array(z.enum(['unicode', 'spaces', 'punctuation', 'case', 'zeros', 'prefix'])),
  doubled: z.boolean().describe('another line of the file refers to the same table'),
  service: textOrNull(z).describe('the name to send; null if unknown or ambiguous'),
  tableId: textOrNull(z),
  section: textOrNull(z),
  candidates: z
    .array(z.looseObject({ name: z.string(), tableId: textOrNull(z), section: textOrNull(z) }))
    .describe('tables that the name could refer to; none of them was chosen'),
  parts: z.array(z.string()).describe('for joined tables, the individual tables'),
  next: textOrNull(z).describe('what to do'),
}))

/** A table name from the POS, or a service table that no name refers to (`unused`). */
export type CheckedName = Printed<typeof checkedName>

/** A table in the service's list. The ID and the section are `null` if the service does not send them. */
export type ServiceTable = CheckedName['candidates'][number]

/**
 * How a name matches the service's tables. `same` is a table's exact name, `spelling` is a different spelling of its
 * name, and `id` is its ID. `joined` stands for several joined tables, `ambiguous` could mean any of several tables,
 * and `missing` matches none.
 */
export type MatchKind = Exclude<CheckedName['kind'], 'unused'>

/** A difference between two spellings of the same table name. */
export type Difference = CheckedName['differences'][number]
