import { expect, test } from 'vitest'
import { correctionList, driftList } from '../../../src/features/support/drift/views.ts'
import { driftEntry } from '../sample-records.ts'
import { table } from '../shown.ts'

const ENTRIES = [
  driftEntry,
  { ...driftEntry, member: 'people', seen: 'missing; possibly "pax"', expected: 'whole number', source: 'both' },
  { ...driftEntry, endpoint: 'GET /Bookings', member: 'bookings', verdict: 'confirmed', accepted: true },
  { ...driftEntry, member: 'loyaltyLevel', verdict: 'unknown-member', expected: 'no such member', seen: 'text' },
  { ...driftEntry, member: 'notes', verdict: 'not-seen', expected: 'text, or null', seen: 'null', source: null },
]

test('the drift table shows the most important columns at 80 columns and all of them at 140', async () => {
  expect(await table(ENTRIES, driftList, { columns: 80 })).toMatchInlineSnapshot(`
    [
      "ENDPOINT            MEMBER                     SEEN                         FROM",
      "GET /Bookings/{id}  customer.lastModifiedDate  ms since 1970, whole number",
      "GET /Bookings/{id}  people                     missing; possibly "pax"      both",
      "GET /Bookings       bookings                   ms since 1970, whole number",
      "GET /Bookings/{id}  loyaltyLevel               new: text",
      "GET /Bookings/{id}  notes                      null",
    ]
  `)
  expect(await table(ENTRIES, driftList, { columns: 140 })).toMatchInlineSnapshot(`
    [
      "VERDICT         ENDPOINT            MEMBER                     EXPECTED                   SEEN                         BASIS       FROM",
      "contradicted    GET /Bookings/{id}  customer.lastModifiedDate  time with a zone, or null  ms since 1970, whole number  documented",
      "contradicted    GET /Bookings/{id}  people                     whole number               missing; possibly "pax"      documented  both",
      "accepted        GET /Bookings       bookings                   time with a zone, or null  ms since 1970, whole number  documented",
      "unknown-member  GET /Bookings/{id}  loyaltyLevel               no such member             new: text                    documented",
      "not-seen        GET /Bookings/{id}  notes                      text, or null              null                         documented",
    ]
  `)
})

test('the drift accept table shows the accepted form next to the form in the contract', async () => {
  const correction = {
    ...{ kind: 'list', where: 'GET /Bookings' },
    ...{ documented: 'records under "bookings"', accepted: 'a bare list' },
  }
  expect(await table([correction], correctionList, { columns: 80 })).toMatchInlineSnapshot(`
    [
      "WHERE          CONTRACT                  ACCEPTED",
      "GET /Bookings  records under "bookings"  a bare list",
    ]
  `)
})
