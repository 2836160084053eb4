import { describe, expect, test } from 'vitest'
import {
  scheduleList,
  scheduleRows,
  scheduleSummary,
  scheduleSummaryList,
} from '../../../src/features/bookings/schedule/views.ts'
import type { ViewContext } from '../../../src/terminal/render/view.ts'
import { words } from '../../support/words.ts'
import { day } from '../sample-records.ts'
import { sydney, table, unknownZone } from '../shown.ts'

describe('schedule tables', () => {
  test('the list of schedule times shows free times first, with the IDs that a reservation needs', async () =>
    expect(await table(scheduleRows([day]), scheduleList, { columns: 140 })).toEqual([
      'TIME              SHOWN AS  SERVICE  STATE    MINUTES  FREE SECTIONS  SECTION IDS   SERVICE ID',
      '2026-11-20 18:00  6:00 PM   Dinner   free         120  Terrace, Bar   sec-1, sec-2  svc-dinner',
      '2026-11-20 18:30  6:30 PM   Dinner   free         120  Bar            sec-2         svc-dinner',
      '2026-11-20 12:00  12:00 PM  Lunch    expired       90                               svc-lunch',
      '2026-11-20 13:00  1:00 PM   Lunch    full          90                               svc-lunch',
      '2026-11-20 14:00  2:00 PM   Lunch    full          90                               svc-lunch',
    ]))

  test('the schedule summary has one row per service and section', async () =>
    expect(await table(scheduleSummary([day], sydney), scheduleSummaryList)).toEqual([
      'DATE        SERVICE  SECTION  FREE         SERVICE ID  SECTION ID',
      '            Lunch             expired      svc-lunch',
      '2026-11-20  Dinner   Terrace  18:00        svc-dinner  sec-1',
      '2026-11-20  Dinner   Bar      18:00 18:30  svc-dinner  sec-2',
    ]))

  test('the schedule summary continues a long list of free times in the next row', () => {
    const times = Array.from({ length: 8 }, (_, hour) => ({ time: `2026-11-20T0${hour}:00:00Z` }))
    const free = (context: ViewContext) =>
      scheduleSummary([{ services: [{ id: 's', times }] }], context).map((row) => row['free'])
    const inUtc = free({ ...unknownZone, day: '2026-11-20' })
    expect(inUtc).toEqual([words('00:00 01:00 02:00 03:00 04:00 05:00'), words('06:00 07:00')])
    expect(free(unknownZone)).toEqual([words('00:00 01:00 02:00 03:00'), words('04:00 05:00 06:00 07:00')])
  })

  const week = ['18:00', '18:30', '19:00', '19:30', '20:00'].map((at) => ({
    time: `2026-11-20T${at}:00+11:00`,
    sections: [{ id: 'sec-main', sectionState: true }],
  }))
  const dinner = [
    {
      services: [
        { id: 'svc-dinner', name: 'Dinner', sections: [{ id: 'sec-main', name: 'Main Dining' }], times: week },
      ],
    },
  ]

  test('the schedule summary shows dates in its rows, or in the footer if it covers only one day', async () => {
    const lines = await table(scheduleSummary(dinner, sydney), scheduleSummaryList, { columns: 80 })
    expect(lines[1]).toBe('2026-11-20  Dinner   Main Dini…  18:00 18:30 19:00 19:30  svc-dinner  sec-main')
    const context = { ...sydney, day: '2026-11-20' }
    const ofOneDay = await table(scheduleSummary(dinner, context), scheduleSummaryList, { columns: 80, context })
    expect(ofOneDay[0]).toMatch(/^SERVICE +SECTION +FREE +SERVICE ID +SECTION ID$/)
    expect(scheduleSummaryList.footnote?.(context)).toBe('times on Fri 2026-11-20 in Australia/Sydney')
  })

  test('the list of schedule times has every column of the schedule summary', async () => {
    const known = new Set(scheduleList.columns.map(({ path }) => path))
    expect(scheduleSummaryList.columns.filter(({ path }) => !known.has(path))).toEqual([])
  })

  test('both schedule tables show why the venue is closed', async () => {
    const closed = [{ isVenueOpen: false, blockoutMessage: 'Private function' }]
    expect((await table(scheduleRows(closed), scheduleList)).at(-1)).toMatch(/^ +closed +Private function$/)
    expect((await table(scheduleSummary(closed, sydney), scheduleSummaryList)).at(-1)?.trim()).toBe(
      'closed: Private function',
    )
  })

  test('the list of schedule times shows every time as closed if the venue is closed', () =>
    expect(scheduleRows([{ ...day, isVenueOpen: false }]).every((row) => row['state'] === 'closed')).toBe(true))

  test('the list of schedule times shows a service without times as full', () =>
    expect(scheduleRows([{ services: [{ id: 's' }] }])).toMatchObject([{ serviceId: 's', state: 'full' }]))

  test('both schedule tables accept unexpected JSON', () => {
    for (const answer of [null, 'closed', {}, [null, 7, { services: 'none' }, { services: [{ times: [null] }] }]]) {
      expect(() => scheduleRows(answer)).not.toThrow()
      expect(() => scheduleSummary(answer, sydney)).not.toThrow()
    }
  })
})
