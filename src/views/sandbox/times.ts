/** An ISO 8601 timestamp in UTC as `2026-11-20 13:22:27`; any other text as it is. */
export function utcSeconds(at: string): string {
  return at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2')
}

/** The footnote of a table of such times. */
export const SANDBOX_TIMES = "times are the sandbox's own, UTC"
