import { DatabaseSync } from 'node:sqlite'
import { PUT_ROW } from '../../src/money/operations/file.ts'
import type { Moment } from '../../src/money/operations/moment.ts'
import { type Row, sealed, unsealed } from '../../src/money/operations/row.ts'

/** Opens the database, which partner might also have open. Uses the journal mode that partner uses on Windows. */
function openRows(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = TRUNCATE')
  return database
}

/** Changes the rows of the database directly and updates their checksums. */
export function rewriteRows(file: string, change: (row: Row) => Row): void {
  const database = openRows(file)
  for (const row of database.prepare('SELECT * FROM operations').all().map(unsealed))
    database.prepare(PUT_ROW).run(...sealed(change(row)))
  database.close()
}

export function removeRows(file: string): void {
  const database = openRows(file)
  database.exec('DELETE FROM operations')
  database.close()
}

export function aged(row: Row, ms: number): Row {
  const earlier = (moment: Moment | null) =>
    moment && { ...moment, wallMs: moment.wallMs - ms, monotonicMs: moment.monotonicMs - ms }
  return {
    ...row,
    startedAt: row.startedAt - ms,
    firstSent: earlier(row.firstSent),
    sent: earlier(row.sent),
    over: earlier(row.over),
    ended: earlier(row.ended),
  }
}
