import type { Difference, MatchKind, ServiceTable } from './output.ts'
import {
  differencesBetween,
  isBareNumber,
  isNearer,
  LONGEST_NAME,
  prefixedSpellingKey,
  removeDifferences,
  spellingKey,
} from './spelling.ts'

const SEPARATOR = /\s*[+/\\&,;|]\s*/u

/**
 * Matches a dash. Only a dash between two numbers separates joined tables, because the name of a single table can also
 * contain a dash.
 */
const DASH = /\s*[-\u2010-\u2014]\s*/u

/** The result of looking up a table name from the POS. */
export interface Match {
  readonly kind: MatchKind
  /** The table to send to the service; `null` if no table could be chosen. */
  readonly table: ServiceTable | null
  /** If `kind` is `spelling`, how the name differs from the table's name. */
  readonly differences: readonly Difference[]
  /**
   * The tables that an ambiguous name could mean, or guesses for a name that was not found. None of these tables was
   * chosen.
   */
  readonly candidates: readonly ServiceTable[]
  /** The individual tables of a joined table. The list is empty if the service has one table for the whole group. */
  readonly parts: readonly ServiceTable[]
}

const NOTHING = { table: null, differences: [], candidates: [], parts: [] } as const
const MISSING: Match = { kind: 'missing', ...NOTHING }

type Groups = ReadonlyMap<string | null, readonly ServiceTable[]>

/** Looks up names among the service's tables. If a name could mean several tables, none is chosen. */
export class TableNames {
  readonly #byName: Groups
  readonly #byKey: Groups
  readonly #byNumber: Groups
  readonly #byJoin: Groups
  readonly #byId: Groups

  constructor(tables: readonly ServiceTable[]) {
    this.#byName = Map.groupBy(tables, ({ name }) => name)
    this.#byKey = Map.groupBy(tables, ({ name }) => spellingKey(name))
    this.#byNumber = Map.groupBy(tables, ({ name }) => numberAfterLetters(name))
    this.#byJoin = Map.groupBy(tables, ({ name }) => joinKeyOf(name))
    this.#byId = Map.groupBy(tables, ({ tableId }) => tableId)
  }

  match(name: string): Match {
    const single = this.#matchSingle(name)
    if (single.kind !== 'missing') return single
    const joined = this.#matchJoined(name)
    if (joined) return joined
    const [byId] = this.#byId.get(name) ?? []
    return byId ? { ...NOTHING, kind: 'id', table: byId } : single
  }

  #matchSingle(name: string): Match {
    const exact = this.#byName.get(name)
    if (exact) return chosen(exact, 'same', [])
    const spelt = (this.#byKey.get(spellingKey(name)) ?? []).map((table) => ({
      table,
      differences: differencesBetween(name, table.name),
    }))
    const nearest = spelt.filter(({ differences }) => !spelt.some((other) => isNearer(other.differences, differences)))
    const nearestTables = nearest.map(({ table }) => table)
    const [first] = nearest
    // A number without a letter, such as `4`, can mean T4 or B4.
    if (isBareNumber(name) && (first === undefined || nearestTables.some((table) => !isBareNumber(table.name)))) {
      const lettered = this.#byNumber.get(spellingKey(name)) ?? []
      const all = [...new Set([...nearestTables, ...lettered])]
      if (all.length > 1) return ambiguous(all)
      if (first === undefined) return { ...MISSING, candidates: all }
    }
    if (first === undefined) return MISSING
    return chosen(nearestTables, 'spelling', first.differences)
  }

  /** Looks up a name that stands for joined tables. Returns `null` for any other name. */
  #matchJoined(name: string): Match | null {
    const parts = splitJoined(name)
    if (parts === null) return null
    const whole = this.#byJoin.get(joinKeyOf(name) ?? '')
    if (whole) return chosen(whole, 'joined', [])
    const found = parts.map((part) => this.#matchPart(part, parts[0] ?? ''))
    const unclear = found.find(({ kind }) => kind === 'ambiguous')
    if (unclear) return unclear
    const tables = found.flatMap(({ table }) => (table === null ? [] : [table]))
    if (tables.length < parts.length) return { ...MISSING, candidates: tables }
    return { ...NOTHING, kind: 'joined', table: tables[0] ?? null, parts: tables }
  }

  /**
   * Looks up one part of a name that stands for joined tables. In `B1+2`, the part `2` can mean table B2 or table 2. It
   * is ambiguous if both exist.
   */
  #matchPart(part: string, first: string): Match {
    const bare = this.#matchSingle(part)
    const lettered = withLettersOf(first, part)
    const other = lettered === null ? bare : this.#matchSingle(lettered)
    if (other.table === null || bare.table === other.table) return bare
    return bare.table === null ? other : ambiguous([bare.table, other.table])
  }
}

function chosen(
  tables: readonly ServiceTable[],
  kind: 'same' | 'spelling' | 'joined',
  differences: readonly Difference[],
): Match {
  const [table, ...others] = tables
  if (table === undefined) return MISSING
  return others.length > 0 ? ambiguous(tables) : { ...NOTHING, kind, table, differences }
}

function ambiguous(candidates: readonly ServiceTable[]): Match {
  return { ...NOTHING, kind: 'ambiguous', candidates }
}

/**
 * Returns the number in a name that consists of letters and a number, such as `4` for `B4` and `Bar 04`. Returns `null`
 * for any other name.
 */
function numberAfterLetters(name: string): string | null {
  return /^\p{L}+(\d.*)$/u.exec(prefixedSpellingKey(name))?.[1] ?? null
}

/**
 * Splits a name that stands for joined tables, such as `12+13`, into its parts. Returns `null` if the name stands for a
 * single table.
 */
function splitJoined(name: string): readonly string[] | null {
  if (name.length > LONGEST_NAME) return null
  const plain = removeDifferences(name, ['unicode']).trim()
  const parts = SEPARATOR.test(plain) ? plain.split(SEPARATOR) : splitAtDashes(plain)
  if (parts === null || parts.some((part) => part === '')) return null
  return new Set(parts.map(spellingKey)).size > 1 ? parts : null
}

function joinKeyOf(name: string): string | null {
  const parts = splitJoined(name)
  const keys = parts?.map((part) => spellingKey(withLettersOf(parts[0] ?? '', part) ?? part))
  return keys?.sort().join('+') ?? null
}

/**
 * Adds the letters of the first part to a later part: in `B1+2`, the 2 becomes B2. Returns `null` if the part already
 * has letters, or if the first part has none.
 */
function withLettersOf(first: string, part: string): string | null {
  const [, letters] = /^(\p{L}[^\d]*)\d/u.exec(first) ?? []
  return letters !== undefined && /^\d/.test(part) ? `${letters}${part}` : null
}

function splitAtDashes(plain: string): string[] | null {
  const parts = plain.split(DASH)
  return parts.length > 1 && parts.every((part) => /\d/.test(part)) ? parts : null
}
