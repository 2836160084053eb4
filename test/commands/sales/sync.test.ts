import { expect, test } from 'vitest'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'
import { deskFor } from '../../sync/service.ts'

const venue = await venueOfThisFile()

test('sales sync copies all sales, and later runs copy sales that were posted late or changed', async () => {
  const desk = deskFor(venue.env, 's.ndjson', 'sales')
  expect((await desk.sync()).stderr).toMatch(/^sales: \d+ new, 0 changed, /)
  expect(desk.lines().length).toBeGreaterThan(10)
  expect((await desk.sync()).stderr).toMatch(/: 0 new, 0 changed, /)
  const sale = words('sales create --sale-id LATE-1 --staff-id st-1 --seats 2 --booking-id BK-1001 --total-cents 5000')
  const closed = new Date(Date.now() - 20 * 3_600_000).toISOString()
  await venue.run(...sale, ...words(`--currency AUD --closed ${closed} --yes`))
  expect((await desk.sync()).stderr).toMatch(/: 1 new, /)
  expect(desk.records().at(-1)).toMatchObject({ bookingId: 'BK-1001', saleDetail: { transactionId: 'LATE-1' } })
  await venue.run('bookings', 'update-pax', 'BK-1001', '7')
  expect((await desk.sync()).stderr).toMatch(/: 0 new, [1-9]\d* changed, /)
  expect(desk.records().at(-1)).toMatchObject({ bookingId: 'BK-1001', people: 7 })
  expect((await desk.sync()).stderr).toMatch(/: 0 new, 0 changed, /)
})

test('sales sync never writes an unchanged sale to a CSV file again, regardless of --overlap', async () => {
  const desk = deskFor(venue.env, 's.csv', 'sales')
  await desk.sync('--overlap', '1h')
  const before = desk.lines()
  expect((await desk.sync('--overlap', '300d')).stderr).toMatch(/: 0 new, 0 changed, /)
  expect(desk.lines()).toEqual(before)
})
