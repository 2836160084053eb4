export interface Page {
  readonly limit: number
  readonly start: number
}

/** The default page size. Assumed. */
const DEFAULT_LIMIT = 100
/** The maximum page size. Assumed, as "maximum page size: not shown". */
const MAX_LIMIT = 250

/** Reads `Limit` and `StartIndex`. Returns `null` if either is not a number in range. */
export function readPage(query: URLSearchParams): Page | null {
  const limit = query.get('Limit') ?? String(DEFAULT_LIMIT)
  const start = query.get('StartIndex') ?? '0'
  if (!/^\d{1,9}$/.test(limit) || !/^\d{1,9}$/.test(start) || limit === '0') return null
  return { limit: Math.min(Number(limit), MAX_LIMIT), start: Number(start) }
}

/** Returns a page: `{from, to, length, items}`. Assumed: `length` is the number of items in the page. */
export function toPage({ limit, start }: Page, all: readonly unknown[]): Record<string, unknown> {
  const items = all.slice(start, start + limit)
  return { from: start, to: start + items.length, length: items.length, items }
}
