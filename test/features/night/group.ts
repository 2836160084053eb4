import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ResourceName } from '../../../src/sync/copy.ts'
import { databaseKind } from '../../../src/sync/database-kind.ts'
import { openTarget } from '../../../src/sync/open-target.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'

export const DATE = '2026-11-21'

/** A venue whose name must be escaped in SQL and in HTML. */
export const QUOTED = `O'Brien's; DROP TABLE bookings; -- <b>"&amp;`
/** A venue with a name in a right-to-left script. */
export const RTL = 'مطعم الواحة 🌴'
export const HOSTILE = '<script>alert(1)</script>'
export const HARBOUR = 'harbour'
/** A venue whose sales were never synced. */
export const KIOSK = 'kiosk'
/** A venue without any bookings or sales. */
export const QUIET = 'quiet'
/** A venue whose first sync started but never committed anything. */
export const NEVER = 'never'

type Json = Readonly<Record<string, unknown>>

const STATUSES = {
  confirmed: { statusType: 'standard', code: 'CONFIRMED', name: 'Confirmed' },
  seated: { statusType: 'standard', code: 'SEATED', name: 'Seated' },
  finished: { statusType: 'standard', code: '61aa_finished', name: 'Finished 🍮' },
  noShow: { statusType: 'standard', code: 'NOSHOW', name: 'Missing' },
  noShowByName: { statusType: 'custom', code: '61aa', name: 'No show' },
  noShowByType: { statusType: 'No-Show', code: '61ab', name: 'Absent' },
  gone: { statusType: 'custom', code: 'DNA', name: 'Did not arrive' },
  cancelled: { statusType: 'cancelled', code: '61ac', name: 'Weg' },
  cancelledByCode: { statusType: 'standard', code: 'GUEST_CANCELLED', name: 'Weg' },
} as const

/** Builds a booking in the service's format. `time` is in the venue's time zone. */
export function booking(
  id: string,
  time: string,
  people: number | null,
  status: keyof typeof STATUSES,
  more: Json = {},
): Json {
  return {
    bookingId: id,
    bookingTime: time,
    people,
    status: STATUSES[status],
    serviceId: 'svc',
    serviceName: 'Dinner',
    duration: 90,
    tables: [],
    lastModifiedDate: '2026-11-22T00:00:00.000Z',
    ...more,
  }
}

/** Builds a sale that was closed at the given instant. */
export function sale(id: string, bookingId: string | null, closedAt: string, total: number | null): Json {
  return {
    bookingId,
    saleDetail: { transactionId: id, transactionDateTime: closedAt, status: 'SALE', total, posName: 'Till 1 <i>' },
  }
}

function owes(amountDue: number, currencyCode: string | null): Json {
  return { paymentSummary: { paymentType: 'card', amount: 100, amountDue, amountPaid: 0, currencyCode } }
}

function guest(firstName: string, lastName: string, id = 'C-1'): Json {
  return { customer: { id, firstName, lastName } }
}

/** Builds bookings for every case that may occur in one night. All times are local to Sydney, 11 hours ahead of UTC. */
function harbour(): readonly Json[] {
  const lunch = { serviceName: 'Lunch' }
  return [
    booking('H-0', `${DATE}T04:59:59`, 9, 'finished'),
    booking('H-1', `${DATE}T05:00:00`, 2, 'finished', { serviceName: 'Breakfast' }),
    booking('H-2', `${DATE}T12:30:00`, 4, 'seated', { ...lunch, ...guest('Ada', 'Ng') }),
    booking('H-3', `${DATE}T12:45:00`, 6, 'finished', { ...lunch, tables: [{ tableName: 'T5' }, { tableName: 'T4' }] }),
    booking('H-4', `${DATE}T18:00:00`, 3, 'noShow', owes(19.99, 'AUD')),
    booking('H-5', `${DATE}T18:15:00`, 2, 'noShowByName'),
    booking('H-6', `${DATE}T18:30:00`, 5, 'noShowByType'),
    booking('H-7', `${DATE}T19:00:00`, 8, 'gone'),
    booking('H-8', `${DATE}T19:30:00`, 7, 'cancelled', owes(50, 'AUD')),
    booking('H-9', `${DATE}T19:30:00`, 7, 'cancelledByCode'),
    booking('H-10', `${DATE}T20:00:00`, 10, 'confirmed', { ...owes(773.34, 'AUD'), ...guest('نور', 'الهاشمي 🌙') }),
    booking('H-11', `${DATE}T20:15:00`, 4, 'seated', { ...owes(0.1, 'NZD'), customer: { id: 'C-2' } }),
    booking('H-12', `${DATE}T21:00:00`, null, 'seated', {
      serviceName: HOSTILE,
      ...guest(HOSTILE, '" onload="x'),
      notes: 'x',
    }),
    booking('H-13', '2026-11-22T00:30:00', 2, 'seated', { serviceName: 'Late', ...owes(-5, 'AUD') }),
    booking('H-14', '2026-11-22T04:59:00', 3, 'confirmed', { serviceName: null, ...owes(10, null) }),
    booking('H-15', '2026-11-22T05:00:00', 20, 'finished'),
  ]
}

