import type { TextRow } from '../../base/storage/text-row.ts'
import type { DatabaseRows } from '../../sync/database-rows.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import type { FigureParameters } from './booked.ts'
import type { Night } from './business-day.ts'
import { FIGURES, type FigureName, type Resource, syncLagSql } from './figures.ts'

/** For each venue, how up to date the copy of each resource is. */
export type Synced = ReadonlyMap<string, readonly SyncedUpTo[]>

/** How up to date the copy of one resource is. */
export interface SyncedUpTo {
  readonly source: string
  readonly resource: string
  /** The copy contains all changes up to this time, in ISO 8601. It is `null` until a sync has committed. */
  readonly upTo: string | null
  readonly timezone: string | null
}

export interface FigureStatement {
  readonly figure: FigureName | 'sync-lag'
  readonly says: string
  /** One statement, including the final `;`. It is `null` if the copy lacks the required records. */
  readonly sql: string | null
  /** The venues that the statement omits because the copy lacks their records. */
  readonly without: readonly string[]
}

/** The rows that the copy returned, by figure. */
export type FigureRows = ReadonlyMap<FigureName, readonly TextRow[]>

/** Returns whether a sync of this resource has ever been committed for a venue. */
export function hasResource(synced: Synced, source: string, resource: Resource): boolean {
  return synced.get(source)?.some((one) => one.resource === resource && one.upTo !== null) ?? false
}

/** Builds the SQL for each figure. `sources` are the venues that the command line names. */
export function buildStatements(
  dialect: Dialect,
  asked: FigureParameters & { readonly synced: Synced },
  sources: readonly string[],
): FigureStatement[] {
  const says = "The copy contains all changes up to this time, according to the service's clock."
  return [
    { figure: 'sync-lag', says, sql: `${syncLagSql(dialect, sources)};`, without: [] },
    ...FIGURES.map(({ name, says, needs, sql }) => {
      const isKnown = ({ source }: Night) => needs.every((one) => hasResource(asked.synced, source, one))
      const nights = asked.nights.filter(isKnown)
      return {
        figure: name,
        says,
        sql: nights.length === 0 ? null : `${sql(dialect, { ...asked, nights })};`,
        without: asked.nights.filter((night) => !isKnown(night)).map(({ source }) => source),
      }
    }),
  ]
}

/** Queries every figure except the sync lag, which has already been read. Throws if the copy cannot be read. */
export async function queryFigures(copy: DatabaseRows, published: readonly FigureStatement[]): Promise<FigureRows> {
  const answers = new Map<FigureName, readonly TextRow[]>()
  for (const { figure, sql } of published)
    if (sql !== null && figure !== 'sync-lag') answers.set(figure, await copy.rows(sql))
  return answers
}

/** Joins the statements into one script. A comment describes each statement. */
export function formatScript(published: readonly FigureStatement[]): string {
  return published
    .map(({ figure, says, sql, without }) => {
      const lack = without.length === 0 ? [] : [`not in this copy: ${without.map(commentSafe).join(', ')}`]
      const comments = [figure, says, ...lack].map((line) => `-- ${line}\n`).join('')
      return comments + (sql === null ? '' : `${sql}\n`)
    })
    .join('\n')
}

/** Replaces control characters in a venue's name, because a newline would end the SQL comment that contains it. */
function commentSafe(source: string): string {
  return source.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}
