export interface Page {
  readonly limit: number
  readonly start: number
}

/** The default number of items in a page. This is an assumption. */
const DEFAULT_LIMIT = 100
/**
 * The maximum number of items in a page. This is an assumption, because the specification says "maximum page size: not
 * shown".
 */
const MAX_LIMIT = 250

/** Reads `Limit` and `StartIndex` from the query. Returns `null` if either is not a number within its range. */
export function readPage(query: URLSearchParams): Page | null {
  const limit = query.get('Limit') ?? String(DEFAULT_LIMIT)
  const start = query.get('StartIndex') ?? '0'
  if (!/^\d{1,9}$/.test(limit) || !/^\d{1,9}$/.test(start) || limit === '0') return null
  return { limit: Math.min(Number(limit), MAX_LIMIT), start: Number(start) }
}

/**
 * Returns a page with the members `from`, `to`, `length` and `items`. The model assumes that `length` is the number of
 * items in the page.
 */
export function toPage({ limit, start }: Page, all: readonly unknown[]): Record<string, unknown> {
  const items = all.slice(start, start + limit)
  return { from: start, to: start + items.length, length: items.length, items }
}
