import { readInstant } from '../venue/time.ts'
import { readInteger } from './query.ts'
import { Malformed } from './refusals.ts'

const USUAL_LIMIT = 100

/** The largest page that is sent, whatever the limit asks for. Assumed. */
const LARGEST_LIMIT = 250

/** The part of a list that is asked for. */
export interface PageRange {
  readonly limit: number
  /** Counted from 0. */
  readonly start: number
}

/** Reads `Limit` and `StartIndex`. Fails: Malformed when one is not a number, or out of range. */
export function readPageRange(query: URLSearchParams): PageRange {
  const limit = readInteger(query, 'Limit', 1, 2 ** 31 - 1) ?? USUAL_LIMIT
  return { limit: Math.min(limit, LARGEST_LIMIT), start: readInteger(query, 'StartIndex', 0, 2 ** 31 - 1) ?? 0 }
}

/** Makes a page of items: `{from, to, length, items}`, where `length` counts the items of this page. */
export function toPage({ start }: PageRange, items: readonly unknown[]): Record<string, unknown> {
  return { from: start, to: start + items.length, length: items.length, items }
}

/** Reads an instant of the query; null when it is not given. `invalid` makes the refusal for one that cannot be read. */
export function readQueryInstant(query: URLSearchParams, name: string, invalid: () => Error): number | null {
  const text = query.get(name)
  if (text === null || text === '') return null
  const at = readInstant(text)
  if (at === null) throw invalid()
  return at
}

/** Reads a sort order, `asc` or `desc`. Fails: Malformed for another word. */
export function readOrder(query: URLSearchParams, name: string): 'ASC' | 'DESC' {
  const text = query.get(name) ?? 'asc'
  if (text !== 'asc' && text !== 'desc')
    throw new Malformed({ [name]: [`The value '${text}' is not valid for ${name}.`] })
  return text === 'asc' ? 'ASC' : 'DESC'
}
