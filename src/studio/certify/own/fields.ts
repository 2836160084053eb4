import { findNearest } from '../../../base/failure/nearest.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { type Complain, type Member, type Placed, plainValue } from './placed.ts'

/**
 * Reads a map that has exactly one of these kinds as a member, with the reader of that kind. Null when it does not, which is noted, and
 * when the reader returns null.
 */
export function readKind<T>(
  placed: Placed,
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

/** A map of the file, whose members are taken one by one; what is wrong with them is noted. */
export class Fields {
  readonly line: number
  readonly #members: ReadonlyMap<string, Member>
  readonly #complain: Complain

  private constructor(line: number, members: ReadonlyMap<string, Member>, complain: Complain) {
    this.line = line
    this.#members = members
    this.#complain = complain
  }

  /** Null when it is no map, which is noted as `expected`. */
  static of({ line, value }: Placed, expected: string, complain: Complain): Fields | null {
    if (value instanceof Map) return new Fields(line, value as ReadonlyMap<string, Member>, complain)
    complain(line, expected)
    return null
  }

  has(name: string): boolean {
    return this.#members.has(name)
  }

  /** Notes every member that is none of these. */
  only(names: readonly string[]): void {
    for (const [name, { nameLine }] of this.#members) {
      if (names.includes(name)) continue
      const near = findNearest(name, names)
      const next = near === null ? `expected ${names.join(', ')}` : `did you mean ${near}?`
      this.#complain(nameLine, `unknown member ${JSON.stringify(name)}; ${next}`)
    }
  }

  /** The text of a member that must be there. Empty when it is not, which is noted. */
  text(name: string, example: string): string {
    const value = this.#members.get(name)?.value
    if (typeof value === 'string' && value.trim() !== '') return value
    this.#wrong(name, `text, such as ${example}`)
    return ''
  }

  /** The text of a member, which may be empty or missing: then it is empty. */
  optionalText(name: string): string {
    const value = this.#members.get(name)?.value ?? ''
    if (typeof value === 'string') return value
    this.#wrong(name, 'text: put it in quotes')
    return ''
  }

  /** A number; undefined when there is none. */
  number(name: string, what = 'a number', isGood: (value: number) => boolean = () => true): number | undefined {
    const value = this.#members.get(name)?.value
    if (value === undefined) return undefined
    if (typeof value === 'number' && Number.isFinite(value) && isGood(value)) return value
    this.#wrong(name, what)
    return undefined
  }

  /** A whole number from 0; undefined when there is none. */
  count(name: string): number | undefined {
    return this.number(name, 'a whole number from 0', (value) => Number.isSafeInteger(value) && value >= 0)
  }

  /** A duration such as `500ms` or `2h`, in milliseconds; undefined when there is none. */
  duration(name: string): number | undefined {
    const value = this.#members.get(name)?.value
    if (value === undefined) return undefined
    try {
      return parseDuration(String(value).replace(/^\+/, ''), name, { minMs: 0, maxMs: 4000 * 86_400_000 })
    } catch {
      this.#wrong(name, 'a duration, such as 500ms or 2h')
      return undefined
    }
  }

  /** The members of a list that must be there and not be empty. */
  list(name: string, what: string): readonly Placed[] {
    const value = this.#members.get(name)?.value
    if (Array.isArray(value) && value.length > 0) return value as readonly Placed[]
    this.#wrong(name, `a list of ${what}`)
    return []
  }

  /** The value of a member as JSON; undefined when there is none. */
  plain(name: string): unknown {
    const member = this.#members.get(name)
    return member && plainValue(member)
  }

  /** The members of a map as JSON; undefined when there is none. */
  map(name: string): Readonly<Record<string, unknown>> | undefined {
    const member = this.#members.get(name)
    if (member === undefined) return undefined
    if (member.value instanceof Map) return plainValue(member) as Record<string, unknown>
    this.#wrong(name, 'members, such as { people: 4 }')
    return undefined
  }

  /** Notes that a member is missing, if it is. */
  need(name: string, what: string): void {
    if (!this.has(name)) this.#wrong(name, what)
  }

  /** Notes that a member is not what is expected. */
  #wrong(name: string, what: string): void {
    const member = this.#members.get(name)
    this.#complain(
      member?.line ?? this.line,
      member === undefined ? `${name} is missing: expected ${what}` : `${name} must be ${what}`,
    )
  }

  /** Notes something else that is wrong with a member, or with all of them. */
  complain(words: string, name?: string): void {
    this.#complain((name === undefined ? undefined : this.#members.get(name)?.nameLine) ?? this.line, words)
  }
}
