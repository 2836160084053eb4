import { findNearest } from '../../failure/nearest.ts'
import { formatDuration, parseDuration } from '../../time/duration.ts'
import { type Complain, type LocatedValue, type Member, type Place, toPlainValue } from './located-yaml.ts'

/**
 * Reads a map that must have exactly one of the members in `readers`, and returns the result of that member's reader.
 * If the map is invalid, reports the problem and returns `null`.
 */
export function readKind<T>(
  placed: LocatedValue,
  readers: Readonly<Record<string, (fields: Fields) => T | null>>,
  example: string,
  complain: Complain,
): T | null {
  const kinds = Object.keys(readers)
  const expected = `expected one of ${kinds.join(', ')}`
  const fields = Fields.of(placed, `${expected}, such as ${example}`, complain)
  if (!fields) return null
  const given = kinds.filter((kind) => fields.has(kind))
  const [kind = ''] = given
  if (given.length === 1) return readers[kind]?.(fields) ?? null
  fields.complain(`${expected}, ${given.length === 0 ? `such as ${example}` : `not ${given.join(' and ')}`}`)
  return null
}

/**
 * A map in a file that the user wrote. Its methods read members by name. They report invalid values and treat them as
 * missing.
 */
export class Fields {
  readonly place: Place
  readonly #members: ReadonlyMap<string, Member>
  readonly #complain: Complain

  private constructor(place: Place, members: ReadonlyMap<string, Member>, complain: Complain) {
    this.place = place
    this.#members = members
    this.#complain = complain
  }

  /** Returns the fields of a map. If the value is not a map, reports `expected` and returns `null`. */
  static of({ place, value }: LocatedValue, expected: string, complain: Complain): Fields | null {
    if (value instanceof Map) return new Fields(place, value as ReadonlyMap<string, Member>, complain)
    complain(place, expected)
    return null
  }

  has(name: string): boolean {
    return this.#members.has(name)
  }

  /** Reports each member whose name is not in `names`. */
  only(names: readonly string[]): void {
    for (const [name, { namePlace }] of this.#members) {
      if (names.includes(name)) continue
      const near = findNearest(name, names)
      const next = near === null ? `expected ${names.join(', ')}` : `did you mean ${near}?`
      this.#complain(namePlace, `unknown member${quotedName(name)}; ${next}`)
    }
  }

  /** Returns a required string. If it is missing or invalid, reports the problem and returns an empty string. */
  text(name: string, example: string): string {
    const value = this.#members.get(name)?.value
    if (typeof value === 'string' && value.trim() !== '') return value
    this.#wrong(name, `text, such as ${example}`)
    return ''
  }

  /** Returns an optional string, or an empty string if it is missing. */
  optionalText(name: string): string {
    const value = this.#members.get(name)?.value ?? ''
    if (typeof value === 'string') return value
    this.#wrong(name, 'text: put it in quotes')
    return ''
  }

  /** Returns a number, or `undefined` if the member is missing. */
  number(name: string, what = 'a number', isGood: (value: number) => boolean = () => true): number | undefined {
    const value = this.#members.get(name)?.value
    if (value === undefined) return undefined
    if (typeof value === 'number' && Number.isFinite(value) && isGood(value)) return value
    this.#wrong(name, what)
    return undefined
  }

  /** Returns a whole number of at least 0, or `undefined` if the member is missing. */
  count(name: string): number | undefined {
    return this.number(name, 'a whole number from 0', (value) => Number.isSafeInteger(value) && value >= 0)
  }

  /**
   * Returns a duration (such as `500ms` or `2h`) in milliseconds, or `undefined` if the member is missing. Reports a
   * duration shorter than `minMs`.
   */
  duration(name: string, minMs = 0): number | undefined {
    const value = this.#members.get(name)?.value
    if (value === undefined) return undefined
    try {
      return parseDuration(String(value).replace(/^\+/, ''), name, { minMs, maxMs: 4000 * 86_400_000 })
    } catch {
      const least = minMs === 0 ? '' : ` of at least ${formatDuration(minMs)}`
      this.#wrong(name, `a duration${least}, such as ${minMs > 500 ? '90s' : '500ms'} or 2h`)
      return undefined
    }
  }

  /** Returns a boolean, or `undefined` if the member is missing. */
  flag(name: string): boolean | undefined {
    const value = this.#members.get(name)?.value
    if (value === undefined || typeof value === 'boolean') return value
    this.#wrong(name, 'true or false')
    return undefined
  }

  /** Returns one of the permitted words, or `undefined` if the member is missing. */
  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    const value = this.#members.get(name)?.value
    const found = words.find((word) => word === value)
    if (value === undefined || found !== undefined) return found
    const near = typeof value === 'string' ? findNearest(value, words) : null
    this.#wrong(name, `${words.join(' or ')}${near === null ? '' : `; did you mean ${near}?`}`)
    return undefined
  }

  /** Returns a member's value and its position, or `undefined` if the member is missing. */
  located(name: string): LocatedValue | undefined {
    return this.#members.get(name)
  }

  /** Returns each member's name and value. */
  members(): readonly (readonly [name: string, member: Member])[] {
    return [...this.#members]
  }

  /** Returns the fields of a required map. If it is missing or not a map, reports the problem and returns `null`. */
  fields(name: string, expected: string): Fields | null {
    const member = this.#members.get(name)
    if (member?.value instanceof Map) return Fields.of(member, expected, this.#complain)
    this.#wrong(name, expected)
    return null
  }

  /** Returns the items of a required list, which must not be empty. */
  list(name: string, what: string): readonly LocatedValue[] {
    const value = this.#members.get(name)?.value
    if (Array.isArray(value) && value.length > 0) return value as readonly LocatedValue[]
    this.#wrong(name, `a list of ${what}`)
    return []
  }

  /** Returns a member as plain JavaScript data, or `undefined` if it is missing. */
  plain(name: string): unknown {
    const member = this.#members.get(name)
    return member && toPlainValue(member)
  }

  /** Returns a map as a plain object, or `undefined` if the member is missing. */
  map(name: string): Readonly<Record<string, unknown>> | undefined {
    const member = this.#members.get(name)
    if (member === undefined) return undefined
    if (member.value instanceof Map) return toPlainValue(member) as Record<string, unknown>
    this.#wrong(name, 'members, such as { people: 4 }')
    return undefined
  }

  need(name: string, what: string): void {
    if (!this.has(name)) this.#wrong(name, what)
  }

  #wrong(name: string, what: string): void {
    const member = this.#members.get(name)
    const words = member === undefined ? `${name} is missing: expected ${what}` : `${name} must be ${what}`
    this.#complain(member?.place ?? this.place, words)
  }

  complain(words: string, name?: string): void {
    this.#complain((name === undefined ? undefined : this.#members.get(name)?.namePlace) ?? this.place, words)
  }
}

/**
 * Quotes the name of an unknown member, but only if it looks like a name. If the space after the colon is missing, the
 * parsed name also contains the value, which might be a secret.
 */
function quotedName(name: string): string {
  return /^[\w.-]{1,40}$/.test(name) ? ` ${JSON.stringify(name)}` : ''
}
