import { shellWord } from '../../../../base/failure/shell-word.ts'
import { MINUTE_MS } from '../../../../base/time/units.ts'
import { formatInZone } from '../../../../base/time/zone.ts'
import { closingText, daysText, instantOf } from '../closing.ts'
import type { Closing, Days, Difference, PosSale, ServiceSale } from '../ledger.ts'
import { type Units, unitsText } from '../units.ts'

/** A sale of the file that the service does not list. */
export function missing(pos: PosSale, { timezone }: Days, doubt?: string): Difference {
  const isLinked = pos.bookingId !== null || pos.table !== null
  return {
    ...sides(pos, null),
    kind: 'missing',
    difference: pos.total ?? 0n,
    detail: parts(
      at(pos, timezone),
      pos.total === null ? 'without a total' : null,
      'the service does not list it',
      isLinked ? null : 'it names neither a booking nor a table, and the service may list only what is linked',
      doubt ?? null,
    ),
    next:
      doubt !== undefined
        ? look(pos.saleId, 'ask the service whether it has it: --fix leaves it out without --force')
        : 'write it to a file with --fix FILE, and submit that with sales import',
  }
}

/** A sale that only the service has. */
export function extra(service: ServiceSale, { timezone }: Days): Difference {
  const { saleId, closedMs, bookingId, total: amount } = service
  return {
    ...sides(null, service),
    kind: 'extra',
    difference: -(amount ?? 0n),
    detail: parts(
      closedMs === null ? null : `closed ${closingText({ ms: closedMs }, timezone)}`,
      bookingId === null ? 'linked to no booking' : `booking ${bookingId}`,
      saleId === null ? 'the service shows no sale ID' : 'the file does not have it',
      amount === null ? 'the service shows no total' : null,
    ),
    next: look(saleId, 'look for it at the POS'),
  }
}

/** A sale ID that stands more than once on a side. */
export function doubled(lines: readonly PosSale[], rows: readonly ServiceSale[], difference: Units): Difference {
  const bookings = [...new Set(rows.map(({ bookingId }) => bookingId ?? 'no booking'))].join(', ')
  const saleId = lines[0]?.saleId ?? rows[0]?.saleId ?? null
  return {
    kind: 'doubled',
    saleId,
    pos: sumOf(lines),
    service: sumOf(rows),
    difference,
    detail: parts(
      lines.length > 1 ? `doubled at the POS: lines ${lines.map(({ line }) => line).join(', ')} of the file` : null,
      rows.length > 1 ? `the service lists it ${times(rows.length)}: ${bookings}` : null,
    ),
    next:
      rows.length > 1
        ? look(saleId, 'have all but one removed at the service: nothing here can')
        : 'correct the export of the POS: a sale ID belongs to one sale',
  }
}

/** A total that differs. */
export function total(pos: PosSale, service: ServiceSale, why: string | null): Difference {
  const difference = (pos.total ?? 0n) - (service.total ?? 0n)
  return {
    ...sides(pos, service),
    kind: 'total',
    difference,
    detail: parts(
      line(pos),
      why ?? `the service has ${unitsText(size(difference))} ${difference < 0n ? 'more' : 'less'}`,
    ),
    next: 'the same ID cannot be sent again: have it corrected at the service, or send the difference under an ID of its own',
  }
}

/** A sale whose booking the service does not know of. */
export function unlinked(pos: PosSale, service: ServiceSale): Difference {
  const named = pos.bookingId === null ? `table ${pos.table}` : `booking ${pos.bookingId}`
  return {
    ...sides(pos, service),
    kind: 'unlinked',
    difference: 0n,
    detail: parts(
      line(pos),
      service.acceptedBy === undefined
        ? `the POS says ${named}, and the service has linked it to no booking`
        : `the POS says ${named}; the service accepted it (${service.acceptedBy}), and does not list it under any booking`,
    ),
    next:
      service.acceptedBy === undefined
        ? LINK
        : 'do not send it again, or the service may have it twice: have it linked to its booking at the service',
  }
}

/** A sale on another booking than the POS says. */
export function booking(pos: PosSale, service: ServiceSale): Difference {
  return {
    ...sides(pos, service),
    kind: 'booking',
    difference: 0n,
    detail: parts(line(pos), `the POS says booking ${pos.bookingId}, the service ${service.bookingId}`),
    next: LINK,
  }
}

const LINK = 'the same ID cannot be sent again: have it linked to its booking at the service'

/** A refund without the sale that it gives back. */
export function orphan(pos: PosSale, service: ServiceSale | null, days: Days): Difference {
  const { originalSaleId: parent } = pos
  return {
    ...sides(pos, service),
    kind: 'orphan-refund',
    difference: 0n,
    detail: parts(
      line(pos),
      parent === null
        ? 'a refund that names no sale'
        : parent === pos.saleId
          ? 'a refund that names itself'
          : `a refund of sale ${parent}, which neither the file nor the service has around ${daysText(days)}`,
      'judged by the file: the service does not show it',
    ),
    next:
      parent === null
        ? 'find out which sale it gives back, and name it as originalSaleId'
        : look(parent, 'look for the sale that it gives back'),
  }
}

/** A sale on another day at the service. */
export function day(
  pos: PosSale,
  closed: Closing,
  service: ServiceSale,
  serviceMs: number,
  timezone: string | null,
): Difference {
  const why = whyDay(instantOf(closed, timezone), serviceMs, timezone)
  return {
    ...sides(pos, service),
    kind: 'day',
    difference: 0n,
    detail: parts(
      line(pos),
      `closed ${closingText(closed, timezone)} by the POS, ${closingText({ ms: serviceMs }, timezone)} by the service (${timezone ?? 'UTC'})`,
      why,
    ),
    next: 'let the POS send its times in UTC, or with their offset; a sale that was sent stays as it is',
  }
}

function whyDay(posMs: number | null, serviceMs: number, timezone: string | null): string | null {
  if (posMs === null || timezone === null) return null
  const wall = Date.parse(`${formatInZone(posMs, timezone).slice(0, 16).replace(' ', 'T')}Z`)
  const offset = Math.round((wall - posMs) / MINUTE_MS)
  const apart = Math.round((serviceMs - posMs) / MINUTE_MS)
  if (offset === 0 || Math.abs(apart) !== Math.abs(offset)) return null
  return apart === offset ? "the venue's own time was sent as UTC" : "UTC was taken for the venue's own time"
}

function sides(pos: PosSale | null, service: ServiceSale | null): Pick<Difference, 'saleId' | 'pos' | 'service'> {
  return {
    saleId: pos?.saleId ?? service?.saleId ?? null,
    pos: pos?.total ?? null,
    service: service?.total ?? null,
  }
}

function at(pos: PosSale, timezone: string | null): string {
  return parts(line(pos), pos.closed === null ? null : `closed ${closingText(pos.closed, timezone)}`)
}

function line(pos: PosSale): string {
  return `line ${pos.line}`
}

function look(saleId: string | null, first: string): string {
  return saleId === null ? first : `${first}; what is known of it: partner timeline sale ${shellWord(saleId)}`
}

function sumOf(sales: readonly { readonly total: Units | null }[]): Units | null {
  return sales.length === 0 ? null : sales.reduce((sum, one) => sum + (one.total ?? 0n), 0n)
}

function times(count: number): string {
  return count === 2 ? 'twice' : `${count} times`
}

function parts(...all: readonly (string | null)[]): string {
  return all.filter((part) => part !== null && part !== '').join('; ')
}

function size(units: Units): Units {
  return units < 0n ? -units : units
}
