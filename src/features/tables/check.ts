import { type Match, type MatchKind, type ServiceTable, TableNames } from './match.ts'
import type { PosNames } from './reading/names.ts'
import type { Difference } from './spelling.ts'

/** What a name of the POS is at the service, or a table of the service that no name means (`unused`). */
export interface CheckedName {
  /** Null: `unused`. */
  readonly pos: string | null
  /** The lines that say it, from 1. */
  readonly lines: readonly number[]
  readonly kind: MatchKind | 'unused'
  /** Of a `spelling`. */
  readonly differences: readonly Difference[]
  /** Whether another line of a list of tables means the same table. Sales name a table as often as they like. */
  readonly doubled: boolean
  /** The name that the service is to be told; null: nobody can tell. */
  readonly service: string | null
  readonly tableId: string | null
  readonly section: string | null
  /** Tables that it could mean, none of which was chosen. */
  readonly candidates: readonly ServiceTable[]
  /** The names of the single tables of joined ones. */
  readonly parts: readonly string[]
  /** What to do; null: nothing. */
  readonly next: string | null
}

/** Looks up each name of a POS once, in the order of the file; then come tables of the service that a list of tables lacks. */
export function checkNames(given: PosNames, tables: readonly ServiceTable[]): CheckedName[] {
  const service = new TableNames(tables)
  const found = [...given.names].map(([pos, lines]) => ({ pos, lines, match: service.match(pos) }))
  const linesOf = linesOfTables(found)
  const rows = found.map(({ pos, lines, match }): CheckedName => {
    const ofTable = match.table === null || match.kind === 'joined' ? lines : (linesOf.get(match.table) ?? lines)
    return rowOf(pos, lines, match, given.areSales ? [] : ofTable)
  })
  return given.areSales ? rows : [...rows, ...unusedTables(service, found)]
}

/** The lines that mean a table, in order. Joined tables are another matter than the first of them. */
function linesOfTables(
  found: readonly { readonly lines: readonly number[]; readonly match: Match }[],
): ReadonlyMap<ServiceTable, readonly number[]> {
  const linesOf = new Map<ServiceTable, number[]>()
  for (const { lines, match } of found) {
    if (match.table === null || match.kind === 'joined') continue
    const known = linesOf.get(match.table) ?? []
    for (const line of lines) known.push(line)
    linesOf.set(match.table, known)
  }
  for (const lines of linesOf.values()) lines.sort((a, b) => a - b)
  return linesOf
}

/** Whether the POS and the service say the same here. */
export function agrees({ kind, doubled }: CheckedName): boolean {
  return kind === 'same' && !doubled
}

function rowOf(pos: string, lines: readonly number[], match: Match, together: readonly number[]): CheckedName {
  const { kind, differences, table, candidates, parts } = match
  const doubled = together.length > 1
  return {
    ...{ pos, lines, kind, differences, doubled },
    service: table?.name ?? null,
    tableId: table?.tableId ?? null,
    section: table?.section ?? null,
    candidates,
    parts: parts.map(({ name }) => name),
    next: advice(match, doubled ? together : []),
  }
}

/** A table that an ambiguous name could mean is not called unused, as nobody knows. */
function unusedTables({ tables }: TableNames, found: readonly { readonly match: Match }[]): CheckedName[] {
  const meant = new Set(
    found.flatMap(({ match: { kind, table, candidates, parts } }) => [
      ...(table === null ? [] : [table]),
      ...parts,
      ...(kind === 'ambiguous' ? candidates : []),
    ]),
  )
  return tables
    .filter((table) => !meant.has(table))
    .map(({ name, tableId, section }) => ({
      ...({ pos: null, lines: [], kind: 'unused', differences: [], doubled: false } as const),
      ...{ service: name, tableId, section, candidates: [], parts: [] },
      next: 'add it to the POS, if the POS should have it',
    }))
}

/**
 * What to do about a name of the POS, in words; null: nothing.
 * @param together the lines that mean the same table, where that should be one; [] otherwise.
 */
function advice(match: Match, together: readonly number[]): string | null {
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
