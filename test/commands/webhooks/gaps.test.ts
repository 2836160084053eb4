import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventBody, type WebhookEvent } from '../../../src/contract/events.ts'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { at, booking, type Sent, startDesk } from '../../sync/service.ts'

const VENUE = 'venue-1'
const NOW = '2026-11-20T20:00:00.000Z'

const time = (clock: string) => `2026-11-20T${clock}:00.000Z`

/** Returns a booking that was created yesterday and changed today. */
const changed = (id: string, clock: string, more: Sent = {}) =>
  booking(id, time(clock), { bookedAt: '2026-11-19T10:00:00.000Z', locationId: VENUE, ...more })

interface Came {
  readonly event?: string
  readonly subject: string
  readonly clock: string
  readonly locationId?: string
  readonly headers?: Readonly<Record<string, string>>
}

function journalOf(deliveries: readonly Came[]): string {
  return deliveries
    .map(({ event = 'BOOKING_UPDATED', subject, clock, locationId = VENUE, headers = {} }) =>
      deliveryLine({
        timeMs: at(time(clock)) + 200,
        headers,
        body: Buffer.from(JSON.stringify(eventBody(event as WebhookEvent, subject, locationId))),
        verdict: 'new',
      }),
    )
    .join('')
}

async function bench(records: readonly Sent[], deliveries: readonly Came[], name = 'b.ndjson') {
  const { service, desk } = await startDesk(NOW, [...records], name)
  expect(await desk.sync('--source', 'city', '--since', '2026-11-01T00:00:00Z')).toMatchObject({ code: 0 })
  const journal = join(desk.directory, 'hooks.ndjson')
  writeFileSync(journal, journalOf(deliveries))
  const gaps = (...more: readonly string[]) => {
    const named = { '--journal': journal, '--copy': desk.path, '--source': 'city' }
    const usual = Object.entries(named).filter(([flag]) => !more.includes(flag))
    const env = { ...desk.env, HOOK_KEY: 'key-1', HOOK_TOKEN: 'token-1' }
    return runPartner(['webhooks', 'gaps', ...usual.flat(), ...more], { env })
  }
  const rows = async (...more: readonly string[]) =>
    JSON.parse((await gaps('--json', ...more)).stdout) as Record<string, unknown>[]
  return { service, desk, journal, gaps, rows }
}

const FIRST = { subject: 'A', clock: '08:00' }
const ONE_OF_EACH = {
  records: [changed('A', '08:00'), changed('M', '09:00'), changed('L', '09:30'), changed('D', '11:00')],
  came: [
    FIRST,
    { subject: 'L', clock: '09:50' },
    { subject: 'X', clock: '10:30' },
    { subject: 'D', clock: '11:00' },
    { subject: 'D', clock: '11:01' },
  ],
}

describe.each(['b.ndjson', 'b.db'])('webhooks gaps with a copy in %s', (name) => {
  test('webhooks gaps lists each gap with its kind and exits with code 11', async () => {
    const { gaps, rows } = await bench(ONE_OF_EACH.records, ONE_OF_EACH.came, name)
    const run = await gaps()
    expect(run.code).toBe(11)
    expect(run.stdout.split('\n').map((line) => line.split(/ +/).slice(0, 3).join(' '))).toEqual([
      'CLASS EVENT SUBJECT',
      'missing BOOKING_UPDATED M',
      'late BOOKING_UPDATED L',
      'extra BOOKING_UPDATED X',
      'duplicate BOOKING_UPDATED D',
      '',
    ])
    expect(run.stdout).toMatch(/^late .* 2026-11-20 09:30 +20m /m)
    expect(run.stderr).toContain('bookings: compared from 2026-11-20T08:00:00.200Z to 2026-11-20T')
    const error = 'error: the deliveries do not match the changes: 1 missing, 1 extra, 1 late, 1 duplicate\n'
    expect(run.stderr).toContain(error)
    expect(await rows()).toEqual([
      row('missing', 'M', { changed: time('09:00') }),
      row('late', 'L', { changed: time('09:30'), delivered: came('09:50'), lateSeconds: 1200, line: 2 }),
      row('extra', 'X', { delivered: came('10:30'), line: 3 }),
      row('duplicate', 'D', { delivered: came('11:01'), line: 5 }),
    ])
  })

  test('webhooks gaps exits with code 0 and prints an empty list or only a CSV header if it finds no gaps', async () => {
    const { gaps } = await bench([changed('A', '08:00')], [FIRST], name)
    const plain = await gaps()
    expect([plain.code, plain.stdout]).toEqual([0, ''])
    expect(plain.stderr).toMatch(/^0 changes, 1 delivery: no gaps$/m)
    expect(await gaps('--json')).toMatchObject({ code: 0, stdout: '[]\n' })
    expect((await gaps('-o', 'csv')).stdout).toBe(
      'class,event,subject,changedAfter,changed,delivered,lateSeconds,line,repaired,answer\n',
    )
  })

  test('webhooks gaps and a concurrent sync do not block each other', async () => {
    const { gaps, desk } = await bench([changed('A', '08:00')], [FIRST], name)
    const [looked, synced] = await Promise.all([gaps(), desk.sync('--source', 'city')])
    expect([looked.code, synced.code]).toEqual([0, 0])
  })
})

