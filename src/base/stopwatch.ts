/** Milliseconds on a monotonic clock. Loading `performance` would take a tenth of the start-up time. */
export function monotonicMs(): number {
  return process.uptime() * 1000
}
