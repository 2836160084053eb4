import type { JsonObject, JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { type Clock, parseInstant, toWireTime } from '../../base/time/instant.ts'
import { createSale } from '../../contract/sales.ts'
import { centsText } from '../../money/amount.ts'
import { extractSaleKey } from '../../money/sale-search.ts'
import { SALE, saleInput, submitSaleOnce } from '../../money/sales.ts'
import { buildBody, type Members, present } from '../../terminal/input/body.ts'
import { parseParameters } from '../../terminal/input/command-line.ts'
import { flag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { type FlagNames, validate } from '../../terminal/input/validate.ts'
import { parseNumber } from '../../terminal/input/values/number.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { checkStatus } from '../shared/look-up.ts'
import { checkOnceKey, makeMoneyWrite, toWritten } from '../shared/money-write.ts'
import { readTableMap } from '../shared/table-map.ts'
import { checkSaleTimes, isLinked, withRequiredParents, withSaleDefaults } from './sale-body.ts'
import { submittedSaleCard, submittedSaleList } from './views.ts'

export const SALE_FLAGS = {
  'sale-id': flag('ID', 'Unique ID of the sale at the till.'),
  type: flag('SALE|REFUND|VOID', 'Type of the sale (default: SALE).'),
  source: flag('NAME', 'Where the sale was made, such as POS or ONLINE (default: POS).'),
  opened: flag('TIME', 'When the table was opened (default: --closed, or now).'),
  closed: flag('TIME', 'When the bill was paid.'),
  'staff-id': flag('ID', 'ID of the staff member who served the guests.'),
  seats: flag('N', 'Number of guests at the table.'),
  'booking-id': flag('ID', 'ID of the booking that the sale belongs to.'),
  'table-number': flag('NUMBER', 'Table number, which the service uses to find the booking.'),
  status: flag('CODE', 'New status of the booking, as listed by bookings statuses.'),
  'total-cents': flag('CENTS', 'Total in whole cents: 12500 is 125.00.'),
  currency: flag('CODE', 'ISO 4217 code of the total, such as AUD.'),
  'location-id': flag('ID', 'Location ID.'),
} as const

const SALE_FLAG_NAMES: FlagNames = {
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

const UNLINKED = 'neither --booking-id nor --table-number is given: the service cannot link this sale to a booking'

type SaleFlags = { readonly [F in keyof typeof SALE_FLAGS | 'table-map' | 'once']?: string | undefined }

/**
 * Submits the sale that the flags describe, or shows its request in a dry run. Throws USAGE. Also throws any error from
 * `submitSaleOnce`.
 */
export async function submitSale(opened: Opened<SaleFlags, object>): Promise<void> {
  const { flags, connection, service, host, warn } = opened
  const problems = new Problems()
  const now = host.now()
  const isChecked = !flags['no-validate']
  const ordered = await buildBody(flags, buildSaleMembers(flags), problems)
  const tables = await problems.checkAsync(() => readTableMap(flags['table-map']))
  const { sale: given, problem } = tables?.applyTo(ordered) ?? { sale: ordered, problem: null }
  if (problem !== null && isChecked)
    problems.add(`--table-number: ${problem}`, 'add it to the table map; nothing was sent')
  const saleIn = (timezone: string | null) => {
    const times = parseSaleTimes(flags, { now, timezone }, isChecked ? problems : new Problems())
    return withSaleDefaults({ ...given, ...times }, now)
  }
  // Validate without a time zone first, so that mistakes are reported even if no profile is configured.
  if (isChecked) await validate(createSale.body, withRequiredParents(saleIn(null)), SALE_FLAG_NAMES, problems)
  problems.throwIfAny('see partner sales create --help; nothing was sent')
  const typed = saleIn(await connection.timezone())
  if (isChecked) checkSaleTimes(typed, problems, flags)
  const extraQuery = parseParameters(flags, problems)
  await checkOnceKey(flags, problems)
  problems.throwIfAny()
  if (!isLinked(typed)) await warn(UNLINKED)
  const body =
    flags.status !== undefined && isChecked ? { ...typed, status: await checkStatus(service, flags.status) } : typed
  const order = { ...extractSaleKey(body), body, extraQuery }
  if (service.isDryRun) return service.showPlans(createSale, [saleInput(order)])
  const { saleId, cents } = order
  const own = { saleId }
  // Record the times as typed, because `now` is a different time in each run. A prepared order has fixed times, because
  // it is sent later.
  const fixed = host.order?.kind === 'prepare' ? fixTimes(flags, given, typed) : {}
  const { opened: openedAt = null, closed: closedAt = null, param = [] } = { ...flags, ...fixed }
  const details = { ...ordered, openedAt, closedAt, '--param': param }
  await makeMoneyWrite(
    {
      order: {
        command: SALE,
        target: saleId,
        amount: cents === null ? null : { cents, text: centsText(cents) },
        details,
      },
      fixed,
      notices: [...(isLinked(body) ? [] : [UNLINKED]), ...(body['type'] === 'SALE' ? [] : [describeType(body)])],
      currency: textOrUndefined(valueAt(body, 'total.currency')),
      write: async (desk) =>
        toWritten(await submitSaleOnce(desk, order), { own, change: null, what: 'the sale arrived' }),
      assume: () => ({ answer: null, own, change: null, status: null }),
      views: () => ({ card: submittedSaleCard, list: submittedSaleList }),
    },
    opened,
  )
}

/**
 * Builds the members that the flags specify, except the times. Keeps malformed values as typed, so that validation
 * reports them.
 */
function buildSaleMembers(flags: SaleFlags): Members {
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
 * Parses the times in the flags, in the clock's time zone. If a time is unreadable, reports a problem and keeps the
 * text as typed.
 */
function parseSaleTimes(flags: SaleFlags, clock: Clock, problems: Problems): JsonObject {
  const times = (['opened', 'closed'] as const).flatMap((name) => {
    const text = flags[name]
    if (text === undefined) return []
    const ms = problems.check(() => parseInstant(text, { ...clock, edge: 'lower', flag: `--${name}` }))
    return [[`${name}ZonedDateTime`, ms === undefined ? text : toWireTime(ms)]]
  })
  return Object.fromEntries(times)
}

/** Returns values for `--opened` and `--closed` that do not depend on when the command runs. */
function fixTimes(flags: SaleFlags, given: JsonObject, sale: JsonObject): Pick<SaleFlags, 'opened' | 'closed'> {
  const isFilledIn = flags.opened !== undefined || given['openedZonedDateTime'] === undefined
  const opened = isFilledIn ? textOrUndefined(sale['openedZonedDateTime']) : undefined
  return { opened, closed: flags.closed === undefined ? undefined : textOrUndefined(sale['closedZonedDateTime']) }
}

/** Returns a notice about the type of a refund or void. */
function describeType(sale: JsonObject): string {
  return `the type of this sale is ${textOrUndefined(sale['type']) ?? 'unknown'}`
}

function textOrUndefined(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Parses a whole number without losing digits. Returns any other text unchanged, so that validation names the flag. */
function parseWhole(text: string | undefined): JsonValue | undefined {
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,18})$/.test(text)) return text
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : JSON.rawJSON(text)
}
