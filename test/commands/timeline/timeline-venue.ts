import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventBody, type WebhookEvent } from '../../../src/contract/events.ts'
import type { TimelineRow } from '../../../src/features/timeline/output.ts'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { freshDirectory, freshHome, type Run, runPartner } from '../../support/partner.ts'
import { type Act, answers, type RawRequest, type RawServer, startRawServer } from '../../support/raw-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests send records in any shape
export type Sent = Record<string, any>

/** A service whose records the test sets, and a directory for journals and copies. */
export interface TimelineVenue {
  readonly server: RawServer
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
  bookings: Sent[]
  sales: Sent[]
  cards: Sent[]
  run(...args: readonly string[]): Promise<Run>
  /** Runs a timeline command and returns its entries regardless of the exit code. */
  entries(...args: readonly string[]): Promise<readonly TimelineRow[]>
  file(name: string, lines: readonly (Sent | string)[]): string
}

export async function startTimelineVenue(lie?: (request: RawRequest) => Act | undefined): Promise<TimelineVenue> {
  const server = await startRawServer((request) => lie?.(request) ?? answer(known, request))
  const directory = freshDirectory()
  const env = { ...freshHome(), ...server.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
  const run = (...args: readonly string[]) => runPartner(['timeline', ...args], { env, cwd: directory })
  const known: TimelineVenue = {
    ...{ server, directory, env, run, bookings: [], sales: [], cards: [] },
    entries: async (...args) => {
      const { stdout, stderr } = await run(...args, '--json')
      if (stdout === '') throw new Error(stderr)
      return JSON.parse(stdout)
    },
    file: (name, lines) => {
      const path = join(directory, name)
      writeFileSync(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
      return path
    },
  }
  return known
}

function answer({ bookings, sales, cards }: TimelineVenue, { target }: RawRequest): Act {
  const url = new URL(target, 'http://service')
  const [, topic, id = ''] = url.pathname.split('/')
  if (topic === 'Sales') {
    const start = Number(url.searchParams.get('StartIndex'))
    const items = sales.slice(start, start + 100)
    return answers(200, { from: 0, to: items.length, length: items.length, items })
  }
  const record = (topic === 'Bookings' ? bookings : cards).find((one) => (one['bookingId'] ?? one['cardNumber']) === id)
  return record
    ? answers(200, record)
    : answers(404, { message: `${topic === 'Bookings' ? 'Booking' : 'Gift card'} '${id}' not found.` })
}

/** Returns a version of a booking for 2026-11-20 19:00 in Sydney. */
export function booking(bookingId: string, lastModifiedDate: string, status: string, more: Sent = {}): Sent {
  return {
    ...{ bookingId, locationId: 'venue-1', method: 'online', bookedAt: '2026-11-18T01:00:00Z' },
    ...{ people: 4, duration: 90 },
    ...{ bookingTime: '2026-11-20T19:00:00', serviceName: 'Dinner', tables: [{ tableName: 'T1' }], lastModifiedDate },
    status: { statusType: 'standard', code: status, name: status },
    ...more,
  }
}

export function sale(transactionId: string, bookingId: string | null, more: Sent = {}): Sent {
  const usual = { transactionId, transactionDateTime: '2026-11-20T10:30:00Z', total: 120.5, status: 'SALE' }
  return { bookingId, saleDetail: { ...usual, ...more } }
}

export function delivered(event: WebhookEvent, subject: string, time: string, more: Sent = {}): string {
  const { locationId = 'venue-1', ...rest } = more
  const body = Buffer.from(JSON.stringify(eventBody(event, subject, locationId)))
  return deliveryLine({ timeMs: Date.parse(time), headers: {}, body, verdict: 'new', ...rest }).trimEnd()
}
