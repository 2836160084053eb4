import { textOrNull } from '../shared/members.ts'
import { own, type Printed } from '../shared/output.ts'

/** A table name of a POS, next to the service's. */
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

/** A name of the POS, or a table of the service that no name means (`unused`). */
export type CheckedName = Printed<typeof checkedName>

/** A table, as the service lists it. Its ID and section are null if the service does not say them. */
export type ServiceTable = CheckedName['candidates'][number]

/**
 * `same`: a table has this name. `spelling`: a table has it, spelt otherwise. `joined`: the name of joined tables.
 * `id`: the ID of a table. `ambiguous`: it could be several tables. `missing`: it is none.
 */
export type MatchKind = Exclude<CheckedName['kind'], 'unused'>

/** How two spellings of one table name may differ. */
export type Difference = CheckedName['differences'][number]
