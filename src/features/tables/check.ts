import { joinNames } from '../../base/counted.ts'
import { type Match, TableNames } from './match.ts'
import type { CheckedName, ServiceTable } from './output.ts'
import type { PosNames } from './reading/names.ts'

type Found = { readonly pos: string; readonly lines: readonly number[]; readonly match: Match }

/**
 * Looks up each POS table name once, in file order. If the file is a list of tables, the result also contains
 * the service's tables that the file does not mention.
 */
export function checkNames(given: PosNames, tables: readonly ServiceTable[]): CheckedName[] {
  const service = new TableNames(tables)
  const found = [...given.names].map(([pos, lines]) => ({ pos, lines, match: service.match(pos) }))
  // Sales can repeat tables and need not mention all of them, so report neither duplicates nor unused tables.
  if (given.isSales) return found.map((one) => rowOf(one, []))
  const linesOf = linesOfTables(found)
  const rows = found.map((one) => rowOf(one, linesOf.get(singleTableOf(one)) ?? one.lines))
  return [...rows, ...unusedTables(tables, found)]
}

export function agrees({ kind, doubled }: CheckedName): boolean {
  return kind === 'same' && !doubled
}

function linesOfTables(found: readonly Found[]): ReadonlyMap<ServiceTable | null, readonly number[]> {
  const groups = Map.groupBy(found, singleTableOf)
  groups.delete(null)
  return new Map([...groups].map(([table, all]) => [table, all.flatMap(({ lines }) => lines).sort((a, b) => a - b)]))
}

/**
 * Returns the table that a name refers to. Returns `null` if the name is unknown, is ambiguous or stands for joined
 * tables.
 */
function singleTableOf({ match: { kind, table } }: Found): ServiceTable | null {
  return kind === 'joined' ? null : table
}

/**
 * Builds the output row for a name. `sameTableLines` contains the numbers of all lines that refer to the same table. It
 * is empty if duplicates are allowed.
 */
function rowOf({ pos, lines, match }: Found, sameTableLines: readonly number[]): CheckedName {
  const { kind, differences, table, candidates, parts } = match
  const doubled = sameTableLines.length > 1
  const next = [
    adviceOf(match),
    doubled ? `lines ${formatLines(sameTableLines)} refer to the same table: keep one` : '',
  ]
  return {
    ...{ pos, lines, kind, differences, doubled },
    service: table?.name ?? null,
    tableId: table?.tableId ?? null,
    section: table?.section ?? null,
    candidates,
    parts: parts.map(({ name }) => name),
    next: next.filter((text) => text !== '').join('; ') || null,
  }
}

/** Returns a row for each table that no name refers to, except tables that an ambiguous name could mean. */
function unusedTables(tables: readonly ServiceTable[], found: readonly Found[]): CheckedName[] {
  const meant = new Set(
    found.flatMap(({ match: { kind, table, candidates, parts } }) => [
      ...(table === null ? [] : [table]),
      ...parts,
      ...(kind === 'ambiguous' ? candidates : []),
    ]),
  )
  const unused = tables.filter((table) => !meant.has(table))
  return unused.map(({ name, tableId, section }) => ({
    ...({ pos: null, lines: [], kind: 'unused', differences: [], doubled: false } as const),
    ...{ service: name, tableId, section, candidates: [], parts: [] },
    next: 'add it to the POS if it is needed there',
  }))
}

/** Returns advice on what to do about a POS name, or '' if nothing needs to be done. */
function adviceOf({ kind, table, candidates, parts }: Match): string {
  const [name, names] = [table?.name ?? '', candidates.map((one) => one.name)]
  if (kind === 'same') return ''
  if (kind === 'ambiguous')
    return new Set(names).size > 1
      ? `choose ${joinNames(names, 'or')} in the map`
      : `the service has ${candidates.length} tables with this name: rename one of them`
  if (kind === 'missing')
    return candidates.length > 0
      ? `the service has only ${joinNames(names)}: if the name refers to that table, add it to the map`
      : 'add this table to the service, or enter a different table in the map'
  if (parts.length > 0) return `the map uses ${name}, the first of ${joinNames(parts.map((one) => one.name))}`
  return `rename it to ${name}, or use the map`
}

const MAX_LINES = 8

function formatLines(lines: readonly number[]): string {
  const rest = lines.length - MAX_LINES
  return `${lines.slice(0, MAX_LINES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
