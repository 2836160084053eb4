import { readInstant } from '../venue/time.ts'
import { Malformed } from './refusals.ts'

/** Reads a boolean of the query, in any case. Fails: Malformed for other words. */
export function readFlag(query: URLSearchParams, name: string, otherwise: boolean): boolean {
  const text = query.get(name)?.toLowerCase()
  if (text === undefined || text === '') return otherwise
  if (text !== 'true' && text !== 'false') throw wrongValue(name, query.get(name))
  return text === 'true'
}

/** Reads a whole number of the query; null when missing. Fails: Malformed when it is not one, or out of range. */
export function readInteger(query: URLSearchParams, name: string, least: number, most: number): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  if (!/^-?\d{1,15}$/.test(text)) throw wrongValue(name, text)
  const value = Number(text)
  if (value < least || value > most)
    throw new Malformed({ [name]: [`The field ${name} must be between ${least} and ${most}.`] })
  return value
}

function wrongValue(name: string, text: string | null): Malformed {
  return new Malformed({ [name]: [`The value '${text}' is not valid for ${name}.`] })
}

/** Reads an instant of the query; null when missing. `invalid` makes the refusal for an unreadable one. */
export function readQueryInstant(query: URLSearchParams, name: string, invalid: () => Error): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  const at = readInstant(text)
  if (at === null) throw invalid()
  return at
}

/** Reads a sort order, `asc` or `desc`. Fails: Malformed for other words. */
export function readOrder(query: URLSearchParams, name: string): 'ASC' | 'DESC' {
  const text = query.get(name) ?? 'asc'
  if (text !== 'asc' && text !== 'desc') throw wrongValue(name, text)
  return text === 'asc' ? 'ASC' : 'DESC'
}

const USUAL_LIMIT = 100

/** The largest page, whatever limit is requested. Assumed. */
const LARGEST_LIMIT = 250

/** Reads `Limit` and `StartIndex` (from 0). Fails: Malformed when one is not a number, or out of range. */
export function readPageRange(query: URLSearchParams) {
  const limit = readInteger(query, 'Limit', 1, 2 ** 31 - 1) ?? USUAL_LIMIT
  return { limit: Math.min(limit, LARGEST_LIMIT), start: readInteger(query, 'StartIndex', 0, 2 ** 31 - 1) ?? 0 }
}

/** Makes a page of items: `{from, to, length, items}`, where `length` counts the items of this page. */
export function toPage({ start }: { readonly start: number }, items: readonly unknown[]): Record<string, unknown> {
  return { from: start, to: start + items.length, length: items.length, items }
}
