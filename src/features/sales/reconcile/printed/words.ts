import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { MINUTE_MS } from '../../../../base/time/units.ts'
import { formatInZone } from '../../../../base/time/zone.ts'
import { sizeOf, sumOf } from '../../../../money/amount.ts'
import { formatClosing, formatDays, getClosingInstant } from '../closing.ts'
import type { Closing, Days, Difference, Kind, PosSale, ServiceSale } from '../ledger.ts'
import { type Units, unitsText } from '../units.ts'

export function missing(pos: PosSale, { timezone }: Days, doubt?: string): Difference {
  const isLinked = pos.bookingId !== null || pos.table !== null
  return difference('missing', [pos, null], {
    difference: pos.total ?? 0n,
    detail: [
      line(pos),
      pos.closed && `closed ${formatClosing(pos.closed, timezone)}`,
      pos.total === null && 'without a total',
      'the service does not list it',
      !isLinked && 'it names neither a booking nor a table, and the service may list only linked sales',
      doubt,
    ],
    next:
      doubt !== undefined
        ? withTimelineHint(
            pos.saleId,
            'ask the service whether it has the sale: --fix omits the sale unless you add --force',
          )
        : 'write the sale to a file with --fix FILE, and submit the file with sales import',
  })
}

export function extra(service: ServiceSale, { timezone }: Days): Difference {
  const { saleId, closedMs, bookingId, total: amount } = service
  return difference('extra', [null, service], {
    difference: -(amount ?? 0n),
    detail: [
      closedMs !== null && `closed ${formatClosing({ ms: closedMs }, timezone)}`,
      bookingId === null ? 'not linked to a booking' : `booking ${bookingId}`,
      saleId === null ? 'the service lists no sale ID' : 'the file does not have it',
      amount === null && 'the service lists no total',
    ],
    next: withTimelineHint(saleId, 'look for it at the POS'),
  })
}

export function doubled(lines: readonly PosSale[], rows: readonly ServiceSale[], more: Units): Difference {
  const bookings = [...new Set(rows.map(({ bookingId }) => bookingId ?? 'no booking'))].join(', ')
  const times = rows.length === 2 ? 'twice' : `${rows.length} times`
  const sides = [lines[0] ?? null, rows[0] ?? null] as const
  const found = difference('doubled', sides, {
    difference: more,
    detail: [
      lines.length > 1 && `doubled at the POS: lines ${lines.map((one) => one.line).join(', ')} of the file`,
      rows.length > 1 && `the service lists it ${times}: ${bookings}`,
    ],
    next:
      rows.length > 1
        ? withTimelineHint(
            (lines[0] ?? rows[0])?.saleId ?? null,
            'ask the service to remove the duplicates, because partner cannot',
          )
        : "correct the POS's export: each sale needs its own ID",
  })
  return { ...found, pos: totalOf(lines), service: totalOf(rows) }
}

export function total(pos: PosSale, service: ServiceSale, why: string | null): Difference {
  const more = (pos.total ?? 0n) - (service.total ?? 0n)
  return difference('total', [pos, service], {
    difference: more,
    detail: [line(pos), why ?? `the service has ${unitsText(sizeOf(more))} ${more < 0n ? 'more' : 'less'}`],
    next: 'the same ID cannot be sent again: ask the service to correct the sale, or send the difference under a new ID',
  })
}

export function unlinked(pos: PosSale, service: ServiceSale): Difference {
  const named = pos.bookingId === null ? `table ${pos.table}` : `booking ${pos.bookingId}`
  const { acceptedBy } = service
  return difference('unlinked', [pos, service], {
    detail: [
      line(pos),
      acceptedBy === undefined
        ? `the POS names ${named}, but the service has not linked it to a booking`
        : `the POS names ${named}; the service accepted it (${acceptedBy}), but does not list it under any booking`,
    ],
    next:
      acceptedBy === undefined
        ? LINK
        : 'ask the service to link the sale to its booking; do not send it again, or the service may list it twice',
  })
}

export function booking(pos: PosSale, service: ServiceSale): Difference {
  return difference('booking', [pos, service], {
    detail: [line(pos), `the POS names booking ${pos.bookingId}, but the service names ${service.bookingId}`],
    next: LINK,
  })
}

const LINK = 'the same ID cannot be sent again: ask the service to link the sale to its booking'

export function orphan(pos: PosSale, service: ServiceSale | null, days: Days): Difference {
  const { originalSaleId: parent } = pos
  const names = parent === null ? 'no sale' : 'itself'
  return difference('orphan-refund', [pos, service], {
    detail: [
      line(pos),
      parent === null || parent === pos.saleId
        ? `a refund that names ${names}`
        : `a refund of sale ${parent}, which neither the file nor the service lists around ${formatDays(days)}`,
      'the original sale is taken from the file alone, as the service does not list it',
    ],
    next:
      parent === null
        ? 'find out which sale was refunded and set originalSaleId to its ID'
        : withTimelineHint(parent, 'look for the original sale'),
  })
}

export function day(
  pos: PosSale,
  closed: Closing,
  service: ServiceSale,
  serviceMs: number,
  timezone: string | null,
): Difference {
  return difference('day', [pos, service], {
    detail: [
      line(pos),
      `closed ${formatClosing(closed, timezone)} at the POS, ${formatClosing({ ms: serviceMs }, timezone)} in the service (${timezone ?? 'UTC'})`,
      explainDay(getClosingInstant(closed, timezone), serviceMs, timezone),
    ],
    next: 'configure the POS to send times in UTC or with an offset; sales that were already sent do not change',
  })
}

interface DifferenceText {
  readonly difference?: Units
  readonly detail: readonly (string | false | null | undefined)[]
  readonly next: string
}

function difference(
  kind: Kind,
  [pos, service]: readonly [PosSale | null, ServiceSale | null],
  { difference: units = 0n, detail, next }: DifferenceText,
): Difference {
  return {
    kind,
    saleId: pos?.saleId ?? service?.saleId ?? null,
    pos: pos?.total ?? null,
    service: service?.total ?? null,
    difference: units,
    detail: detail.filter(Boolean).join('; '),
    next,
  }
}

function explainDay(posMs: number | null, serviceMs: number, timezone: string | null): string | null {
  if (posMs === null || timezone === null) return null
  const wall = Date.parse(`${formatInZone(posMs, timezone).slice(0, 16).replace(' ', 'T')}Z`)
  const offset = Math.round((wall - posMs) / MINUTE_MS)
  const apart = Math.round((serviceMs - posMs) / MINUTE_MS)
  if (offset === 0 || Math.abs(apart) !== Math.abs(offset)) return null
  return apart === offset ? "the venue's local time was sent as UTC" : "UTC was taken for the venue's local time"
}

function line(pos: PosSale): string {
  return `line ${pos.line}`
}

function withTimelineHint(saleId: string | null, first: string): string {
  return saleId === null ? first : `${first}; for its history: partner timeline sale ${quoteShellWord(saleId)}`
}

function totalOf(sales: readonly { readonly total: Units | null }[]): Units | null {
  return sales.length === 0 ? null : sumOf(sales.map(({ total: units }) => units ?? 0n))
}
