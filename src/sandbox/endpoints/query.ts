import { readInstant } from '../venue/time.ts'
import { Malformed } from './refusals.ts'

/** Reads a boolean query parameter, ignoring case. Throws Malformed if the value is neither `true` nor `false`. */
export function readFlag(query: URLSearchParams, name: string, fallback: boolean): boolean {
  const text = query.get(name)?.toLowerCase()
  if (text === undefined || text === '') return fallback
  if (text !== 'true' && text !== 'false') throw invalidValue(name, query.get(name))
  return text === 'true'
}

/**
 * Reads an integer query parameter. Returns `null` if it is missing. Throws Malformed if it is not an integer or is out
 * of range.
 */
export function readInteger(query: URLSearchParams, name: string, min: number, max: number): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  if (!/^-?\d{1,15}$/.test(text)) throw invalidValue(name, text)
  const value = Number(text)
  if (value < min || value > max)
    throw new Malformed({ [name]: [`The field ${name} must be between ${min} and ${max}.`] })
  return value
}

function invalidValue(name: string, text: string | null): Malformed {
  return new Malformed({ [name]: [`The value '${text}' is not valid for ${name}.`] })
}

/**
 * Reads an instant from the query. Returns `null` if it is missing. If it is invalid, throws the error that `invalid`
 * creates.
 */
export function readQueryInstant(query: URLSearchParams, name: string, invalid: () => Error): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  const at = readInstant(text)
  if (at === null) throw invalid()
  return at
}

/** Reads a sort order, `asc` or `desc`. Throws Malformed for other values. */
export function readOrder(query: URLSearchParams, name: string): 'ASC' | 'DESC' {
  const text = query.get(name) ?? 'asc'
  if (text !== 'asc' && text !== 'desc') throw invalidValue(name, text)
  return text === 'asc' ? 'ASC' : 'DESC'
}

const DEFAULT_LIMIT = 100

/**
 * The maximum size of a page, even if the request asks for more. This is an assumption: the specification does not say.
 */
const MAX_LIMIT = 250

/**
 * Reads `Limit` and `StartIndex`, which counts from 0. Throws Malformed if either is not a number or is out of range.
 */
export function readPageRange(query: URLSearchParams) {
  const limit = readInteger(query, 'Limit', 1, 2 ** 31 - 1) ?? DEFAULT_LIMIT
  return { limit: Math.min(limit, MAX_LIMIT), start: readInteger(query, 'StartIndex', 0, 2 ** 31 - 1) ?? 0 }
}

/** Creates a page of items: `{from, to, length, items}`. `length` is the number of items on this page. */
export function toPage({ start }: { readonly start: number }, items: readonly unknown[]): Record<string, unknown> {
  return { from: start, to: start + items.length, length: items.length, items }
}
