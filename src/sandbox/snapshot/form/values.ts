import { isJsonObject, type JsonObject, parseExactOrNull } from '../../../base/json/exact.ts'
import { localText, readInstant } from '../../venue/time.ts'
import { type Member, Wrong } from './members.ts'

type Read = Member['read']

/** Reads a text that is not empty, such as an ID. */
export const id: Read = (value) => {
  if (typeof value === 'string' && value !== '') return value
  throw new Wrong(`must be a text that is not empty, not ${shown(value)}`)
}

/** Reads a text. */
export const text: Read = (value) => {
  if (typeof value === 'string') return value
  throw new Wrong(`must be a text, not ${shown(value)}`)
}

/** Reads true or false. */
export const flag: Read = (value) => {
  if (typeof value === 'boolean') return value
  throw new Wrong(`must be true or false, not ${shown(value)}`)
}

/** Reads a whole number, no smaller than `least`. */
export function whole(least: number = Number.MIN_SAFE_INTEGER): Read {
  return (value) => {
    if (Number.isSafeInteger(value) && Number(value) >= least) return value
    const range = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`
    throw new Wrong(`must be a whole number${range}, not ${shown(value)}`)
  }
}

/** Reads an instant, and gives it with milliseconds, as the service writes it. */
export const instant: Read = (value) => {
  const at = typeof value === 'string' ? readInstant(value) : null
  if (at !== null) return new Date(at).toISOString()
  throw new Wrong(`must be an instant such as "2026-12-18T08:30:00.000Z", not ${shown(value)}`)
}

/** Reads a time on the venue's clock. */
export const localTime: Read = (value) => {
  const at = typeof value === 'string' ? readInstant(`${value}Z`) : null
  if (at !== null && localText(at) === value) return value
  throw new Wrong(`must be a time of the venue such as "2026-12-18T19:30:00", not ${shown(value)}`)
}

/** Reads an object. */
export const object: Read = (value): JsonObject => {
  if (isJsonObject(value)) return value
  throw new Wrong(`must be an object, not ${shown(value)}`)
}

/** Reads the text of a JSON object. */
export const documentText: Read = (value) => {
  if (typeof value === 'string' && isJsonObject(parseExactOrNull(value))) return value
  throw new Wrong(`must be a text that is a JSON object, not ${shown(value)}`)
}

/** Reads anything. */
export const anything: Read = (value) => value

/** Reads a list whose items are read in their own way. */
export function listOf(read: Read): Read {
  return (value) => {
    if (Array.isArray(value)) return value.map(read)
    throw new Wrong(`must be a list, not ${shown(value)}`)
  }
}

/** Reads null too. */
export function orNull(read: Read): Read {
  return (value) => (value === null ? null : read(value))
}

/** Reads one of some words. */
export function oneOf(words: readonly string[]): Read {
  return (value) => {
    if (typeof value === 'string' && words.includes(value)) return value
    throw new Wrong(`must be one of ${words.join(', ')}, not ${shown(value)}`)
  }
}

const MOST_SHOWN = 60

/** A value in a message, shortened. */
function shown(value: unknown): string {
  const written = JSON.stringify(value) ?? 'nothing'
  return written.length <= MOST_SHOWN ? written : `${written.slice(0, MOST_SHOWN)}…`
}
