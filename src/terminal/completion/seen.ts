import { dirname, join } from 'node:path'
import { parseJson } from '../../base/json/parse.ts'
import { cacheDirectory, makePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import { replaceFile } from '../../base/storage/durable-write.ts'
import { readOwnText } from '../../base/storage/own-file.ts'

/** Values that appeared in recent responses from a profile's service, newest first. */
export interface Seen {
  /** Status codes with their names. A name is '' if it is unknown. */
  readonly statuses: readonly (readonly [code: string, name: string])[]
  readonly cards: readonly string[]
}

const MAX_VALUES = 50
const MAX_LENGTH = 80

const NONE: Seen = { statuses: [], cards: [] }

/**
 * Reads the values that were stored for a profile. Returns empty lists if the file is missing or unreadable. Never
 * fails.
 */
export function readSeen(env: Variables, profile: string): Seen {
  try {
    const path = seenFile(env, profile)
    const noted = path === null ? null : readOwnText(path)
    const kept = noted === null ? null : (parseJson(noted) as Partial<Record<string, unknown>> | null)
    // On a case-insensitive disk, the file may belong to a profile whose name differs only in case.
    if (kept?.['profile'] !== profile) return NONE
    const { statuses, cards } = kept
    return {
      statuses: Array.isArray(statuses) ? statuses.filter(isStatus).slice(0, MAX_VALUES) : [],
      cards: Array.isArray(cards) ? cards.filter(isShort).slice(0, MAX_VALUES) : [],
    }
  } catch {
    return NONE
  }
}

/** Adds new values to the profile's file in the cache directory. Never fails. */
export function noteSeen(env: Variables, profile: string, seen: Seen): void {
  const known = readSeen(env, profile)
  const isKnown = (code: string) => known.statuses.some(([other]) => other === code)
  const named = seen.statuses.filter(([code, name]) => name !== '' || !isKnown(code))
  const statuses = new Map([...named, ...known.statuses].reverse())
  const next = {
    statuses: [...statuses].filter(isStatus).reverse().slice(0, MAX_VALUES),
    cards: [...new Set([...seen.cards, ...known.cards])].filter(isShort).slice(0, MAX_VALUES),
  }
  const isOld =
    next.statuses.every((pair) => known.statuses.some((other) => String(pair) === String(other))) &&
    next.cards.every((card) => known.cards.includes(card))
  if (isOld) return
  try {
    const path = seenFile(env, profile)
    if (path === null) return
    makePrivateDirectory(dirname(path))
    replaceFile(path, JSON.stringify({ profile, ...next }))
  } catch {
    // Ignore errors: the next run tries again.
  }
}

function seenFile(env: Variables, profile: string): string | null {
  const name = encodeURIComponent(profile)
  return name.length > 200 ? null : join(cacheDirectory(env), 'completion', `seen-${name}.json`)
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH
}

function isStatus(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && isShort(value[0]) && (value[1] === '' || isShort(value[1]))
}
