import { keyOf, without } from './spelling.ts'

/** What stands between the names of tables that were pushed together. */
const BETWEEN = /\s*[+/\\&,;|]\s*/u

/** A dash stands in names of single tables, too: only where both sides have a number it may join. */
const DASH = /\s*[-\u2010-\u2014]\s*/u

/** The names in a name of tables that were joined, `12+13`; null: it is not of that form, or names one table only. */
export function partsOf(name: string): readonly string[] | null {
  const plain = without(name, ['unicode']).trim()
  const parts = BETWEEN.test(plain) ? plain.split(BETWEEN) : dashed(plain)
  if (parts === null || parts.some((part) => part === '')) return null
  return new Set(parts.map(keyOf)).size > 1 ? parts.map((part, at) => withLetters(part, at, parts[0] ?? '')) : null
}

/** What is the same for all names of the same tables joined; null: the name is not of that form. */
export function joinKeyOf(name: string): string | null {
  return partsOf(name)?.map(keyOf).sort().join('+') ?? null
}

function dashed(plain: string): string[] | null {
  const parts = plain.split(DASH)
  return parts.length > 1 && parts.every((part) => /\d/.test(part)) ? parts : null
}

/** In `B1+2` the letter is that of both. */
function withLetters(part: string, at: number, first: string): string {
  const [, letters = ''] = /^(\p{L}[^\d]*)\d/u.exec(first) ?? []
  return at > 0 && /^\d/.test(part) ? `${letters}${part}` : part
}