test('webhooks gaps compares every version of a booking in an NDJSON copy, but only the last version in a database', async () => {
  for (const [name, missing] of [
    ['b.ndjson', [time('09:00')]],
    ['b.db', []],
  ] as const) {
    const { desk, service, rows } = await bench(
      [changed('A', '09:00')],
      [
        { subject: 'Z', clock: '08:00' },
        { subject: 'A', clock: '12:00' },
      ],
      name,
    )
    service.records = [changed('A', '12:00')]
    service.nowMs += 3_600_000
    expect(await desk.sync('--source', 'city', '--overlap', '24h')).toMatchObject({ code: 0 })
    const found = await rows()
    expect(found.filter((one) => one['class'] === 'missing').map((one) => one['changed'])).toEqual(missing)
  }
})

test("webhooks gaps expects exactly one creation event, at the booking's creation time", async () => {
  const made = [changed('N', '09:00', { bookedAt: time('09:00') }), changed('O', '09:10', { bookedAt: time('09:10') })]
  const event = 'BOOKING_CREATED'
  const { rows } = await bench(made, [
    { subject: 'A', clock: '08:00', locationId: 'elsewhere' },
    { event, subject: 'O', clock: '09:10' },
    { event, subject: 'O', clock: '13:00' },
  ])
  expect(await rows()).toEqual([
    { ...row('missing', 'N', { changed: time('09:00') }), event },
    { ...row('duplicate', 'O', { delivered: came('13:00'), line: 3 }), event },
  ])
})

test('webhooks gaps compares only the requested events in the requested period', async () => {
  const { gaps, rows } = await bench(ONE_OF_EACH.records, ONE_OF_EACH.came)
  const classes = async (...more: readonly string[]) => (await rows(...more)).map((one) => one['class'])
  expect(await classes('--event', 'booking_created')).toEqual([])
  expect(await classes('--event', 'BOOKING_UPDATED', '--event', 'BOOKING_CREATED')).toHaveLength(4)
  expect(await classes('--since', time('10:00'))).toEqual(['extra', 'duplicate'])
  expect(await classes('--until', time('10:00'))).toEqual(['missing', 'late'])
  expect(await classes('--since', time('07:00'), '--until', time('08:30'))).toEqual([])
  expect((await gaps('--since', time('12:00'))).code).toBe(0)
})

test('webhooks gaps --summary counts gaps by hour and event', async () => {
  const { gaps, rows } = await bench(ONE_OF_EACH.records, ONE_OF_EACH.came)
  const none = { changes: 0, deliveries: 0, missing: 0, extra: 0, late: 0, duplicate: 0 }
  const hour = (clock: string, more: object) => ({ hour: time(clock), event: 'BOOKING_UPDATED', ...none, ...more })
  expect(await rows('--summary')).toEqual([
    hour('08:00', { deliveries: 1 }),
    hour('09:00', { changes: 2, deliveries: 1, missing: 1, late: 1 }),
    hour('10:00', { deliveries: 1, extra: 1 }),
    hour('11:00', { changes: 1, deliveries: 2, duplicate: 1 }),
  ])
  expect(await gaps('--summary')).toMatchObject({ code: 11, stdout: expect.stringContaining('MISSING') })
})

