import { type Clock, parseInstant } from '../../../base/time/instant.ts'
import type { Problems } from '../problems.ts'

/** A span of time of which either end may be left out. */
export interface SinceUntilFlags {
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Its ends, both included, in epoch milliseconds; null: no limit. What is wrong is noted in `problems`. */
export function readSinceUntil({ since, until }: SinceUntilFlags, clock: Clock, problems: Problems) {
  const read = (text: string | undefined, flag: string, edge: 'lower' | 'upper') =>
    text === undefined ? null : (problems.check(() => parseInstant(text, { ...clock, edge, flag })) ?? null)
  const sinceMs = read(since, '--since', 'lower')
  const untilMs = read(until, '--until', 'upper')
  if (sinceMs !== null && untilMs !== null && sinceMs > untilMs) problems.add('--since is later than --until')
  return { sinceMs, untilMs }
}
