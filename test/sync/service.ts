import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseNdjson } from '../support/ndjson.ts'
import { freshDirectory, freshHome, runPartner } from '../support/partner.ts'
import { type Act, answers, type RawRequest, type RawServer, startRawServer } from '../support/raw-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests use arbitrary values
export type Sent = Record<string, any>

/** A fake service with a few records and a clock, both of which the tests control. */
export interface SyncService {
  readonly server: RawServer
  /** The service's records, which tests can change. */
  records: Sent[]
  /** The time on the service's clock, in milliseconds since 1970-01-01. Only tests advance the clock. */
  nowMs: number
  /** Whether responses have a Date header. */
  isDated: boolean
  /** Returns a replacement for the service's normal response, or `undefined` to send the normal response. */
  lie: ((request: RawRequest, query: URLSearchParams) => Act | undefined) | null
  /** Returns the start and the end of each requested window, exactly as they were sent. */
  windows(): (readonly [from: string | null, to: string | null])[]
}

export const at = (text: string): number => Date.parse(text)

export function booking(bookingId: string, lastModifiedDate: string, more: Sent = {}): Sent {
  return { bookingId, people: 2, bookingTime: '2026-12-01T19:30:00', lastModifiedDate, ...more }
}

export async function startSyncService(now: string, records: Sent[] = []): Promise<SyncService> {
  const acts = (request: RawRequest): Act => {
    const url = new URL(request.target, 'http://service')
    const query = url.searchParams
    const date: Record<string, string> = service.isDated ? { date: new Date(service.nowMs).toUTCString() } : {}
    const lied = service.lie?.(request, query)
    if (lied) return lied
    if (url.pathname === '/Bookings') {
      const bookings = between(service.records, query.get('UpdatedFromDate'), query.get('UpdatedToDate'))
      return answers(200, { count: bookings.length, bookings }, date)
    }
    const all = between(service.records, query.get('DateUpdatedStart'), query.get('DateUpdatedEnd'))
    const start = Number(query.get('StartIndex'))
    const items = all.slice(start, start + Math.min(PAGE, Number(query.get('Limit'))))
    return answers(200, { from: start, to: start + items.length, length: items.length, items }, date)
  }
  const server = await startRawServer(acts)
  const service: SyncService = {
    server,
    records,
    nowMs: at(now),
    isDated: true,
    lie: null,
    windows: () =>
      server.requests.map(({ target }) => {
        const query = new URL(target, 'http://service').searchParams
        return [
          query.get('UpdatedFromDate') ?? query.get('DateUpdatedStart'),
          query.get('UpdatedToDate') ?? query.get('DateUpdatedEnd'),
        ]
      }),
  }
  return service
}

const PAGE = 3

function between(records: readonly Sent[], from: string | null, to: string | null): Sent[] {
  const [fromMs, toMs] = [at(from ?? ''), at(to ?? '')]
  return records
    .filter(({ lastModifiedDate }) => {
      const ms = at(lastModifiedDate ?? '')
      return Number.isNaN(ms) || (ms >= fromMs && ms <= toMs)
    })
    .sort((one, other) => at(one['lastModifiedDate'] ?? 0) - at(other['lastModifiedDate'] ?? 0))
}

export async function startDesk(now: string, records: Sent[] = [], name?: string, topic?: string) {
  const service = await startSyncService(now, records)
  return { service, desk: deskFor(service.server.env, name, topic) }
}

export type Desk = ReturnType<typeof deskFor>

export function deskFor(env: Readonly<Record<string, string | undefined>>, name = 'b.ndjson', topic = 'bookings') {
  const directory = freshDirectory()
  const path = join(directory, name)
  const home = { ...freshHome(), ...env }
  const lines = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [])
  const records = () => parseNdjson(lines().join('\n'))
  return {
    directory,
    path,
    env: home,
    sync: (...flags: readonly string[]) => runPartner([topic, 'sync', '--to', path, ...flags], { env: home }),
    lines,
    records,
    has: () =>
      records().map(
        (record: Sent) => `${record['bookingId'] ?? record['id']}@${record['lastModifiedDate']?.slice(11, 19) ?? ''}`,
      ),
  }
}
