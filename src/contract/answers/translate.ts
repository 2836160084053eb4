import { isJsonObject, type JsonObject, type JsonValue, numberText, parseExact } from '../../base/json/exact.ts'
import type { Endpoint } from '../endpoint.ts'
import { CARD_NUMBER_PATTERN } from '../shapes/scalars.ts'
import type { DateDialect, Dialect } from './dialect.ts'

/** The member with the records of a list, if it is known to differ; undefined: as in the contract. */
export function listMemberOf(dialect: Dialect | null, id: string): string | undefined {
  return dialect && Object.hasOwn(dialect.lists, id) ? dialect.lists[id] : undefined
}

/** A record with its times in the documented form. Without times it is returned unchanged. */
export function recordInForm(dialect: Dialect, text: string): string {
  const names = Object.keys(dialect.dates)
  if (!names.some((name) => text.includes(`"${name}"`))) return text
  return JSON.stringify(withDates(parseExact(text), dialect.dates))
}

export function answerInForm(dialect: Dialect, { id, list }: Pick<Endpoint, 'id' | 'list'>, value: JsonValue) {
  const dated = withDates(value, dialect.dates)
  const member = listMemberOf(dialect, id)
  if (!list || member === undefined) return dated
  const records = member === '' ? dated : isJsonObject(dated) ? dated[member] : undefined
  if (!Array.isArray(records)) return dated
  if (list.member === null) return records
  const { [member]: _, ...beside } = isJsonObject(dated) ? dated : {}
  return { ...beside, [list.member]: records }
}

/** Converts card numbers in path parameters or a body to the service's case. Other members stay as they are. */
export function withCards<T>(dialect: Dialect, members: T): T {
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

/** The time in UTC; a value in another form is unchanged. */
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

/** Reads a time that may lack its zone, or have a space for the T, without digits below a millisecond. */
function readZoneless(text: string): number | null {
  const [, day, clock, zone] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?$/i.exec(text) ?? []
  if (day === undefined || clock === undefined) return null
  const ms = Date.parse(`${day}T${clock}${zone?.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase() ?? 'Z'}`)
  return Number.isNaN(ms) ? null : ms
}
