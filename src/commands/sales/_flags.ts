import type { Members } from '../../cli/input/body.ts'
import { flag } from '../../cli/input/flags.ts'
import type { Problems } from '../../cli/input/problems.ts'
import type { FlagNames } from '../../cli/input/validate.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/exact.ts'
import { parseInstant, toWireTime } from '../../time/instant.ts'
import { numberTyped } from '../reservations/_flags.ts'

/** The flags of a sale; the rest of it comes by `--data` and `--set`. */
export const SALE_FLAGS = {
  'sale-id': flag('ID', "The till's own unique ID of the sale."),
  type: flag('SALE|REFUND|VOID', 'What it is (default: SALE).'),
  source: flag('NAME', 'Where it comes from, such as POS or ONLINE (default: POS).'),
  opened: flag('TIME', 'When the table was opened (default: now).'),
  closed: flag('TIME', 'When it was paid.'),
  'staff-id': flag('ID', 'Who served.'),
  seats: flag('N', 'How many sat at the table.'),
  'booking-id': flag('ID', 'The booking that it belongs to.'),
  'table-number': flag('NUMBER', 'The table, to find the booking by.'),
  status: flag('CODE', 'The status that the booking is to have, as bookings statuses lists it.'),
  'total-cents': flag('CENTS', 'The total in whole cents: 12500 is 125.00.'),
  currency: flag('CODE', 'ISO 4217 code of the total, such as AUD.'),
  'location-id': flag('ID', 'The location.'),
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
export function saleMembers(flags: SaleFlags): Members {
  return {
    origin: given({ saleId: flags['sale-id'] }),
    source: given({ type: flags.source }),
    type: flags.type,
    staff: given({ id: flags['staff-id'] }),
    table: given({ seats: numberTyped(flags.seats), number: flags['table-number'] }),
    bookingId: flags['booking-id'],
    status: flags.status,
    total: given({ amount: wholeTyped(flags['total-cents']), currency: flags.currency }),
    locationId: flags['location-id'],
  }
}

/** The times that the flags give, in the zone of the clock. Absent flags give no member. */
export function saleTimes(flags: SaleFlags, clock: SaleClock, problems: Problems): JsonObject {
  const member = (name: 'opened' | 'closed') => {
    const text = flags[name]
    if (text === undefined) return {}
    const ms = problems.check(() => parseInstant(text, { ...clock, edge: 'lower', flag: `--${name}` }))
    // What is said above need not be said again by the check of the whole.
    return { [`${name}ZonedDateTime`]: ms === undefined ? '-' : toWireTime(ms) }
  }
  return { ...member('opened'), ...member('closed') }
}

/** The sale with what it must have and nobody gave: a sale, from the till, opened now. */
export function withSaleDefaults(body: JsonObject, now: number): JsonObject {
  const source = body['source'] ?? {}
  return {
    ...body,
    source: isJsonObject(source) ? { type: 'POS', ...source } : source,
    type: body['type'] ?? 'SALE',
    openedZonedDateTime: body['openedZonedDateTime'] ?? toWireTime(now),
  }
}

/** The sale as it is checked: with the objects that its required members belong in, so that each is missed by its own name. */
export function saleToCheck(body: JsonObject): JsonObject {
  return { origin: {}, staff: {}, table: {}, ...body }
}

/** A whole number of any length, digit for digit; what is none goes to the contract's check as it is, which names the flag. */
function wholeTyped(text: string | undefined): JsonValue | undefined {
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return text
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : JSON.rawJSON(text)
}

function given(members: Members): JsonObject | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}
