import { counted } from '../../../base/counted.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import type { DoctorRow } from '../output.ts'

/** How many rows there are of each status, in words, and where to begin: `18 ok, 1 failed, 3 skipped; begin with tls`. */
export function summaryLine(rows: readonly DoctorRow[]): string {
  const first = rows.find(({ status }) => status === 'fail')?.name
  return countsOf(rows) + (first === undefined ? '' : `; begin with ${first}`)
}

/** All rows of a venue as one: `{status, name, message, next, checks}`, of the first that failed, else of the first warning. */
export function venueRow(rows: readonly DoctorRow[]): JsonObject {
  const first = rows.find(({ status }) => status === 'fail') ?? rows.find(({ status }) => status === 'warn')
  const { status = 'ok', name = null, message = null, next = null } = first ?? {}
  return { status, name, message, next, checks: countsOf(rows) }
}

function countsOf(rows: readonly DoctorRow[]): string {
  const count = (status: DoctorRow['status']) => rows.filter((row) => row.status === status).length
  const [good, warnings, failures, skipped] = [count('ok'), count('warn'), count('fail'), count('skip')]
  return [
    `${good} ok`,
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ')
}
