import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { type JsonObject, type JsonValue, jsonObjects } from '../../base/json/exact.ts'
import { dateIn } from '../../base/time/zone.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import { describeMatch, findNamed, findNearestNamed, formatNamed, isId, type Named } from '../../client/named.ts'
import { getSchedule, listTables } from '../../contract/bookings/availability.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { checkStatusCode } from '../../terminal/input/values/status-code.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { parseSchedule, parseTables, scheduleQuery, suggestNearest } from './venue.ts'

/** The time and party size of a booking. They determine which services and tables are available. */
export interface Occasion {
  /** The booking's time in epoch milliseconds, or `null` if it is unknown. */
  readonly at: number | null
  readonly people: JsonValue | undefined
  readonly timezone: string | null
}

type Asked = { readonly [F in 'service' | 'section' | 'status']?: string | undefined } & {
  readonly table?: readonly string[] | undefined
}

type LookUpParts = Pick<RunParts, 'service' | 'say' | 'debug'>

/**
 * Looks up the names that a user typed for a service, a section and tables, and replaces them with IDs. Also checks the
 * status. Returns the tables, or `null` if none were requested. Leaves a name unchanged if the service does not list
 * it. `--verbose` and dry runs print each ID. Throws USAGE for an ambiguous name, or for an unknown name that is
 * similar to a known one.
 */
export async function lookUp(parts: LookUpParts, asked: Asked, body: JsonObject, occasion: Occasion) {
  const { service } = parts
  const status = asked.status === undefined ? {} : { status: await checkStatus(service, asked.status) }
  const place = await lookUpPlace(parts, asked, body, occasion)
  const tables = asked.table === undefined ? null : await lookUpTables(parts, asked.table, occasion)
  return {
    body: { ...body, ...status, ...place, ...(tables === null ? {} : { tables: tables.map(({ id }) => id) }) },
    tables,
  }
}

/**
 * Returns the venue's spelling of a status code, ignoring case. If the service lists no codes, returns the text as
 * typed. Throws USAGE, suggesting the nearest code.
 */
export async function checkStatus(service: Service, code: string): Promise<string> {
  // A dry run makes as few requests as possible, so it does not look up text that already looks like a code.
  if (service.isDryRun && /^[A-Z_]+$/.test(code)) return code
  const statuses = await lookUpOrNull(service, listBookingStatuses, {})
  return jsonObjects(statuses).length > 0 ? checkStatusCode(code, statuses) : code
}

/** Returns the date at the venue as `yyyy-MM-dd`, or `null` if the time is unknown. */
export function dateOf({ at, timezone }: Occasion): string | null {
  return at === null ? null : dateIn(at, timezone)
}

async function reportMatch({ service, say, debug }: LookUpParts, flag: string, typed: string, meant: Named) {
  const text = describeMatch(flag, typed, meant)
  if (text !== null) await (service.isDryRun ? say : debug)(text)
}

async function lookUpPlace(parts: LookUpParts, asked: Asked, body: JsonObject, { at, people, timezone }: Occasion) {
  const { service } = parts
  const typed = [asked.service, asked.section].filter((text) => text !== undefined)
  if (at === null || typeof people !== 'number' || typed.every((text) => isId(text, requiredCertainty(service))))
    return {}
  const query = scheduleQuery(at, timezone, people)
  const { offers } = parseSchedule(await lookUpOrNull(service, getSchedule, { query }), people)
  const hint = `see ${formatCommand`bookings schedule --date ${dateIn(at, timezone)} --people ${String(people)}`}; nothing was sent`
  const find = async (flag: string, text: string | undefined, all: readonly Named[]) => {
    const found = text === undefined ? null : findPlace(text, flag, all, hint)
    if (found !== null) await reportMatch(parts, flag, text ?? '', found)
    return found
  }
  const found = await find('--service', asked.service, offers)
  const own = offers.filter(({ id }) => id === (found?.id ?? body['serviceId']))
  const sections = (own.length > 0 ? own : offers).flatMap((one) => one.sections)
  const section = await find('--section', asked.section, sections)
  return { ...(found && { serviceId: found.id }), ...(section && { sectionId: section.id }) }
}

/**
 * Finds the service or section that the user named. Returns `null` for an ID and for text that resembles no name, so
 * that the service checks it. Throws USAGE for an ambiguous or misspelled name.
 */
export function findPlace(typed: string, flag: string, all: readonly Named[], hint: string): Named | null {
  const isSure = isId(typed, 'certain')
  const found = isSure ? null : findNamed(typed, flag, all)
  const near = found || isSure ? null : findNearestNamed(typed, all)
  if (near !== null)
    throw usageFailure(
      [`${flag}: ${JSON.stringify(typed)} is not available at that time; did you mean ${formatNamed(near)}?`],
      hint,
    )
  return found
}

async function lookUpTables(parts: LookUpParts, typed: readonly string[], occasion: Occasion) {
  const { service } = parts
  const asTyped = typed.map((id) => ({ id, names: [] }))
  const date = dateOf(occasion)
  if (date === null || typed.every((text) => isId(text, requiredCertainty(service)))) return asTyped
  // Ask for tables that are free for at least a minute, to include those that are reserved for most of the day.
  const answer = await lookUpOrNull(service, listTables, { query: { Date: date, Duration: 1 } })
  const tables = parseTables(answer)
  if (tables.length === 0) return asTyped
  const problems: string[] = []
  const found = typed.map((text) => {
    const table = isId(text, 'certain') ? { id: text, names: [] } : findNamed(text, '--table', tables)
    if (table === null) problems.push(`--table: ${describeMissingTable(text, tables)}`)
    return table
  })
  if (problems.length > 0)
    throw usageFailure(problems, `see ${formatCommand`bookings tables --date ${date}`}; nothing was sent`)
  for (const [at, table] of found.entries())
    if (table !== null) await reportMatch(parts, '--table', typed[at] ?? '', table)
  return found.filter((table) => table !== null)
}

export function describeMissingTable(typed: string, tables: readonly Named[]): string {
  return `the venue has no table ${JSON.stringify(typed)}${suggestNearest(typed, tables)}`
}

/** Returns the certainty required to accept text as an ID without a lookup. For a dry run, `likely` is enough. */
function requiredCertainty({ isDryRun }: Service): 'certain' | 'likely' {
  return isDryRun ? 'likely' : 'certain'
}

/** Returns the response to a list request, or `null` if the request fails. Throws NO_PROFILE or USAGE. */
export async function lookUpOrNull<E extends Endpoint>(
  service: Service,
  endpoint: E,
  input: CallInput<E>,
): Promise<JsonValue> {
  try {
    // Do not retry in a dry run, which also works without the response.
    return await service.readAll(endpoint, input, service.isDryRun ? 0 : undefined)
  } catch (error) {
    if (error instanceof Failure && error.request !== undefined) return null
    throw error
  }
}
