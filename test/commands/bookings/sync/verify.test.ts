import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../../support/partner.ts'
import { venueOfThisFile } from '../../../support/venue.ts'

const venue = await venueOfThisFile()

describe.each(['b.ndjson', 'b.db'])('bookings sync verify on %s', (to) => {
  test('bookings sync verify finds no differences in a copy of a whole venue, before and after a change', async () => {
    const env = { ...freshHome(), ...venue.env }
    const cwd = freshDirectory()
    const run = (...line: readonly string[]) => runPartner([...line, '--source', 'city'], { env, cwd })
    expect(await run('bookings', 'sync', '--to', to, '--include-customer')).toMatchObject({ code: 0 })
    const verify = ['bookings', 'sync', 'verify', '--to', to]
    expect(await run(...verify)).toMatchObject({ code: 0, stdout: '' })
    expect(await run(...verify, '--from', '-7d', '--to-date', '+7d')).toMatchObject({ code: 0 })

    expect(await runPartner(['bookings', 'update-pax', 'BK-1001', '3'], { env })).toMatchObject({ code: 0 })
    // The copy may lack the change until the next sync.
    expect(await run(...verify)).toMatchObject({ code: 0, stdout: '' })
    expect(await run('bookings', 'sync', '--to', to, '--include-customer')).toMatchObject({ code: 0 })
    expect(await run(...verify)).toMatchObject({ code: 0, stdout: '' })
  })
})

test('bookings sync verify prints an empty JSON list or only a CSV header if the copy has no differences', async () => {
  const env = { ...freshHome(), ...venue.env }
  const cwd = freshDirectory()
  const run = (...line: readonly string[]) => runPartner(line, { env, cwd })
  await run('bookings', 'sync', '--to', 'b.ndjson')
  const verify = ['bookings', 'sync', 'verify', '--to', 'b.ndjson']
  expect(await run(...verify, '--json')).toMatchObject({ code: 0, stdout: '[]\n' })
  expect(await run(...verify, '-o', 'csv')).toMatchObject({ code: 0, stdout: 'id,difference,lastModifiedDate\n' })
  const dry = await run(...verify, '--dry-run')
  expect(dry).toMatchObject({ code: 0 })
  expect(dry.stdout).toMatch(/^GET \S+\/Bookings\?UpdatedFromDate=2000-01-01/)
})
