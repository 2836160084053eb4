import { formatCount } from '../../../base/counted.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import type { DoctorRow } from '../output.ts'
import { doctorCard, doctorLines, doctorList, doctorVenues } from './views.ts'

type Run = Opened<object, object>

/** Prints rows as they arrive. Returns true if none of them failed. */
export async function showRows(rows: AsyncIterable<DoctorRow>, run: Run): Promise<boolean> {
  const seen: DoctorRow[] = []
  const coming = withProgress(rows, seen, run)
  if (run.host.venue !== undefined && run.show.isPlain) await showVenue(coming, seen, run)
  else {
    await showAll(coming, run)
    await run.say(summaryLine(seen))
  }
  return !seen.some(({ status }) => status === 'fail')
}

/** Yields the rows unchanged and adds them to `seen`. Shows a progress line while waiting for the next row. */
async function* withProgress(
  rows: AsyncIterable<DoctorRow>,
  seen: DoctorRow[],
  { host }: Run,
): AsyncGenerator<DoctorRow> {
  const begin = () => host.waiting.begin(`checking: ${seen.length} rows so far`)
  let over = begin()
  try {
    for await (const row of rows) {
      over()
      seen.push(row)
      yield row
      over = begin()
    }
  } finally {
    over()
  }
}

/** Prints one row that sums up a venue. With `--verbose`, all of the venue's rows follow. */
async function showVenue(coming: AsyncIterable<DoctorRow>, seen: readonly DoctorRow[], { flags, show, host }: Run) {
  const lines: string[] = []
  for await (const text of doctorLines(coming, host.stdoutScreen)) lines.push(text)
  await show.one(venueRow(seen), { card: doctorCard, list: doctorVenues })
  if (flags.verbose) for (const text of lines) await show.text(text)
}

/**
 * Prints a line for each row as it arrives. As JSON or for a query, prints one object that contains all rows. In
 * other formats, prints a list of rows.
 */
async function showAll(rows: AsyncIterable<DoctorRow>, { show, host }: Run): Promise<void> {
  if (show.isPlain) {
    for await (const text of doctorLines(rows, host.stdoutScreen)) await show.text(text)
    return
  }
  if (show.format === 'json' || show.isQueried) {
    const all: JsonObject[] = []
    for await (const row of rows) all.push({ ...row })
    return show.one({ rows: all }, { card: doctorCard, list: doctorList })
  }
  const records = async function* () {
    for await (const row of rows) yield [WireRecord.of({ ...row })]
  }
  await show.list(records(), doctorList)
}

/** Returns the counts and the first failed row, such as `18 ok, 1 failed, 3 skipped; start with tls`. */
function summaryLine(rows: readonly DoctorRow[]): string {
  const first = rows.find(({ status }) => status === 'fail')?.name
  return countsOf(rows) + (first === undefined ? '' : `; start with ${first}`)
}

/** Returns a venue's row, with the counts and the first failure. If nothing failed, it contains the first warning. */
function venueRow(rows: readonly DoctorRow[]): JsonObject {
  const first = rows.find(({ status }) => status === 'fail') ?? rows.find(({ status }) => status === 'warn')
  const { status = 'ok', name = null, message = null, next = null } = first ?? {}
  return { status, name, message, next, checks: countsOf(rows) }
}

function countsOf(rows: readonly DoctorRow[]): string {
  const count = (status: DoctorRow['status']) => rows.filter((row) => row.status === status).length
  const [good, warnings, failures, skipped] = [count('ok'), count('warn'), count('fail'), count('skip')]
  return [
    `${good} ok`,
    ...(warnings > 0 ? [formatCount(warnings, 'warning')] : []),
    ...(failures > 0 ? [`${failures} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ].join(', ')
}
