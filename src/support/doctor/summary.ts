import type { DoctorRow } from './finding.ts'

/** How many rows there are of each status, in words: `18 ok, 1 warning, 1 failed (tls), 3 skipped`. */
export function summaryLine(rows: readonly DoctorRow[]): string {
  const count = (status: DoctorRow['status']) => rows.filter((row) => row.status === status).length
  const [good, warnings, failures, skipped] = [count('ok'), count('warn'), count('fail'), count('skip')]
  const first = rows.find(({ status }) => status === 'fail')?.name
  return [
    `${good} ok`,
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
    ...(first === undefined ? [] : [`${failures} failed`]),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
    .join(', ')
    .concat(first === undefined ? '' : `; begin with ${first}`)
}