test('webhooks gaps says that it ignores the last 15 minutes, unknown events and other venues', async () => {
  const { gaps } = await bench(
    [changed('A', '08:00'), changed('B', '19:50')],
    [
      FIRST,
      { event: 'SOMETHING', subject: 'A', clock: '09:00' },
      { subject: 'Y', clock: '09:00', locationId: 'another' },
      { subject: 'X', clock: '19:52' },
    ],
  )
  const run = await gaps()
  expect(run).toMatchObject({ code: 0, stdout: '' })
  expect(run.stderr).toContain('too recent to judge: 1 change without an event and 1 event without a change\n')
  expect(run.stderr).toContain('skipped: 1 delivery of an unknown event and 1 delivery for another venue\n')
})

test('webhooks gaps suggests checking the subscription of an event that was never delivered', async () => {
  const created = { event: 'BOOKING_CREATED', subject: 'A', clock: '08:00' }
  const { gaps } = await bench([changed('A', '08:00'), changed('B', '09:00')], [created])
  const doubt = 'no BOOKING_UPDATED was delivered; check that there is a subscription for it: partner webhooks list\n'
  expect((await gaps()).stderr).toContain(doubt)
})

describe('webhooks gaps --repair', () => {
  const two = { records: [changed('A', '08:00'), changed('M', '09:00'), changed('N', '09:30')], came: [FIRST] }

  test('webhooks gaps --repair sends missing events with a repair header and credentials', async () => {
    const receiver = await startRawServer(() => answers(204, ''))
    const { gaps } = await bench(two.records, two.came)
    const to = `${receiver.baseUrl}/hooks`
    const credentials = ['--security-key', 'env:HOOK_KEY', '--security-token', 'env:HOOK_TOKEN']
    const run = await gaps('--repair', '--to', to, ...credentials, '--json')
    expect(run.code).toBe(0)
    expect(run.stderr).toContain('2 changes, 1 delivery: 2 missing\nrepaired: 2 of 2 missing events\n')
    expect(JSON.parse(run.stdout)).toEqual([
      row('missing', 'M', { changed: time('09:00'), repaired: true, answer: 204 }),
      row('missing', 'N', { changed: time('09:30'), repaired: true, answer: 204 }),
    ])
    expect(receiver.requests.map(({ method, target, body }) => [method, target, body])).toEqual(
      ['M', 'N'].map((id) => ['POST', '/hooks', JSON.stringify(eventBody('BOOKING_UPDATED', id, VENUE))]),
    )
    expect(receiver.requests[0]?.headers).toMatchObject({
      'x-partner-repair': '1',
      'content-type': 'application/json',
      'x-security-key': 'key-1',
      'x-security-token': 'token-1',
    })
  })

  test('webhooks gaps --repair exits with code 11 if a repair is not accepted or if there are other gaps', async () => {
    let status = 500
    const receiver = await startRawServer(() => answers(status, ''))
    const { gaps, journal } = await bench(two.records, two.came)
    const to = ['--repair', '--to', receiver.baseUrl]
    const refused = await gaps(...to)
    expect(refused).toMatchObject({ code: 11, stdout: expect.stringMatching(/^missing .* M .* 500$/m) })
    expect(refused.stderr).toContain('error: 2 of 2 missing events could not be repaired\n')
    status = 200
    expect((await gaps(...to, '--until', time('08:30'))).stderr).toContain('no event is missing; nothing was sent\n')
    writeFileSync(journal, journalOf([FIRST, { subject: 'A', clock: '08:01' }]))
    const more = await gaps(...to)
    expect(more.code).toBe(11)
    expect(more.stderr).toContain('repaired: 2 of 2 missing events\n')
    expect(more.stderr).toContain('error: the deliveries do not match the changes: 1 duplicate\n')
  })

  test('webhooks gaps --repair stops after three consecutive deliveries get no response', async () => {
    const records = ['1', '2', '3', '4', '5'].map((id) => changed(id, '09:00'))
    const { rows } = await bench([changed('A', '08:00'), ...records], two.came)
    const answered = (await rows('--repair', '--to', 'http://127.0.0.1:1')).map((one) => one['answer'])
    const nobody = 'nothing is listening at 127.0.0.1:1'
    expect(answered).toEqual([nobody, nobody, nobody, 'not sent', 'not sent'])
  })

  test('webhooks gaps --repair --dry-run reports the number of missing events without sending them', async () => {
    const receiver = await startRawServer(() => answers(200, ''))
    const { gaps } = await bench(two.records, two.came)
    const run = await gaps('--repair', '--to', receiver.baseUrl, '--dry-run')
    expect(run).toMatchObject({ code: 11, stdout: expect.stringMatching(/missing .* M .*\nmissing .* N /) })
    expect(run.stderr).toContain(`2 missing would be sent to ${receiver.baseUrl}/; nothing was sent\n`)
    expect(receiver.requests).toEqual([])
  })

  test('webhooks gaps counts a repair in the journal as a delivery of the missing event', async () => {
    const headers = { 'x-partner-repair': '1' }
    const repairs = ['M', 'N'].map((subject) => ({ subject, clock: '19:00', headers }))
    const { gaps } = await bench(two.records, [FIRST, ...repairs])
    expect(await gaps()).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('webhooks gaps for gift card events', () => {
  test('webhooks gaps explains that it needs two dated snapshots to compare gift cards', async () => {
    const file = await bench([changed('A', '08:00')], [FIRST])
    expect((await file.gaps()).stderr).toContain(
      'gift cards: not compared, because only a .db file or PostgreSQL stores dated snapshots\n',
    )
    expect((await file.gaps('--event', 'BOOKING_UPDATED')).stderr).not.toContain('gift cards')
    const database = await bench([changed('A', '08:00')], [FIRST], 'b.db')
    expect((await database.gaps()).stderr).toContain(
      'gift cards: not compared, because a comparison requires two dated snapshots, but the copy has none in this period; each run of giftcards sync adds one\n',
    )
    for (const { gaps } of [file, database]) {
      const run = await gaps('--event', 'GIFTCARDS_REDEEMED')
      expect(run).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('a comparison requires two dated snapshots'),
      })
    }
  })
})

describe('invalid webhooks gaps arguments', () => {
  test('webhooks gaps exits with code 2 if a journal or a copy cannot be read or compared', async () => {
    const { gaps, journal, desk } = await bench([changed('A', '08:00')], [FIRST])
    const refused = async (words: string, ...more: readonly string[]) => {
      const run = await gaps(...more)
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) })
    }
    await refused('error: cannot read nowhere.ndjson: ', '--journal', 'nowhere.ndjson')
    await refused('other.db contains no copy of the bookings of city', '--copy', 'other.db')
    await refused('--copy x.csv does not contain complete records', '--copy', 'x.csv')
    await refused('--copy must not contain a password', '--copy', 'postgres://bob:secret@h/d')
    writeFileSync(journal, '')
    await refused('the journal has no deliveries yet')
    expect(await gaps('--since', time('07:00'), '--until', time('07:30'))).toMatchObject({ code: 0 })
    await refused('there is nothing to compare: ', '--since', '2026-11-20T21:00:00Z')
    await refused('update the copy: partner bookings sync --to ', '--since', '2026-11-20T21:00:00Z')
    await refused('name a later time with --until', '--since', '2025-01-01', '--until', '2025-01-02')
    writeFileSync(journal, '{"time":1}\n')
    await refused('line 1 is not a delivery')
    const guests = join(desk.directory, 'c.ndjson')
    expect(await runPartner(['customers', 'sync', '--to', guests], { env: desk.env })).toMatchObject({ code: 0 })
    await refused('contains the customers of', '--copy', guests)
  })

  test('webhooks gaps reports all command-line mistakes at once', async () => {
    const line = '--journal postgres://a:b@h/d --copy - --event NOPE --since never --until ever --to ftp://x --dry-run'
    const run = await runPartner(['webhooks', 'gaps', ...line.split(' ')])
    expect(run.code).toBe(2)
    for (const words of [
      '--journal must not contain a password',
      '--copy - does not contain complete records',
      'unknown event "NOPE"',
      '--since: "never" is not a time',
      '--until: "ever" is not a time',
      '--to needs --repair',
      '--to must be an absolute http or https URL',
      '--dry-run needs --repair',
    ])
      expect(run.stderr).toContain(words)
    const swapped = 'webhooks gaps --journal a --copy b.db --since 2026-11-20 --until 2026-11-19 --repair'
    const late = await runPartner(swapped.split(' '))
    expect(late.stderr).toContain('--since is later than --until')
    expect(late.stderr).toContain('--to URL is required because no listener is running')
  })
})

const came = (clock: string): string => time(clock).replace('.000Z', '.200Z')

function row(found: string, subject: string, more: object) {
  return {
    ...{ class: found, event: 'BOOKING_UPDATED', subject, changedAfter: null, changed: null, delivered: null },
    ...{ lateSeconds: null, line: null, repaired: null, answer: null },
    ...more,
  }
}
