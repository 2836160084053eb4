import { expect } from 'vitest'
import type { TextRow } from '../../../src/base/storage/text-row.ts'
import type { NightReport } from '../../../src/features/night/printed/output.ts'

const NUMBERS =
  /^(?:covers|bookings|sales|people|cancelled|no_shows|no_show_people|without_people|total_cents|without_total|due_cents|no_show_due_cents)$/

/** Splits the script from `report night --sql` into statements, keyed by figure. */
export function statementsIn(script: string): Map<string, string> {
  const parts = script.split(/^-- ([a-z-]+)\n/m).slice(1)
  return new Map(parts.filter((_, at) => at % 2 === 0).map((name, at) => [name, parts[at * 2 + 1] ?? '']))
}

/**
 * Runs the printed SQL statement for each figure and expects the result to equal the figure in the report. Returns the
 * number of statements.
 */
export async function expectPublished(
  report: NightReport,
  script: string,
  run: (sql: string) => Promise<readonly TextRow[]>,
): Promise<number> {
  const rows = new Map<string, readonly TextRow[]>()
  for (const [name, sql] of statementsIn(script)) {
    expect(sql.trimEnd()).toMatch(/;$/)
    rows.set(name, await run(sql))
  }
  const of = (name: string, source: string | null) =>
    (rows.get(name) ?? []).filter((row) => source === null || row['source'] === source).map(memberOf)
  for (const venue of report.venues) {
    const { source, sync } = venue
    const has = (resource: string) => sync.some((one) => one.resource === resource && one.upTo !== null)
    const given = (name: string, isThere: boolean) => (isThere ? of(name, source) : null)
    const both = has('bookings') && has('sales')
    expect({
      totals: venue.totals === null ? null : [venue.totals],
      services: venue.services,
      hours: venue.hours,
      takings: venue.takings === null ? null : [venue.takings],
      seatedWithoutSale: venue.seatedWithoutSale,
      salesWithoutBooking: venue.salesWithoutBooking,
      depositsDue: venue.depositsDue,
      owing: venue.owing,
      sync: sync.map(({ resource, upTo }) => ({ resource, upTo })),
    }).toEqual({
      totals: given('covers', has('bookings')),
      services: given('covers-by-service', has('bookings')),
      hours: given('covers-by-hour', has('bookings')),
      takings: given('takings', has('sales')),
      seatedWithoutSale: given('seated-without-a-sale', both),
      salesWithoutBooking: given('sales-without-a-booking', has('sales')),
      depositsDue: given('deposits-due', has('bookings')),
      owing: given('deposits-due-by-booking', has('bookings')),
      sync: of('sync-lag', source).map(({ resource, upTo }) => ({ resource, upTo })),
    })
  }
  const { group } = report
  expect([group.totals]).toEqual(of('covers-of-the-group', null))
  expect(group.takings).toEqual(of('takings-of-the-group', null))
  expect(group.depositsDue).toEqual(of('deposits-due-of-the-group', null))
  expect(group.seatedWithoutSale).toBe(rows.get('seated-without-a-sale')?.length)
  expect(group.salesWithoutBooking).toBe(rows.get('sales-without-a-booking')?.length)
  return rows.size
}

/** Converts a row to the format of the report: renames two columns and converts all column names to camel case. */
function memberOf(row: TextRow): Readonly<Record<string, unknown>> {
  const { source: _, ...columns } = row
  return Object.fromEntries(
    Object.entries(columns).map(([column, value]) => {
      const name = column.replace(/^(pos|staff)_name$/, '$1').replace(/_(.)/g, (_all, letter) => letter.toUpperCase())
      return [name, value !== null && NUMBERS.test(column) ? Number(value) : value]
    }),
  )
}
