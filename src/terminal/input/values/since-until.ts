import { type Clock, parseInstant } from '../../../base/time/instant.ts'
import type { Problems } from '../problems.ts'

export type SinceUntilFlags = { readonly since?: string | undefined; readonly until?: string | undefined }

/**
 * Reads `--since` and `--until` as milliseconds since 1970, or `null` for no limit. Adds a problem for an invalid time.
 */
export function readSinceUntil({ since, until }: SinceUntilFlags, clock: Clock, problems: Problems) {
  const read = (text: string | undefined, flag: string, edge: 'lower' | 'upper') =>
    text === undefined ? null : (problems.check(() => parseInstant(text, { ...clock, edge, flag })) ?? null)
  const sinceMs = read(since, '--since', 'lower')
  const untilMs = read(until, '--until', 'upper')
  if (sinceMs !== null && untilMs !== null && sinceMs > untilMs) problems.add('--since is later than --until')
  return { sinceMs, untilMs }
}
