import { describe, expect, test } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json/exact.ts'
import { explainedCard, explainedList } from '../../src/features/bookings/explain/views.ts'
import {
  scheduleList,
  scheduleRows,
  scheduleSummary,
  scheduleSummaryList,
} from '../../src/features/bookings/schedule/views.ts'
import { bookingCard, bookingList } from '../../src/features/bookings/views/booking.ts'
import { reservationCard, reservationList } from '../../src/features/bookings/views/receipt.ts'
import { bookingStatusList } from '../../src/features/bookings/views/status.ts'
import { differenceList, syncStatusCard, syncStatusList } from '../../src/features/copies/views.ts'
import { cancellationViews, redemptionViews } from '../../src/features/giftcards/views/changes.ts'
import { giftCardCard, giftCardList } from '../../src/features/giftcards/views/gift-card.ts'
import { profileCard, profileList } from '../../src/features/profiles/views.ts'
import { driftList } from '../../src/features/support/drift/views.ts'
import { tableNameList } from '../../src/features/tables/views.ts'
import { timelineList } from '../../src/features/timeline/views.ts'
import { checkCard, checkList } from '../../src/features/webhooks/check-views.ts'
import { gapHourList, gapList } from '../../src/features/webhooks/deliveries/gaps.ts'
import { triggeredCard, triggeredList } from '../../src/features/webhooks/deliveries/lists.ts'
import { madeChangesList, plannedChangesList, webhookCard } from '../../src/features/webhooks/subscription-views.ts'
import { openRuler } from '../../src/terminal/render/text/width.ts'
import type { CardView, ListView } from '../../src/terminal/render/view.ts'
import * as samples from './sample-records.ts'
import { card, sydney, table } from './shown.ts'

const ruler = await openRuler(['寿司'])

const SCALARS = [null, '', 0, -1.5, 1e300, JSON.rawJSON('25.00'), JSON.rawJSON('1e999'), true, false]
const TIMES = ['+9999-99-99T99:99:99Z', '9999-12-31T23:59:59Z', '0000-00-00T00:00:00', '0001-01-01T00:00:00']
const HOSTILE: readonly JsonValue[] = [
  ...SCALARS,
  ...TIMES,
  [],
  {},
  [null, 7, 'x', [], {}],
  { toString: 'x', length: -1, constructor: null },
  'n'.repeat(10_000),
  'two\nlines\r\nand\ttab',
  '\u001b]8;;http://evil\u0007click\u001b]8;;\u0007 \u001b[2J\u009b31m',
  '\u202eevil\u2066\u200f\u061c\u200b\ufeff',
  'שלום עולם مرحبا',
  '👩‍👩‍👧‍👦🇦🇺🏴󠁧󠁢󠁳󠁣󠁴󠁿👍🏽❤️1️⃣',
  'e\u0301\u0301\u0301 Z\u0335\u0336a\u0337\u0338lgo',
  '\ud83d',
  '=cmd|calc',
]

/** Yields copies of a record. In each copy, one member at any depth is replaced with the given value. */
function* variants(value: JsonValue, by: JsonValue): Generator<JsonValue> {
  yield by
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    for (const [index, item] of items.entries()) for (const other of variants(item, by)) yield items.with(index, other)
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue
      for (const other of variants(member, by)) yield { ...value, [name]: other }
    }
  }
}

const CONTROL_CHARACTERS =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\ud800-\udfff]/u

function expectSafe(lines: readonly string[], columns: number | null): void {
  const isWide = (line: string) => columns !== null && ruler.width(line) > columns
  // One expect call checks all lines, because there are about a million of them.
  expect(lines.filter((line) => CONTROL_CHARACTERS.test(line) || isWide(line))).toEqual([])
}

const redeemed = redemptionViews(null)
const cancelled = cancellationViews({ balance: null, status: null })

const SUBJECTS: readonly (readonly [name: string, record: JsonObject, card: CardView, list: ListView])[] = [
  ['booking', samples.booking, bookingCard, bookingList],
  ['gift card', samples.giftCard, giftCardCard, giftCardList],
  ['redemption', samples.redemption, redeemed.card, redeemed.list],
  ['check', { check: 'late', result: 'ok', good: '2xx', yours: '200', ms: 3 }, checkCard, checkList],
  ['trigger', { event: 'E', subject: 'BK-1', url: 'http://a', status: 200, ms: 3 }, triggeredCard, triggeredList],
  ['cancellation', { cardNumber: 'A', status: 'Cancelled', changed: true }, cancelled.card, cancelled.list],
  ['reservation', samples.reservation, reservationCard, reservationList],
  ['profile', samples.profile, profileCard, profileList],
  ['copy', samples.syncStatus, syncStatusCard, syncStatusList],
  ['difference', { id: 'A', difference: 'stale', lastModifiedDate: null }, syncStatusCard, differenceList],
  ['gap', samples.gap, syncStatusCard, gapList],
  ['timeline entry', samples.timelineEntry, syncStatusCard, timelineList],
  ['drift entry', samples.driftEntry, syncStatusCard, driftList],
  ['table name', samples.checkedName, syncStatusCard, tableNameList],
  ['hour', { hour: null, event: 'A', changes: 1, deliveries: 1, missing: 1 }, syncStatusCard, gapHourList],
  ['planned change', samples.webhookChange, webhookCard, plannedChangesList],
  ['applied change', samples.webhookChange, webhookCard, madeChangesList],
  ['status', { statusType: 'standard', code: 'A', name: 'B' }, bookingCard, bookingStatusList],
]

describe.each(SUBJECTS)('views of a %s with a hostile value in any member', (name, record, cardView, listView) => {
  test(`a ${name} card with a hostile value fits the terminal and contains no control characters`, async () => {
    for (const by of HOSTILE)
      for (const other of variants(record, by))
        expectSafe(await card(other, cardView, listView, { columns: 80 }), columnsOf(other))
  })

  test(`a ${name} table row with a hostile value fits the terminal and contains no control characters`, async () => {
    for (const by of HOSTILE) {
      const records = [...variants(record, by)]
      expectSafe(await table(records, listView, { columns: 80 }), 80)
      expectSafe(await table(records, listView), null)
    }
  })
})

test('an explanation with a hostile value in any member is printed without control characters', async () => {
  for (const by of HOSTILE)
    for (const other of variants(samples.explained, by)) {
      const view = explainedCard(isJsonObject(other) ? other : {})
      expectSafe(await card(other, view, explainedList, { columns: 80 }), columnsOf(other))
      expectSafe(await table([other], explainedList), null)
    }
})

/**
 * Returns the maximum width of a card, or `null` for a record that is printed as a line of JSON because it is not an
 * object.
 */
function columnsOf(record: JsonValue): number | null {
  return isJsonObject(record) ? 80 : null
}

test('a card view shows an unexpected value in any member of a record', async () => {
  for (const [name, record, cardView, listView] of SUBJECTS)
    for (const path of Object.keys(record)) {
      const lines = await card({ ...record, [path]: 'seen by all' }, cardView, listView)
      if (name === 'cancellation' && path !== 'cardNumber') continue
      if (path === 'isSuccess' || path === 'current') continue
      expect(lines.join('\n'), `${name}.${path}`).toContain('seen by all')
    }
})

test('a schedule with a hostile value in any member is printed as a table that fits the terminal', async () => {
  for (const by of HOSTILE)
    for (const other of variants(samples.day, by)) {
      expectSafe(await table(scheduleRows([other]), scheduleList, { columns: 80 }), 80)
      expectSafe(await table(scheduleSummary([other], sydney), scheduleSummaryList, { columns: 80 }), 80)
    }
})
