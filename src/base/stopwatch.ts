/**
 * Milliseconds, with their fractions, on a clock that only goes forward, and that says nothing about the time of day. As
 * `performance.now()`, which would load a tenth of what a start takes.
 */
export function monotonicMs(): number {
  return process.uptime() * 1000
}
