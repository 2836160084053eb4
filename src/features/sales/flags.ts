import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { parseInstant, toWireTime } from '../../base/time/instant.ts'
import { hasOffset, parseWireTime } from '../../base/time/wire-time.ts'
import { type Members, present } from '../../terminal/input/body.ts'
import { flag } from '../../terminal/input/flags.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import type { FlagNames } from '../../terminal/input/validate.ts'
import { parseNumber } from '../../terminal/input/values/number.ts'

/** The flags of a sale; the rest of it comes by `--data` and `--set`. */
export const SALE_FLAGS = {
  'sale-id': flag('ID', 'Unique ID of the sale at the till.'),
  type: flag('SALE|REFUND|VOID', 'Type of the sale (default: SALE).'),
  source: flag('NAME', 'Where it was made, such as POS or ONLINE (default: POS).'),
  opened: flag('TIME', 'When the table was opened (default: --closed, else now).'),
  closed: flag('TIME', 'When the bill was paid.'),
  'staff-id': flag('ID', 'ID of the staff member who served.'),
  seats: flag('N', 'Number of guests at the table.'),
  'booking-id': flag('ID', 'ID of its booking.'),
  'table-number': flag('NUMBER', 'Table to find the booking by.'),
  status: flag('CODE', 'New status of the booking, as bookings statuses lists it.'),
  'total-cents': flag('CENTS', 'Total in whole cents: 12500 is 125.00.'),
  currency: flag('CODE', 'ISO 4217 code of the total, such as AUD.'),
  'location-id': flag('ID', 'Location ID.'),
} as const

/** Which flag gives each member of the request. */
export const SALE_FLAG_NAMES: FlagNames = {
  'origin.saleId': '--sale-id',
  type: '--type',
  'source.type': '--source',
  openedZonedDateTime: '--opened',
  closedZonedDateTime: '--closed',
  'staff.id': '--staff-id',
  'table.seats': '--seats',
  'table.number': '--table-number',
  bookingId: '--booking-id',
  status: '--status',
  'total.amount': '--total-cents',
  'total.currency': '--currency',
  locationId: '--location-id',
}

type SaleFlags = { readonly [F in keyof typeof SALE_FLAGS]?: string | undefined }

/** How times of a sale are read. */
export interface SaleClock {
  /** Epoch milliseconds. */
  readonly now: number
  readonly timezone: string | null
}

/** The members of a sale that the flags give, its times aside. What is malformed becomes a problem, not an exception. */
export function buildSaleMembers(flags: SaleFlags): Members {
  return {
    origin: present({ saleId: flags['sale-id'] }),
    source: present({ type: flags.source }),
    type: flags.type,
    staff: present({ id: flags['staff-id'] }),
    table: present({ seats: parseNumber(flags.seats), number: flags['table-number'] }),
    bookingId: flags['booking-id'],
    status: flags.status,
    total: present({ amount: parseWhole(flags['total-cents']), currency: flags.currency }),
    locationId: flags['location-id'],
  }
}

/**
 * The times that the flags give, in the zone of the clock. Absent flags give no member; what cannot be read stays as it was
 * typed, and becomes a problem.
 */
export function parseSaleTimes(flags: SaleFlags, clock: SaleClock, problems: Problems): JsonObject {
  const member = (name: 'opened' | 'closed') => {
    const text = flags[name]
    if (text === undefined) return {}
    const ms = problems.check(() => parseInstant(text, { ...clock, edge: 'lower', flag: `--${name}` }))
    return { [`${name}ZonedDateTime`]: ms === undefined ? text : toWireTime(ms) }
  }
  return { ...member('opened'), ...member('closed') }
}

/** The sale with what it must have and nobody gave: a sale, from the till, opened when it was closed, else now. */
export function withSaleDefaults(body: JsonObject, now: number): JsonObject {
  const source = body['source'] ?? {}
  const closed = body['closedZonedDateTime']
  return {
    ...body,
    source: isJsonObject(source) ? { type: 'POS', ...source } : source,
    type: body['type'] ?? 'SALE',
    openedZonedDateTime: body['openedZonedDateTime'] ?? (isText(closed) ? closed : toWireTime(now)),
  }
}

/** The sale as it is checked: with the objects that its required members belong in, so that each is missed by its own name. */
export function saleToCheck(body: JsonObject): JsonObject {
  return { origin: {}, staff: {}, table: {}, ...body }
}

/** What gives the two times of a sale, and how they were typed. */
interface SaleTimesGiven {
  readonly names: readonly [string, string]
  readonly typed: readonly [string | undefined, string | undefined]
}

/** The times of a command line. */
export function timesOfFlags({ opened, closed }: SaleFlags): SaleTimesGiven {
  return { names: ['--opened', '--closed'], typed: [opened, closed] }
}

/** A sale must not have been opened after it was closed. Times without an offset are compared with each other only. */
export function checkSaleOrder(body: JsonObject, problems: Problems, { names, typed }: SaleTimesGiven): void {
  const [opened, closed] = [body['openedZonedDateTime'], body['closedZonedDateTime']]
  if (!isText(opened) || !isText(closed) || hasOffset(opened) !== hasOffset(closed)) return
  if (parseWireTime(opened) > parseWireTime(closed))
    problems.add(
      `${names[0]} ${asTyped(typed[0], opened)} is after ${names[1]} ${asTyped(typed[1], closed)}`,
      'a sale is opened before it is closed; nothing was sent',
    )
}

function asTyped(flag: string | undefined, sent: string): string {
  const text = flag ?? sent
  return /\s/.test(text) ? JSON.stringify(text) : text
}

/** Whether a sale names what the service can link it to: its booking or its table. */
export function isLinked(body: JsonObject): boolean {
  return [body['bookingId'], valueAt(body, 'table.number')].some((name) => (name ?? '') !== '')
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** A whole number of any length, digit for digit; what is none goes to the contract's check as it is, which names the flag. */
function parseWhole(text: string | undefined): JsonValue | undefined {
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return text
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : JSON.rawJSON(text)
}
