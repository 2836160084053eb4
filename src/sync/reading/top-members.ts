import { findStringEnd } from '../../base/json/parse.ts'

/**
 * Finds top-level strings and numbers without parsing or validating the rest of the JSON. Returns `null` if the caller
 * must parse the JSON instead.
 */
export function topStrings(text: string, names: readonly string[]): (string | undefined)[] | null {
  if (text.charCodeAt(0) !== 0x7b /* { */) return null
  const found: (string | undefined)[] = names.map(() => undefined)
  let at = text.indexOf('"', 1)
  while (at > 0) {
    const nameEnd = text.indexOf('"', at + 1)
    const colon = text.indexOf(':', nameEnd)
    if (nameEnd < 0 || colon < 0) return null
    const name = text.slice(at + 1, nameEnd)
    if (name.includes('\\')) return null
    const from = skipSpace(text, colon + 1)
    const to = findValueEnd(text, from)
    if (to === text.length) return null
    const place = names.indexOf(name)
    // If two members have the same name, the last one wins, as in `JSON.parse`.
    if (place >= 0) found[place] = stringOf(text, from, to)
    at = text.indexOf('"', to)
  }
  return found
}

function stringOf(text: string, from: number, to: number): string | undefined {
  const first = text.charCodeAt(from)
  const raw = text.slice(from, to)
  if (first === 0x22) return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1)
  return first === 0x2d || (first >= 0x30 && first <= 0x39) ? raw : undefined
}

/** Returns the index after the value at `from`, or the length of the text if the value is not terminated. */
function findValueEnd(text: string, from: number): number {
  if (text.charCodeAt(from) === 0x22) return findStringEnd(text, from)
  let at = from
  for (let depth = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 /* " */) at = findStringEnd(text, at) - 1
    else if (code === 0x7b || code === 0x5b /* [ */) depth++
    else if (depth === 0) {
      if (code === 0x2c /* , */ || code === 0x7d || code <= 0x20) return at
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) <= 0x20) at++
  return at
}
