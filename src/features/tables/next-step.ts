import type { Match, ServiceTable } from './match.ts'

/**
 * What to do about a name of the POS, in words; null: nothing.
 * @param together the lines that mean the same table, where that should be one; [] otherwise.
 */
export function advice(match: Match, together: readonly number[]): string | null {
  const words = [adviceOf(match), together.length > 0 ? `lines ${numbered(together)} mean one table: keep one` : '']
  return words.filter((text) => text !== '').join('; ') || null
}

function adviceOf({ kind, table, candidates, parts }: Match): string {
  const name = table?.name ?? ''
  switch (kind) {
    case 'same':
      return ''
    case 'spelling':
    case 'id':
      return `rename it ${name}, or use the map`
    case 'joined':
      return parts.length > 0
        ? `the map sends ${name}, the first of ${enumerated(parts, 'and')}`
        : `rename it ${name}, or use the map`
    case 'ambiguous':
      return new Set(candidates.map((one) => one.name)).size > 1
        ? `choose ${enumerated(candidates, 'or')} in the map`
        : `${candidates.length} tables of the service have this name: rename one there`
    case 'missing':
      return candidates.length > 0
        ? `the service has ${enumerated(candidates, 'and')} only: if that is it, write it into the map`
        : 'not at the service: add it there, or write another into the map'
  }
}

/** As many lines as a person goes through. */
const MOST_LINES = 8

function numbered(lines: readonly number[]): string {
  const rest = lines.length - MOST_LINES
  return `${lines.slice(0, MOST_LINES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function enumerated(tables: readonly ServiceTable[], word: string): string {
  const names = tables.map(({ name }) => name)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
}
