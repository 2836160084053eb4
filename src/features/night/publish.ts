import type { DatabaseRows, TextRow } from '../../sync/database-rows.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import type { FigureParameters } from './booked.ts'
import type { Night } from './business-day.ts'
import { FIGURES, type FigureName, type Resource, syncLagSql } from './figures.ts'

/** How up to date each venue's copies are, by venue name. */
export type Synced = ReadonlyMap<string, readonly SyncedUpTo[]>

/** How up to date a resource's copy is. */
export interface SyncedUpTo {
  readonly source: string
  readonly resource: string
  /** The time up to which the copy has all changes, in ISO 8601; `null` before the first commit. */
  readonly upTo: string | null
  readonly timezone: string | null
}

export interface FigureStatement {
  readonly figure: FigureName | 'sync-lag'
  readonly says: string
  /** One statement with its `;`; `null` if the copy lacks the required data. */
  readonly sql: string | null
  /** Venues that are omitted because the copy lacks their records. */
  readonly without: readonly string[]
}

/** The rows that the copy returned for each figure. */
export type FigureRows = ReadonlyMap<FigureName, readonly TextRow[]>

/** Returns whether a sync of the resource has ever committed. */
export function hasResource(synced: Synced, source: string, resource: Resource): boolean {
  return synced.get(source)?.some((one) => one.resource === resource && one.upTo !== null) ?? false
}

/** Builds the SQL of each figure. `sources` are the venues named on the command line. */
export function buildStatements(
  dialect: Dialect,
  asked: FigureParameters & { readonly synced: Synced },
  sources: readonly string[],
): FigureStatement[] {
  const says = 'The time up to which the copy has all changes, on the clock of the service.'
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

/** Queries every figure except the sync lag, which is already known. Throws whatever the copy throws. */
export async function queryFigures(copy: DatabaseRows, published: readonly FigureStatement[]): Promise<FigureRows> {
  const answers = new Map<FigureName, readonly TextRow[]>()
  for (const { figure, sql } of published)
    if (sql !== null && figure !== 'sync-lag') answers.set(figure, await copy.rows(sql))
  return answers
}

/** Joins all statements into one script with comments. */
export function formatScript(published: readonly FigureStatement[]): string {
  return published
    .map(({ figure, says, sql, without }) => {
      const lack = without.length === 0 ? [] : [`not in this copy: ${without.map(commentSafe).join(', ')}`]
      const comments = [figure, says, ...lack].map((line) => `-- ${line}\n`).join('')
      return comments + (sql === null ? '' : `${sql}\n`)
    })
    .join('\n')
}

/** Removes line breaks from a venue's name, because a line break would end the SQL comment. */
function commentSafe(source: string): string {
  return source.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}
