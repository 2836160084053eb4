import { expect, test } from 'vitest'
import { venueOfThisFile } from '../../support/venue.ts'
import { deskFor } from '../../sync/service.ts'

const venue = await venueOfThisFile()

test('customers sync copies all customers page by page, and a later run copies only the customer that changed', async () => {
  const desk = deskFor(venue.env, 'c.ndjson', 'customers')
  const all = await venue.json('customers', 'list', '--page-size', '250')
  expect((await desk.sync()).stderr).toMatch(new RegExp(`^customers: ${all.length} new, 0 changed, `))
  expect(desk.records()).toEqual(all)
  await venue.run('customers', 'unsubscribe', all[3].id, '--yes')
  expect((await desk.sync()).stderr).toMatch(/: 0 new, 1 changed, /)
  expect(desk.records().at(-1)).toMatchObject({ id: all[3].id, subscribed: false })
  expect((await desk.sync()).stderr).toMatch(/: 0 new, 0 changed, /)
})

test('customers sync writes the same CSV file as customers list -o csv', async () => {
  const desk = deskFor(venue.env, 'c.csv', 'customers')
  await desk.sync()
  const listed = await venue.run('customers', 'list', '--page-size', '250', '-o', 'csv')
  expect(`${desk.lines().join('\n')}\n`).toBe(listed.stdout)
})
