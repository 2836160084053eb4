import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../support/partner.ts'
import { venueOfThisFile } from '../support/venue.ts'
import { words } from '../support/words.ts'

const { run } = await venueOfThisFile()

/** The forms of times in the table "What you can type" of docs/times.md. */
const FORMS = [...formsOn(readFileSync(join(ROOT, 'docs', 'times.md'), 'utf8'))]

function formsOn(page: string): string[] {
  const table = page.slice(page.indexOf('## What you can type')).split('\n\n')[1] ?? ''
  const rows = table.split('\n').filter((row) => /^\| `/.test(row))
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, form]) => form ?? ''))
}

/** Flags that each interpret times differently. The test appends a time to each command line. */
const EVERY_FORM = [
  'bookings list --from',
  'bookings list --updated-from 2001-01-01 --updated-to',
  'sales create --sale-id S --staff-id st --seats 2 --booking-id B --opened',
  'bookings create --people 2 --time',
  'bookings create --people 2 --time-utc',
]

/** One example of each kind of form. The flags in `OTHERS` are tested only with these. */
const SOME_FORMS = ['tomorrow 18:00', '2026-11-20 18:00', '-24h']
const OTHERS = [
  'bookings list --from 2001-01-01 --to',
  'bookings list --updated-from',
  'bookings schedule --people 2 --date',
  'bookings schedule --people 2 --from',
  'bookings schedule --people 2 --from 2001-01-01 --to',
  'bookings tables --date',
  'sales list --from',
  'sales list --from 2001-01-01 --to',
  'giftcards list --issued-from',
  'giftcards list --issued-from 2001-01-01 --issued-to',
  'customers list --updated-from',
  'customers list --updated-from 2001-01-01 --updated-to',
  'sales create --sale-id S --staff-id st --seats 2 --booking-id B --closed',
  'bookings update BK-1 --time',
  'bookings update BK-1 --time-utc',
  'reservations create --people 2 --service svc-1 --section sec-1 --first-name A --last-name B --phone 1 --time',
  'reservations create --people 2 --service svc-1 --section sec-1 --first-name A --last-name B --phone 1 --time-utc',
]

const isUpper = (line: string) => /-?-to$/.test(line)
const isOfBooking = (line: string) => /--time(?:-utc)?$/.test(line)
const isDay = (form: string) => /^(?:\d{4}-\d\d-\d\d|today|tomorrow|yesterday)$/.test(form)
/** Returns whether the form may start the range in the future. The command may then reject the form. */
const isInFuture = (line: string, form: string) =>
  /--(?:updated|issued)-from$/.test(line) && !/^(?:yesterday|today$|now|-|24h)/.test(form)

test('docs/times.md lists the accepted forms of dates and times', () => {
  expect(FORMS).toEqual(expect.arrayContaining(['2026-11-20', '18:00', 'tomorrow 18:00', 'now', '-90m', '+2h', '24h']))
  expect(FORMS.length).toBeGreaterThan(14)
})

const withForms = (lines: readonly string[], forms: readonly string[]) => lines.map((line) => ({ line, forms }))

describe.each([...withForms(EVERY_FORM, FORMS), ...withForms(OTHERS, SOME_FORMS)])(
  'partner $line',
  ({ line, forms }) => {
    test(`${line} accepts every form in docs/times.md and sends it in the service's format`, async () => {
      for (const form of forms) {
        const done = await run(...words(line), form, '--dry-run', '--json')
        const what = `${line} ${form}: ${done.stderr}`
        if ((form === '24h' && (isUpper(line) || isOfBooking(line))) || (isDay(form) && isOfBooking(line))) {
          expect(done.code, what).toBe(2)
          expect(done.stderr, what).toMatch(/in the past or the future|a day without a time/)
          continue
        }
        if (isInFuture(line, form) && done.code === 2) {
          expect(done.stderr, what).toContain('is after now')
          continue
        }
        expect(done.code, what).toBe(0)
        const sent = decodeURIComponent(done.stdout)
        // `--time` sends an ambiguous local time in UTC.
        if (line.endsWith('--time'))
          expect(sent, what).toMatch(/"time":\s*"\d{4}-\d\d-\d\d \d\d:\d\d"|"bookingTimeAsUtc"/)
        else if (line.endsWith('--time-utc')) expect(sent, what).toMatch(/"bookingTimeAsUtc":\s*"[\dT:-]{19}Z"/)
        else if (!line.startsWith('bookings tables'))
          expect(sent, what).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/)
      }
    })
  },
)