const HARBOUR_SALES = [
  sale('S-1', 'H-2', '2026-11-21T03:00:00.000Z', 120.5),
  sale('S-2', 'H-13', '2026-11-23T03:00:00.000Z', 20),
  sale('S-3', null, '2026-11-20T17:59:59.999Z', 1),
  sale('S-4', null, '2026-11-20T18:00:00.000Z', 10.01),
  sale('S-5', null, '2026-11-21T13:40:00.000Z', 0.29),
  sale('S-6', null, '2026-11-21T13:41:00.000Z', -4),
  sale(HOSTILE, null, '2026-11-21T13:42:00.000Z', null),
  sale('S-7', null, '2026-11-21T18:00:00.000Z', 2),
]

interface Venue {
  readonly source: string
  readonly timezone: string | null
  readonly bookings: readonly Json[] | null
  readonly sales: readonly Json[] | null
  /** The time up to which the copy contains all changes. */
  readonly upTo?: string
}

export const VENUES: readonly Venue[] = [
  { source: HARBOUR, timezone: 'Australia/Sydney', bookings: harbour(), sales: HARBOUR_SALES },
  {
    source: RTL,
    timezone: 'Asia/Dubai',
    bookings: [
      booking('R-1', `${DATE}T19:00:00`, 12, 'seated', { serviceName: 'عشاء', ...guest('ליאת', 'כהן') }),
      booking('R-2', `${DATE}T20:30:00`, 6, 'finished', {
        serviceName: 'عشاء',
        ...owes(200, 'AED'),
        ...guest('👩🏽‍🍳 Zoë', 'Ünal'),
      }),
      booking('R-3', `${DATE}T20:30:00`, 2, 'noShow', { serviceName: 'عشاء' }),
    ],
    sales: [sale('R-S1', 'R-1', '2026-11-21T18:00:00.000Z', 300), sale('R-S2', null, '2026-11-21T18:00:00.000Z', 55)],
    upTo: '2026-11-21T18:30:00.000Z',
  },
  { source: QUOTED, timezone: null, bookings: [booking('Q-1', `${DATE}T19:00:00`, 1, 'finished')], sales: [] },
  {
    source: KIOSK,
    timezone: 'Europe/London',
    bookings: [booking('K-1', `${DATE}T13:00:00`, 3, 'finished', owes(1, 'GBP'))],
    sales: null,
  },
  { source: QUIET, timezone: 'Europe/London', bookings: [], sales: [] },
  { source: NEVER, timezone: 'Europe/London', bookings: null, sales: null },
]

const CUSTOMERS = [{ id: 'C-2', firstName: 'Grace', lastName: 'Hopper', lastModifiedDate: '2026-11-01T00:00:00.000Z' }]

/** Creates a directory that all tests in a file can share. It is deleted when the process exits. */
export function lastingDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'partner-night-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Writes a copy of all venues, as their syncs would. `to` is `x.db` or `postgres://…`. */
export async function writeGroup(to: string, env: Readonly<Record<string, string | undefined>> = {}): Promise<void> {
  for (const venue of VENUES) {
    await write(to, venue, 'bookings', venue.bookings, env)
    if (venue.sales !== null) await write(to, venue, 'sales', venue.sales, env)
  }
  const [first] = VENUES
  if (first) await write(to, first, 'customers', CUSTOMERS, env)
}

async function write(
  to: string,
  { source, timezone, upTo = '2026-11-23T00:00:00.000Z' }: Venue,
  resource: ResourceName,
  records: readonly Json[] | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const target = await openTarget(to, databaseKind(to) ?? 'file', {
    resource,
    source,
    timezone,
    env: { HOME: '/nonexistent', ...env },
  })
  const copy = await target.hold({
    ...{ reset: false, standby: false, leaseMs: 30_000, overlapMs: 0, command: `${resource} sync` },
    signal: new AbortController().signal,
    say: async () => {},
  })
  try {
    if (records === null) return
    await copy.add(records.map((record) => toSyncRecord(JSON.stringify(record), RESOURCES[resource])))
    const before = { added: 0, changed: 0, unchanged: 0 }
    await copy.commit(Date.parse(upTo), { startedMs: Date.parse(upTo), requests: 1, before, memo: '' })
  } finally {
    await copy.close()
    await target.close()
  }
}
