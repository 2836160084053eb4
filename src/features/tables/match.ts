import {
  type Difference,
  differencesBetween,
  isBareNumber,
  isNearer,
  keyOf,
  LONGEST_NAME,
  prefixedKeyOf,
  without,
} from './spelling.ts'

/** What stands between the names of tables that were pushed together. */
const BETWEEN = /\s*[+/\\&,;|]\s*/u

/** A dash stands in names of single tables, too: only where both sides have a number it may join. */
const DASH = /\s*[-\u2010-\u2014]\s*/u

/** A table, as the service lists it. */
export interface ServiceTable {
  readonly name: string
  /** Null: the service does not say. */
  readonly tableId: string | null
  readonly section: string | null
}

/**
 * What a name is at the service. `same`: it is that of a table. `spelling`: it is, spelt otherwise. `joined`: of tables that
 * were joined. `id`: it is the ID of a table. `ambiguous`: it could be several tables. `missing`: it is none.
 */
export type MatchKind = 'same' | 'spelling' | 'joined' | 'id' | 'ambiguous' | 'missing'

/** What was found for a name. */
export interface Match {
  readonly kind: MatchKind
  /** The table that the service is to be told; null: none was chosen. */
  readonly table: ServiceTable | null
  /** Of a `spelling`. */
  readonly differences: readonly Difference[]
  /** Tables that were not chosen: those that an ambiguous name could mean, or one that a missing name may mean. */
  readonly candidates: readonly ServiceTable[]
  /** The single tables that were joined; [] where the service has a table for all of them. */
  readonly parts: readonly ServiceTable[]
}

const NOTHING = { table: null, differences: [], candidates: [], parts: [] } as const
const MISSING: Match = { kind: 'missing', ...NOTHING }

/** The tables of a service, to look names up in. A name gets one table or none, never the likelier of two. */
export class TableNames {
  readonly tables: readonly ServiceTable[]
  readonly #byName: ReadonlyMap<string, readonly ServiceTable[]>
  readonly #byKey: ReadonlyMap<string, readonly ServiceTable[]>
  readonly #byNumber: ReadonlyMap<string, readonly ServiceTable[]>
  readonly #byJoin: ReadonlyMap<string, readonly ServiceTable[]>
  readonly #byId: ReadonlyMap<string, readonly ServiceTable[]>

  constructor(tables: readonly ServiceTable[]) {
    this.tables = tables
    this.#byName = grouped(tables, ({ name }) => name)
    this.#byKey = grouped(tables, ({ name }) => keyOf(name))
    this.#byNumber = grouped(tables, ({ name }) => numberBehindLetters(name))
    this.#byJoin = grouped(tables, ({ name }) => joinKeyOf(name))
    this.#byId = grouped(tables, ({ tableId }) => tableId)
  }

  /** Looks a name up. */
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
    const spelt = (this.#byKey.get(keyOf(name)) ?? []).map((table) => ({
      table,
      differences: differencesBetween(name, table.name),
    }))
    const nearest = spelt.filter(({ differences }) => !spelt.some((other) => isNearer(other.differences, differences)))
    const [first] = nearest
    // `4` may be T4, and it may be B4: without its letter nobody knows.
    if (isBareNumber(name) && (first === undefined || nearest.some(({ table }) => !isBareNumber(table.name)))) {
      const lettered = this.#byNumber.get(keyOf(name)) ?? []
      const all = [...new Set([...nearest.map(({ table }) => table), ...lettered])]
      if (all.length > 1) return ambiguous(all)
      if (first === undefined) return { ...MISSING, candidates: all }
    }
    if (first === undefined) return MISSING
    return chosen(
      nearest.map(({ table }) => table),
      'spelling',
      first.differences,
    )
  }

  /** Null: it is no name of joined tables. */
  #matchJoined(name: string): Match | null {
    const parts = partsOf(name)
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

  /** In `B1+2` the 2 is B2, unless there is a 2 as well. */
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

/** `4` for `B4` and `Bar 04`; null for a name that is no number behind letters. */
function numberBehindLetters(name: string): string | null {
  return /^\p{L}+(\d.*)$/u.exec(prefixedKeyOf(name))?.[1] ?? null
}

function grouped(
  tables: readonly ServiceTable[],
  keyOfTable: (table: ServiceTable) => string | null,
): ReadonlyMap<string, readonly ServiceTable[]> {
  const groups = new Map<string, ServiceTable[]>()
  for (const table of tables) {
    const key = keyOfTable(table)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(table)
    else groups.set(key, [table])
  }
  return groups
}

/** The names in a name of tables that were joined, `12+13`; null: it is not of that form, or names one table only. */
function partsOf(name: string): readonly string[] | null {
  if (name.length > LONGEST_NAME) return null
  const plain = without(name, ['unicode']).trim()
  const parts = BETWEEN.test(plain) ? plain.split(BETWEEN) : dashed(plain)
  if (parts === null || parts.some((part) => part === '')) return null
  return new Set(parts.map(keyOf)).size > 1 ? parts : null
}

function joinKeyOf(name: string): string | null {
  const parts = partsOf(name)
  return (
    parts
      ?.map((part) => keyOf(withLettersOf(parts[0] ?? '', part) ?? part))
      .sort()
      .join('+') ?? null
  )
}

/** A part with the letters of the first one, `B2` in `B1+2`; null: it has some of its own, or the first has none. */
function withLettersOf(first: string, part: string): string | null {
  const [, letters] = /^(\p{L}[^\d]*)\d/u.exec(first) ?? []
  return letters !== undefined && /^\d/.test(part) ? `${letters}${part}` : null
}

function dashed(plain: string): string[] | null {
  const parts = plain.split(DASH)
  return parts.length > 1 && parts.every((part) => /\d/.test(part)) ? parts : null
}
