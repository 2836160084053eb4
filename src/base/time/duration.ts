import { Failure } from '../failure/failure.ts'

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const DURATION = /^(\d+)(ms|s|m|h|d)$/
const LONGEST_MS = 3650 * UNIT_MS.d

export type DurationLimits = { readonly minMs?: number; readonly maxMs?: number }

/**
 * Converts a whole number with a unit, such as `90m`, to milliseconds. Has no upper limit. Returns `null` for any other
 * text.
 */
export function tryParseDuration(text: string): number | null {
  const [, count, unit] = DURATION.exec(text) ?? []
  return count === undefined ? null : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

/**
 * Converts a duration such as `500ms`, `30s`, `2m`, `1h` or `7d` to milliseconds. The default maximum is ten years.
 * Throws USAGE if the text is not a duration or is outside the limits.
 */
export function parseDuration(text: string, flag: string, limits: DurationLimits = {}): number {
  const { minMs = 0, maxMs = LONGEST_MS } = limits
  const ms = tryParseDuration(text.trim())
  if (ms === null) throw refusal(text, flag, /^\d+$/.test(text.trim()) ? 'has no unit' : 'is not a duration')
  const within = `use a duration between ${formatDuration(minMs)} and ${formatDuration(maxMs)}`
  if (ms < minMs) throw refusal(text, flag, `is too short: the minimum is ${formatDuration(minMs)}`, within)
  if (ms > maxMs) throw refusal(text, flag, `is too long: the maximum is ${formatDuration(maxMs)}`, within)
  return ms
}

/** Formats milliseconds with at most two units: `500ms`, `1.5s`, `2m 5s`, `1h 30m`, `7d`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `-${formatDuration(-ms)}`
  if (Math.round(ms) < 1000) return `${Math.round(ms)}ms`
  const tenths = Math.round(ms / 100)
  if (tenths < 600) return `${tenths / 10}s`
  return formatInUnits(ms, 'm', 's') ?? formatInUnits(ms, 'h', 'm') ?? formatInUnits(ms, 'd', 'h') ?? ''
}

const NEXT_UNIT_MS = { m: UNIT_MS.h, h: UNIT_MS.d, d: Number.POSITIVE_INFINITY } as const

/**
 * Formats milliseconds in the given units. Returns `null` if, after rounding, the value should be written in a larger
 * unit.
 */
function formatInUnits(ms: number, large: 'm' | 'h' | 'd', small: 's' | 'm' | 'h'): string | null {
  const rounded = Math.round(ms / UNIT_MS[small]) * UNIT_MS[small]
  if (rounded >= NEXT_UNIT_MS[large]) return null
  const rest = (rounded % UNIT_MS[large]) / UNIT_MS[small]
  const whole = `${Math.floor(rounded / UNIT_MS[large])}${large}`
  return rest === 0 ? whole : `${whole} ${rest}${small}`
}

const FORM = 'write a whole number and its unit: 500ms, 30s, 2m, 1h or 7d'

function refusal(text: string, flag: string, why: string, hint = FORM): Failure {
  return new Failure('USAGE', `${flag}: ${JSON.stringify(text.slice(0, 40))} ${why}`, { hint })
}
