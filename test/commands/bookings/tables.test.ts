import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'

const { run, json } = await venueOfThisFile()

describe('bookings tables', () => {
  test('bookings tables prints a line for each table, but groups tables by section in JSON', async () => {
    const { stdout } = await run('bookings', 'tables', '--date', '2026-12-01')
    expect(stdout).toMatch(/^SECTION +TABLE +SEATS .* TABLE ID$/m)
    expect(stdout).toMatch(/^Terrace +P1 +1-2 .* tbl-p1$/m)
    const sections = await json('bookings', 'tables', '--date', '2026-12-01')
    expect(sections[0]).toMatchObject({ sectionName: 'Main Dining', tables: expect.any(Array) })
    const csv = await run('bookings', 'tables', '--date', '2026-12-01', '-o', 'csv', '--columns', '_id,name')
    expect(csv.stdout.split('\n').slice(0, 2)).toEqual(['_id,name', 'tbl-t1,T1'])
  })

  test('bookings tables sends a day as a date, and a local time as a UTC instant', async () => {
    const asked = async (date: string) => (await json('bookings', 'tables', '--date', date, '--dry-run')).url
    expect(await asked('2026-12-01')).toMatch(/\?Date=2026-12-01$/)
    expect(await asked('2026-12-01 19:00')).toMatch(/\?Date=2026-12-01T08%3A00%3A00.000Z$/)
  })

  test('bookings tables defaults to today', async () => {
    const today = await run('bookings', 'tables', '--dry-run')
    expect(today).toMatchObject({ code: 0 })
    expect((await run('bookings', 'tables', '--date', 'today', '--dry-run')).stdout).toBe(today.stdout)
  })

  test('bookings tables reports an invalid date and an invalid duration together', async () => {
    const both = await run('bookings', 'tables', '--date', '2026-02-30', '--duration', '0')
    expectRefusal(both, { code: 2, says: /--duration .*"0"\n {2}--date: "2026-02-30"/ })
  })
})
