import type { Dialect } from '../../sync/tables/ddl.ts'
import { FIGURES, SYNC_LAG, SYNC_LAG_SAYS, syncLagSql } from './figures.ts'
import { type Asked, hasResource, questionOf } from './report.ts'

/** A figure and the statement that gives it. */
export interface Published {
  readonly figure: string
  readonly says: string
  /** One statement, ended by `;`; null: the copy has not what it needs. */
  readonly sql: string | null
  /** Venues that it leaves out, as the copy has not what it needs of them. */
  readonly without: readonly string[]
}

/** The statement of each figure, as the report runs it. `sources`: the venues that were asked for by name. */
export function publish(dialect: Dialect, asked: Asked, sources: readonly string[]): Published[] {
  const { nights, synced } = asked
  return [
    { figure: SYNC_LAG, says: SYNC_LAG_SAYS, sql: `${syncLagSql(dialect, sources)};`, without: [] },
    ...FIGURES.map((figure) => {
      const question = questionOf(figure, asked)
      const lacking = nights.filter(({ source }) => !figure.needs.every((one) => hasResource(synced, source, one)))
      return {
        figure: figure.name,
        says: figure.says,
        sql: question === null ? null : `${figure.sql(dialect, question)};`,
        without: lacking.map(({ source }) => source),
      }
    }),
  ]
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
