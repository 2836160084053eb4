export interface Page {
  readonly limit: number
  readonly start: number
}

/** Assumed: "maximum page size: not shown". */
const USUAL_LIMIT = 100
/** Assumed. */
const LARGEST_LIMIT = 250

/** Reads `Limit` and `StartIndex`; null when one is no number in range. */
export function readPage(query: URLSearchParams): Page | null {
  const limit = query.get('Limit') ?? String(USUAL_LIMIT)
  const start = query.get('StartIndex') ?? '0'
  if (!/^\d{1,9}$/.test(limit) || !/^\d{1,9}$/.test(start) || limit === '0') return null
  return { limit: Math.min(Number(limit), LARGEST_LIMIT), start: Number(start) }
}

/** `{from, to, length, items}`. Assumed: `length` is that of the page. */
export function toPage({ limit, start }: Page, all: readonly unknown[]): Record<string, unknown> {
  const items = all.slice(start, start + limit)
  return { from: start, to: start + items.length, length: items.length, items }
}
