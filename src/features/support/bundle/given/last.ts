/** The span of time that a bundle is about: since when, in epoch milliseconds; null: all that there is. */
export type SinceMs = number | null

/** Whether a moment is in the span. A time that nobody can read is in none but the widest. */
export function isInSpan(timeMs: number, sinceMs: SinceMs): boolean {
  return sinceMs === null || timeMs >= sinceMs
}
