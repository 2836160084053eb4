import type { DatabaseRows, TextRow } from '../../sync/database-rows.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import type { Question } from './booked.ts'
import type { Night } from './business-day.ts'
import { FIGURES, type FigureName, type Resource, syncLagSql } from './figures.ts'

/** How far the copies of each venue go, by the name of the venue. */
export type Synced = ReadonlyMap<string, readonly SyncedUpTo[]>

/** How far the copy of a resource goes. */
export interface SyncedUpTo {
  readonly source: string
  readonly resource: string
  /** ISO 8601; null before the first commit. */
  readonly upTo: string | null
  readonly timezone: string | null
}

export interface Published {
  readonly figure: FigureName | 'sync-lag'
  readonly says: string
  /** One statement with its `;`; null if the copy lacks what it needs. */
  readonly sql: string | null
  /** Venues that are left out because the copy lacks their records. */
  readonly without: readonly string[]
}

/** The rows of each figure that was queried. */
export type Answers = ReadonlyMap<FigureName, readonly TextRow[]>

/** Whether a sync of the resource has committed. */
export function hasResource(synced: Synced, source: string, resource: Resource): boolean {
  return synced.get(source)?.some((one) => one.resource === resource && one.upTo !== null) ?? false
}

/** The SQL of each figure. `sources`: the venues named on the command line. */
export function publish(
  dialect: Dialect,
  asked: Question & { readonly synced: Synced },
  sources: readonly string[],
): Published[] {
  const says = 'Up to when the copy has all changes, by the clock of the service.'
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

/** Queries every figure except the sync lag, which is known already. Fails: as the copy does. */
export async function askFigures(copy: DatabaseRows, published: readonly Published[]): Promise<Answers> {
  const answers = new Map<FigureName, readonly TextRow[]>()
  for (const { figure, sql } of published)
    if (sql !== null && figure !== 'sync-lag') answers.set(figure, await copy.rows(sql))
  return answers
}

/** All statements as one script with comments. */
export function scriptOf(published: readonly Published[]): string {
  return published
    .map(({ figure, says, sql, without }) => {
      const lack = without.length === 0 ? [] : [`not in this copy: ${without.map(commentSafe).join(', ')}`]
      const comments = [figure, says, ...lack].map((line) => `-- ${line}\n`).join('')
      return comments + (sql === null ? '' : `${sql}\n`)
    })
    .join('\n')
}

/** A line break in the name of a venue would end the comment. */
function commentSafe(source: string): string {
  return source.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
}
