import { isJsonObject, parseExactOrNull } from '../../../base/json/exact.ts'
import { formatLocalTime, readInstant } from '../../venue/time.ts'
import { InvalidLine, type Member } from './members.ts'

type Read = Member['read']

/**
 * Creates a function that checks a value. The function returns the value if it matches, and otherwise throws an error
 * that describes what was expected.
 */
function readerOf(expected: string, fits: (value: unknown) => boolean): Read {
  return (value) => {
    if (fits(value)) return value
    throw invalidValue(expected, value)
  }
}

const MAX_SHOWN = 60

function invalidValue(expected: string, value: unknown): InvalidLine {
  const written = JSON.stringify(value) ?? 'nothing'
  const shown = written.length <= MAX_SHOWN ? written : `${written.slice(0, MAX_SHOWN)}…`
  return new InvalidLine(`must be ${expected}, not ${shown}`)
}

export const nonEmptyText = readerOf('a non-empty string', (value) => typeof value === 'string' && value !== '')
export const text = readerOf('a string', (value) => typeof value === 'string')
export const bool = readerOf('true or false', (value) => typeof value === 'boolean')

export function integer(least: number = Number.MIN_SAFE_INTEGER): Read {
  const range = least === Number.MIN_SAFE_INTEGER ? '' : `, ${least} or more`
  return readerOf(`a whole number${range}`, (value) => Number.isSafeInteger(value) && Number(value) >= least)
}

/** Reads an instant. Returns it with milliseconds, which is how the service formats instants. */
export const instant: Read = (value) => {
  const at = typeof value === 'string' ? readInstant(value) : null
  if (at !== null) return new Date(at).toISOString()
  throw invalidValue('an instant such as "2026-12-18T08:30:00.000Z"', value)
}

export const localTime = readerOf('a local time of the venue such as "2026-12-18T19:30:00"', (value) => {
  const at = typeof value === 'string' ? readInstant(`${value}Z`) : null
  return at !== null && formatLocalTime(at) === value
})

export const jsonObject = readerOf('an object', isJsonObject)

export const documentText = readerOf(
  'a string that contains a JSON object',
  (value) => typeof value === 'string' && isJsonObject(parseExactOrNull(value)),
)

export const anything: Read = (value) => value

export function listOf(read: Read): Read {
  return (value) => {
    if (Array.isArray(value)) return value.map(read)
    throw invalidValue('a list', value)
  }
}

export function orNull(read: Read): Read {
  return (value) => (value === null ? null : read(value))
}

export function oneOf(words: readonly unknown[]): Read {
  return readerOf(`one of ${words.join(', ')}`, (value) => words.includes(value))
}
