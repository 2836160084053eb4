import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import type { World } from './world.ts'

/** The till's sales are closed in the past, so that the books of their days contain no others: see `writeClosings`. */
const SALES_OVERLAP = '366d'

/**
 * Syncs the sales, and compares them and the night report with a copy that was made from the service at this moment.
 * Nothing may change meanwhile. Returns what differs.
 */
export async function checkReports(world: World, day: number): Promise<string[]> {
  const [copy, fresh] = [world.path('venue.db'), world.path('fresh.db')]
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${fresh}${suffix}`, { force: true })
  const sales = (to: string) =>
    world.partner(['sales', 'sync', '--to', to, '--source', 'soak', '--standby', '--overlap', SALES_OVERLAP, '--quiet'])
  await sales(copy)
  await world.partner(['bookings', 'sync', '--to', fresh, '--source', 'soak', '--quiet'])
  await sales(fresh)
  const problems: string[] = []
  if (!isDeepStrictEqual(salesIn(copy), salesIn(fresh))) problems.push(`the copied sales of day ${day} differ`)
  const [ours, theirs] = [await nightReport(world, copy), await nightReport(world, fresh)]
  if (!isDeepStrictEqual(ours, theirs))
    problems.push(`the night report of day ${day} is ${JSON.stringify(ours)}, not ${JSON.stringify(theirs)}`)
  return problems
}

function salesIn(path: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    return database.prepare('SELECT * FROM sales ORDER BY id, booking_id').all()
  } finally {
    database.close()
  }
}

/** Returns the night report, without the file's name and how current the copy is. */
async function nightReport(world: World, copy: string): Promise<unknown> {
  const { stdout } = await world.partner(['report', 'night', '--copy', copy, '--quiet', '--json'])
  const { venues, group } = JSON.parse(stdout) as { venues: Record<string, unknown>[]; group: { totals: unknown } }
  const [venue] = venues
  if (venue === undefined || Number((venue['totals'] as { bookings: number }).bookings) === 0)
    throw new Error(`the night report has no bookings: ${stdout.slice(0, 500)}`)
  return { group, venues: venues.map(({ sync: _, ...rest }) => rest) }
}
