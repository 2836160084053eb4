import type { DatabaseRows, TextRow } from '../../sync/database-rows.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import type { Question } from './booked.ts'
import type { Night } from './business-day.ts'
import { FIGURES, type FigureName, type Resource, SYNC_LAG, SYNC_LAG_SAYS, syncLagSql } from './figures.ts'

/** How far the copy of a resource goes. */
export interface SyncedUpTo {
  readonly source: string
  readonly resource: string
  /** ISO 8601; null: no run has committed yet. */
  readonly upTo: string | null
  readonly timezone: string | null
}

/** What the figures are asked about, and how far the copy goes. */
export interface Asked extends Question {
  readonly synced: readonly SyncedUpTo[]
}

/** A figure and the statement that gives it. */
export interface Published {
  readonly figure: FigureName | typeof SYNC_LAG
  readonly says: string
  /** One statement, ended by `;`; null: the copy has not what it needs. */
  readonly sql: string | null
  /** Venues that it leaves out, as the copy has not what it needs of them. */
  readonly without: readonly string[]
}

/** The rows of each figure; those of a figure that nothing was asked about are missing. */
export type Answers = ReadonlyMap<FigureName, readonly TextRow[]>

/** Whether the copy has a resource of a venue: a run has committed. */
export function hasResource(synced: readonly SyncedUpTo[], source: string, resource: Resource): boolean {
  return synced.some((one) => one.source === source && one.resource === resource && one.upTo !== null)
}

/** The statement of each figure, as the report runs it. `sources`: the venues that were asked for by name. */
export function publish(dialect: Dialect, asked: Asked, sources: readonly string[]): Published[] {
  return [
    { figure: SYNC_LAG, says: SYNC_LAG_SAYS, sql: `${syncLagSql(dialect, sources)};`, without: [] },
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

/** Asks the copy for every figure but how far it goes, which is known by then. Fails: as the copy does. */
export async function askFigures(copy: DatabaseRows, published: readonly Published[]): Promise<Answers> {
  const answers = new Map<FigureName, readonly TextRow[]>()
  for (const { figure, sql } of published)
    if (sql !== null && figure !== SYNC_LAG) answers.set(figure, await copy.rows(sql))
  return answers
}

/** All statements as one script, each behind the name of its figure. */
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
