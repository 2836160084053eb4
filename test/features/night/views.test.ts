import { expect, test } from 'vitest'
import { nightList } from '../../../src/features/night/printed/rows.ts'
import { groupNightPage, type NightPage, venueNightPage } from '../../../src/features/night/printed/views.ts'
import { openRuler } from '../../../src/terminal/render/text/width.ts'
import { card } from '../shown.ts'
import { HARBOUR } from './group.ts'
import { reportOfGroup } from './page/pages.ts'

const drawn = ({ record, card: view }: NightPage, columns: number) => card(record, view, nightList, { columns })
const HOSTILE = '\u001b[2J\u202e\nerror: gone \u0007'

test.each([60, 80, 140])(
  'the night report fits %s columns and prints no control characters, even if names contain them',
  async (columns) => {
    const report = await reportOfGroup()
    const venues = report.venues.map((venue) => ({
      ...venue,
      source: venue.source + HOSTILE,
      services: venue.services?.map((one) => ({ ...one, service: HOSTILE })) ?? null,
      seatedWithoutSale: venue.seatedWithoutSale?.map((one) => ({ ...one, guest: HOSTILE, tables: HOSTILE })) ?? null,
      salesWithoutBooking: venue.salesWithoutBooking?.map((one) => ({ ...one, pos: HOSTILE })) ?? null,
    }))
    const pages = [...venues.map(venueNightPage), groupNightPage({ ...report, venues })]
    const lines = (await Promise.all(pages.map((page) => drawn(page, columns)))).flat()
    const ruler = await openRuler(lines)
    for (const line of lines) {
      expect(line).not.toMatch(/[\u001b\u0007\u202e]|^error: /)
      expect(ruler.width(line), line).toBeLessThanOrEqual(columns)
    }
  },
)

test('the night report card has a label for every member, so none is listed under Other', async () => {
  const report = await reportOfGroup()
  const harbour = report.venues.find(({ source }) => source === HARBOUR)
  if (harbour === undefined) throw new Error('no harbour')
  const pages = [venueNightPage(harbour), groupNightPage(report)]
  const text = (await Promise.all(pages.map((page) => drawn(page, 140)))).flat().join('\n')
  expect(text).not.toMatch(/^Other$/m)
  expect(text).toContain('By hour  05 ▂ 2  12 ▆ 10  19 ▅ 8  20 █ 14  21 ▁ 0  00 ▂ 2  04 ▂ 3')
  expect(text).toMatch(/Open operations on this machine\n.*\n {2}op_0123456789 /)
})
