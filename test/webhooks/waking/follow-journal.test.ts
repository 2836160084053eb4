import { appendFileSync, mkdirSync, renameSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import type { BookingEvent } from '../../../src/webhooks/waking/booking-event.ts'
import { followJournal } from '../../../src/webhooks/waking/follow-journal.ts'
import { freshDirectory } from '../../support/partner.ts'
import { until } from '../../support/until.ts'
import { openTestJournal } from '../events/journal/journals.ts'
import { bookingEvent } from '../listener/listening.ts'

function line(body: string): string {
  return deliveryLine({ timeMs: 0, headers: {}, body: Buffer.from(body), verdict: 'new' })
}

const booking = (id: string) => line(bookingEvent('BOOKING_UPDATED', id))
const card = line(JSON.stringify({ eventType: 'GIFTCARDS_UPDATED', data: { cardNumber: 'X', locationId: 'L-1' } }))

/** Follows a journal with the given content. With `null`, the journal does not exist. */
async function following(content: string | null) {
  const path = join(freshDirectory(), 'hooks.ndjson')
  if (content !== null) writeFileSync(path, content)
  const events: BookingEvent[] = []
  const told: string[] = []
  const source = await followJournal(path, {
    onEvents: (some) => void events.push(...some),
    report: (text) => void told.push(text.replace(path, 'FILE')),
  })
  onTestFinished(() => source.close())
  const subjects = () => events.map(({ subject }) => subject)
  return { path, events, told, subjects, sees: (id: string) => until(() => subjects().includes(id)) }
}

test('followJournal reports only events about bookings, and only those that arrive after it started', async () => {
  const { path, events, sees, told } = await following(booking('old') + card)
  appendFileSync(path, booking('A') + card)
  await sees('A')
  appendFileSync(path, card + line(bookingEvent('BOOKING_MOVED', 'B')) + line('{"eventType":"BOOKING_CREATED"}'))
  await sees('B')
  expect(events).toEqual([
    { subject: 'A', locationId: 'L-1' },
    { subject: 'B', locationId: 'L-1' },
    { subject: null, locationId: null },
  ])
  expect(told).toEqual([])
})

test('followJournal waits for a missing journal and then reads it from the beginning', async () => {
  const { path, subjects, sees, told } = await following(null)
  expect(told).toEqual(['FILE does not exist yet; waiting for webhooks listen to create it'])
  writeFileSync(path, booking('A'))
  await sees('A')
  expect(subjects()).toEqual(['A'])
})

test('followJournal reads a line only when it is complete', async () => {
  const { path, subjects, sees } = await following('')
  appendFileSync(path, booking('A') + booking('B').slice(0, 30))
  await sees('A')
  appendFileSync(path, booking('B').slice(30))
  await sees('B')
  expect(subjects()).toEqual(['A', 'B'])
})

test('followJournal ignores the rest of a line that was incomplete when it started', async () => {
  const { path, subjects, sees, told } = await following(booking('A') + booking('B').slice(0, 30))
  appendFileSync(path, booking('B').slice(30) + booking('C'))
  await sees('C')
  expect([subjects(), told]).toEqual([['C'], []])
})

test('followJournal reports only the first invalid line and reads the valid lines after it', async () => {
  const { path, subjects, sees, told } = await following('')
  const notEvents = ['junk', '{}', '', '\u0000', line('[1]').trim(), '{"bookingId":"X"}']
  appendFileSync(path, Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from(`${notEvents.join('\n')}\n`)]))
  appendFileSync(path, `\n\r\n${booking('A')}`)
  await sees('A')
  appendFileSync(path, `more junk\n${booking('B')}`)
  await sees('B')
  expect(subjects()).toEqual(['A', 'B'])
  expect(told).toEqual([
    'ignoring lines in FILE that are not deliveries; check that this journal was written by webhooks listen',
  ])
})

test('followJournal reports an event without a subject for a line that is too long to read', async () => {
  const { path, events, sees } = await following('')
  appendFileSync(path, `${'x'.repeat(3 * 1024 * 1024)}\n${booking('A')}`)
  await sees('A')
  expect(events[0]).toEqual({ subject: null, locationId: null })
})

test('followJournal follows a rotated journal and reports an event without a subject for lines that it might have missed', async () => {
  const { path, subjects, sees } = await following(booking('old'))
  appendFileSync(path, booking('missed'))
  renameSync(path, `${path}.1`)
  writeFileSync(path, booking('A'))
  await sees('A')
  expect(subjects().filter((subject) => subject !== 'missed')).toEqual([null, 'A'])
})

test("followJournal still reports a listener's deliveries after the journal is deleted", async () => {
  const { path, subjects, sees } = await following(null)
  const journal = await openTestJournal(path, { now: () => 0 }, null)
  await journal.store(bookingEvent('BOOKING_UPDATED', 'A'))
  await sees('A')
  rmSync(path)
  await journal.store(bookingEvent('BOOKING_UPDATED', 'B'))
  await sees('B')
  expect(subjects()).toEqual(['A', null, 'B'])
})

test('followJournal continues after its journal is truncated and rewritten', async () => {
  const { path, subjects, sees } = await following(booking('old') + booking('older'))
  truncateSync(path)
  appendFileSync(path, booking('A'))
  await sees('A')
  expect(subjects()).toEqual([null, 'A'])
})

test('followJournal continues after a listener removes an incomplete line and writes the next one', async () => {
  const { path, subjects, sees } = await following(booking('old'))
  const before = Buffer.byteLength(booking('old') + booking('A'))
  appendFileSync(path, booking('A') + booking('B').slice(0, 30))
  await sees('A')
  truncateSync(path, before)
  appendFileSync(path, booking('C'))
  await sees('C')
  expect(subjects()).toEqual(['A', 'C'])
})

test('followJournal reports when a journal becomes unreadable and when it is readable again', async () => {
  const { path, sees, told } = await following('')
  rmSync(path)
  mkdirSync(path)
  await until(() => told.length === 1)
  rmdirSync(path)
  writeFileSync(path, booking('A'))
  await sees('A')
  expect(told).toEqual(['cannot read FILE: it is a directory; trying again', 'FILE is readable again'])
})

test('followJournal fails if the journal is a directory', async () => {
  const watch = { onEvents: () => undefined, report: () => undefined }
  const failed = await followJournal(freshDirectory(), watch).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'USAGE', message: expect.stringMatching(/^--wake: cannot read .*a directory$/) })
})
