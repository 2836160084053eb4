import type { ColumnType, Value } from './table.ts'

const MOST_INTEGER = 2_147_483_647
/** The largest accepted amount, in currency units. Up to this amount, a float is precise to the cent. */
const MOST_UNITS = 1e12
/** The tolerated floating-point error, in cents, so that `75.05000000000001` is read as 75.05. */
const NOISE_CENTS = 1e-6
/** Matches days that exist in every year. 29 February takes the slow path. */
const DAY = String.raw`\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)`
const TIME = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
const INSTANT = new RegExp(String.raw`^${DAY}T${TIME}\.\d{3}Z$`)
const WALL = new RegExp(`^${DAY}T${TIME}$`)
const ANY_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i
const FIRST_YEAR_MS = Date.parse('0001-01-01T00:00:00Z')

/**
 * Converts a member's value to a column's value. Returns `null` if the column cannot store it; `raw` still contains it.
 */
export function valueFor(type: ColumnType, value: unknown): Value {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'text':
      return textOf(value)
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= MOST_INTEGER ? value + 0 : null
    case 'cents':
      return centsOf(value)
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'instant':
      return instantOf(value)
    case 'wall':
      return wallOf(value)
    case 'json':
      return JSON.stringify(value)
  }
}

/**
 * Returns whether a string is an instant in the format that columns store. Returns false for 29 February, because
 * checking that date requires a calendar.
 */
export function isInstantText(text: string): boolean {
  return INSTANT.test(text) && !text.startsWith('0000')
}

/** Formats an instant for a column. Returns `null` if the year is not between 1 and 9999. */
export function instantText(epochMs: number): string | null {
  return epochMs >= FIRST_YEAR_MS && epochMs <= 253_402_300_799_999 ? new Date(epochMs).toISOString() : null
}

/** Converts a member's value for a text column. Returns `null` if the value cannot be represented exactly as text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value === 'boolean') return String(value)
  // A large integer may have been rounded when it was parsed, so its text may be a different ID.
  return typeof value === 'number' && (Number.isSafeInteger(value) || !Number.isInteger(value)) ? String(value) : null
}

/** Replaces characters that some databases cannot store (U+0000 and lone surrogates) with U+FFFD. */
export function cleanText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD').toWellFormed() : text.toWellFormed()
}

/**
 * Converts an amount in currency units to cents. Returns `null` if it has fractions of a cent or exceeds 10^12 units.
 */
export function centsOf(value: unknown): number | null {
  const units = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value
  if (typeof units !== 'number' || !(Math.abs(units) <= MOST_UNITS)) return null
  const cents = Math.round(units * 100)
  if (cents / 100 === units || Math.abs(units * 100 - cents) < NOISE_CENTS) return cents + 0
  return null
}

/** Converts a time to an instant. Assumes UTC if the time has no time zone. */
function instantOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (isInstantText(value)) return value
  const [, date, time, seconds = ':00', fraction = '', zone = 'Z'] = ANY_TIME.exec(value) ?? []
  if (date === undefined) return null
  const epochMs = Date.parse(`${date}T${time}${seconds}${fraction}${zone.toUpperCase()}`)
  return Number.isNaN(epochMs) || !isDayOfCalendar(date) ? null : instantText(epochMs)
}

/** Converts a local time. Returns `null` for a time with a time zone, because it is not local. */
function wallOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (WALL.test(value)) return value.startsWith('0000') ? null : value
  const [, date, time, seconds = ':00', , zone] = ANY_TIME.exec(value) ?? []
  if (date === undefined || zone !== undefined || date.startsWith('0000')) return null
  const wall = `${date}T${time}${seconds}`
  const epochMs = Date.parse(`${wall}Z`)
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(wall) ? wall : null
}

function isDayOfCalendar(date: string): boolean {
  const epochMs = Date.parse(date)
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(date)
}
