import { keyOf, LONGEST_NAME, without } from './spelling.ts'

/** What stands between the names of tables that were pushed together. */
const BETWEEN = /\s*[+/\\&,;|]\s*/u

/** A dash stands in names of single tables, too: only where both sides have a number it may join. */
const DASH = /\s*[-\u2010-\u2014]\s*/u

/** The names in a name of tables that were joined, `12+13`; null: it is not of that form, or names one table only. */
export function partsOf(name: string): readonly string[] | null {
  if (name.length > LONGEST_NAME) return null
  const plain = without(name, ['unicode']).trim()
  const parts = BETWEEN.test(plain) ? plain.split(BETWEEN) : dashed(plain)
  if (parts === null || parts.some((part) => part === '')) return null
  return new Set(parts.map(keyOf)).size > 1 ? parts : null
}

/** What is the same for all names of the same tables joined; null: the name is not of that form. */
export function joinKeyOf(name: string): string | null {
  const parts = partsOf(name)
  return (
    parts
      ?.map((part) => keyOf(withLettersOf(parts[0] ?? '', part) ?? part))
      .sort()
      .join('+') ?? null
  )
}

/** A part with the letters of the first one, `B2` in `B1+2`; null: it has some of its own, or the first has none. */
export function withLettersOf(first: string, part: string): string | null {
  const [, letters] = /^(\p{L}[^\d]*)\d/u.exec(first) ?? []
  return letters !== undefined && /^\d/.test(part) ? `${letters}${part}` : null
}

function dashed(plain: string): string[] | null {
  const parts = plain.split(DASH)
  return parts.length > 1 && parts.every((part) => /\d/.test(part)) ? parts : null
}
