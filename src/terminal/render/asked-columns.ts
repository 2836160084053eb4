import { findNearest } from '../../base/failure/nearest.ts'
import { isJsonObject, type JsonValue } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { valueAt } from '../../base/json/paths.ts'
import { terminalSafe } from './text/safe-text.ts'
import type { ListView } from './view.ts'

/** Names are taken from so many records, and to this depth. */
const RECORDS_LOOKED_AT = 100
const DEPTH = 4
const LONGEST = 100

/** The columns that the user named: those that no record has are likely typed wrong. */
export class AskedColumns {
  readonly #missing: Set<string>
  readonly #view: Pick<ListView, 'one' | 'csvPaths' | 'columns' | 'flagFor'>
  readonly #names = new Set<string>()
  #records = 0

  constructor(paths: readonly string[] | null, view: Pick<ListView, 'one' | 'csvPaths' | 'columns' | 'flagFor'>) {
    this.#missing = new Set(paths ?? [])
    this.#view = view
  }

  see(record: WireRecord): void {
    if (this.#missing.size === 0) return
    const { value } = record
    for (const path of this.#missing) if (valueAt(value, path) !== undefined) this.#missing.delete(path)
    if (this.#missing.size > 0 && this.#records < RECORDS_LOOKED_AT)
      for (const name of namesIn(value)) this.#names.add(name)
    this.#records++
  }

  /** A warning for stderr for each name that no record had, with the nearest that one had; '' when there is none. */
  get remark(): string {
    if (this.#records === 0) return ''
    return [...this.#missing].map((path) => `warning: ${terminalSafe(this.#warning(path))}\n`).join('')
  }

  #warning(path: string): string {
    const { one, csvPaths, columns } = this.#view
    const text = `no ${one} here has '${path.length > LONGEST ? `${path.slice(0, LONGEST)}…` : path}', which --columns names`
    const flag = this.#view.flagFor?.(path) ?? null
    if (flag !== null) return `${text}; add ${flag}`
    if (csvPaths.includes(path)) return text
    const titled = columns.find(({ header }) => titleOf(header) === titleOf(path))
    const near = titled?.path ?? findNearest(path, [...this.#names, ...csvPaths])
    return near === null ? `${text}; -o json shows all members` : `${text}; did you mean ${near}?`
  }
}

/** `BOOKING ID` and `booking-id` are one title. */
function titleOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The paths of all members, those of inner objects and of the items of lists included. */
function namesIn(value: JsonValue, depth = DEPTH): string[] {
  if (depth === 0) return []
  const members: readonly (readonly [string, JsonValue | undefined])[] = isJsonObject(value)
    ? Object.entries(value)
    : Array.isArray(value)
      ? [['0', (value as readonly JsonValue[])[0]]]
      : []
  return members.flatMap(([name, member]) => [
    name,
    ...(member === undefined ? [] : namesIn(member, depth - 1).map((inner) => `${name}.${inner}`)),
  ])
}
