import { describe, expect, test } from 'vitest'
import {
  scheduleList,
  scheduleRows,
  scheduleSummary,
  scheduleSummaryList,
} from '../../../src/views/bookings/schedule.ts'
import { day } from '../sample-records.ts'
import { sydney, table, unknownZone } from '../shown.ts'

describe('the schedule', () => {
  test('is a row a time, what is free first, with the ids that a reservation needs', async () => {
    expect(await table(scheduleRows([day]), scheduleList, { columns: 140 })).toEqual([
      'TIME              SHOWN AS  SERVICE  STATE    MINUTES  FREE SECTIONS  SECTION IDS   SERVICE ID',
      '2026-11-20 18:00  6:00 PM   Dinner   free         120  Terrace, Bar   sec-1, sec-2  svc-dinner',
      '2026-11-20 18:30  6:30 PM   Dinner   free         120  Bar            sec-2         svc-dinner',
      '2026-11-20 12:00  12:00 PM  Lunch    expired       90                               svc-lunch',
      '2026-11-20 13:00  1:00 PM   Lunch    full          90                               svc-lunch',
      '2026-11-20 14:00  2:00 PM   Lunch    full          90                               svc-lunch',
    ])
  })

  test('in short it is a row for each service and section', async () => {
    expect(await table(scheduleSummary([day], sydney), scheduleSummaryList)).toEqual([
      'DATE        SERVICE  SECTION  FREE         SERVICE ID  SECTION ID',
      '            Lunch             expired      svc-lunch',
      '2026-11-20  Dinner   Terrace  18:00        svc-dinner  sec-1',
      '2026-11-20  Dinner   Bar      18:00 18:30  svc-dinner  sec-2',
    ])
  })

  test('many times go on in the next row instead of being cut off', () => {
    const times = Array.from({ length: 8 }, (_, hour) => ({ time: `2026-11-20T0${hour}:00:00Z` }))
    const rows = scheduleSummary([{ services: [{ id: 's', times }] }], unknownZone)
    expect(rows.map((row) => row['free'])).toEqual([
      ['00:00', '01:00', '02:00', '03:00', '04:00', '05:00'],
      ['06:00', '07:00'],
    ])
  })

  test('a closed venue says why', async () => {
    const closed = [{ isVenueOpen: false, blockoutMessage: 'Private function' }]
    expect((await table(scheduleRows(closed), scheduleList)).at(-1)).toMatch(/^ +closed +Private function$/)
    expect((await table(scheduleSummary(closed, sydney), scheduleSummaryList)).at(-1)?.trim()).toBe(
      'closed: Private function',
    )
  })

  test('an open time of a closed venue is not free', () => {
    expect(scheduleRows([{ ...day, isVenueOpen: false }]).every((row) => row['state'] === 'closed')).toBe(true)
  })

  test('a service without times is full', () => {
    expect(scheduleRows([{ services: [{ id: 's' }] }])).toMatchObject([{ serviceId: 's', state: 'full' }])
  })

  test('an answer of another shape is no rows, not a crash', () => {
    for (const answer of [null, 'closed', {}, [null, 7, { services: 'none' }, { services: [{ times: [null] }] }]]) {
      expect(() => scheduleRows(answer)).not.toThrow()
      expect(() => scheduleSummary(answer, sydney)).not.toThrow()
    }
  })
})
