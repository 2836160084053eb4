import { isJsonObject, type JsonObject, type JsonValue, numberText, parseExact } from '../../base/json/exact.ts'
import type { Endpoint } from '../endpoint.ts'
import { CARD_NUMBER_PATTERN } from '../shapes/scalars.ts'
import type { DateDialect, Dialect } from './dialect.ts'

/**
 * Returns the member that contains the records of a list in this dialect. Returns `undefined` if it is the member in
 * the contract.
 */
export function listMemberOf(dialect: Dialect | null, id: string): string | undefined {
  return dialect && Object.hasOwn(dialect.lists, id) ? dialect.lists[id] : undefined
}

/**
 * Converts the times in a record to the documented format. Returns the record unchanged if it has no times to convert.
 */
export function recordInForm(dialect: Dialect, text: string): string {
  const names = Object.keys(dialect.dates)
  if (!names.some((name) => text.includes(`"${name}"`))) return text
  return JSON.stringify(withDates(parseExact(text), dialect.dates))
}

/** Converts the list and the times in a response to the documented format. */
export function translateResponse(dialect: Dialect, { id, list }: Pick<Endpoint, 'id' | 'list'>, value: JsonValue) {
  const dated = withDates(value, dialect.dates)
  const member = listMemberOf(dialect, id)
  if (!list || member === undefined) return dated
  const records = member === '' ? dated : isJsonObject(dated) ? dated[member] : undefined
  if (!Array.isArray(records)) return dated
  if (list.member === null) return records
  const { [member]: _, ...others } = isJsonObject(dated) ? dated : {}
  return { ...others, [list.member]: records }
}

/** Converts card numbers, in path parameters or in a body, to the case that the service uses. */
export function translateCardNumbers<T>(dialect: Dialect, members: T): T {
  if (dialect.cards === null || !isJsonObject(members)) return members
  const { cardNumber } = members
  if (typeof cardNumber !== 'string' || !CARD_NUMBER_PATTERN.test(cardNumber)) return members
  return { ...members, cardNumber: cardNumber.toLowerCase() }
}

function withDates(value: JsonValue, dates: Dialect['dates']): JsonValue {
  if (Array.isArray(value)) return value.map((one) => withDates(one, dates))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value as JsonObject).map(([name, member]): [string, JsonValue] => {
    const form = Object.hasOwn(dates, name) ? dates[name] : undefined
    if (member === undefined) return [name, null]
    return [name, form === undefined ? withDates(member, dates) : dateInForm(member, form)]
  })
  return Object.fromEntries(entries)
}

/** Converts a time to UTC. Returns the value unchanged if it is not in the given format. */
function dateInForm(value: JsonValue, form: DateDialect): JsonValue {
  const text = typeof value === 'string' ? value.trim() : (numberText(value) ?? '')
  const ms = readMs(text, form)
  return ms === null || Math.abs(ms) > LATEST_MS ? value : new Date(ms).toISOString()
}

const LATEST_MS = 8_640_000_000_000_000

function readMs(text: string, form: DateDialect): number | null {
  switch (form) {
    case 'epoch-ms':
      return /^-?\d{1,16}$/.test(text) ? Number(text) : null
    case 'epoch-s':
      return /^-?\d{1,13}$/.test(text) ? Number(text) * 1000 : null
    case 'json-date': {
      const digits = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/.exec(text)?.[1]
      return digits === undefined ? null : Number(digits)
    }
    default:
      return readZoneless(text)
  }
}

/** Parses a time, which may lack a zone or have a space instead of the T. Truncates it to milliseconds. */
function readZoneless(text: string): number | null {
  const [, day, clock, zone] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? []
  if (day === undefined || clock === undefined) return null
  const ms = Date.parse(`${day}T${clock}${zone?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase() ?? 'Z'}`)
  return Number.isNaN(ms) ? null : ms
}
