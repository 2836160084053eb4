import { usageFailure } from '../../../base/failure/failure.ts'
import { findNearest } from '../../../base/failure/nearest.ts'
import { isJsonObject, type JsonValue } from '../../../base/json/exact.ts'

/**
 * Finds a status code, ignoring case, and returns it as the venue spells it. Throws USAGE, with a list of all codes, if
 * none matches.
 */
export function checkStatusCode(typed: string, statuses: JsonValue): string {
  // Ignore statuses without a code, because they cannot be sent.
  const known = Array.isArray(statuses) ? statuses.filter(isJsonObject).filter(({ code }) => (code ?? '') !== '') : []
  const codes = known.map((status) => String(status['code']))
  if (codes.includes(typed)) return typed
  const [only, ...others] = codes.filter((code) => code.toLowerCase() === typed.trim().toLowerCase())
  if (only !== undefined && others.length === 0) return only
  const near = findNearest(typed, [...codes, ...known.map((status) => String(status['name'] ?? ''))])
  const named = (member: 'code' | 'name') => known.find((status) => near !== null && status[member] === near)
  const meant = named('code') ?? named('name')
  const suggestion = meant ? `; did you mean ${shown(String(meant['code']))}?` : ''
  throw usageFailure(
    [`${JSON.stringify(typed)} is not a status of this venue${suggestion}`],
    `nothing was changed; use one of ${listed(codes)} (partner bookings statuses)`,
  )
}

const MOST_CODES = 30
const LONGEST_CODE = 40

/** Lists codes for a hint. Shortens them, because venues can choose codes of any length. */
function listed(codes: readonly string[]): string {
  const names = codes.slice(0, MOST_CODES).map(shown).join(', ')
  return codes.length > MOST_CODES ? `${names}, …` : names
}

function shown(code: string): string {
  const words = code.replace(/\s+/g, ' ')
  const short = words.length > LONGEST_CODE ? `${words.slice(0, LONGEST_CODE)}…` : words
  // Quote unusual codes, so that they are not mistaken for a partner command.
  return /^[\w.:~-]+$/.test(short) ? short : JSON.stringify(short)
}
