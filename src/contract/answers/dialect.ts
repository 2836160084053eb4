/** The time formats that a profile may accept instead of the documented one. */
export const DATE_DIALECTS = ['epoch-ms', 'epoch-s', 'json-date', 'no-zone', 'spaced'] as const
export type DateDialect = (typeof DATE_DIALECTS)[number]

/**
 * The differences from the contract that the user has accepted for a service. `drift accept` saves them in a profile.
 */
export interface Dialect {
  /** For each endpoint ID, the member that contains the records of a list, or '' if the response itself is the list. */
  readonly lists: Readonly<Record<string, string>>
  /** For each member name, the format of its times. */
  readonly dates: Readonly<Record<string, DateDialect>>
  /** The letter case that the service uses for card numbers; `null` for upper case, as in the contract. */
  readonly cards: 'lower' | null
}

export const NO_DIALECT: Dialect = { lists: {}, dates: {}, cards: null }

/** Returns whether a dialect matches the contract. */
export function isPlain({ lists, dates, cards }: Dialect): boolean {
  return cards === null && Object.keys(lists).length === 0 && Object.keys(dates).length === 0
}

/** Parses the dialect in a profile. Returns `null` if it is invalid. */
export function parseDialect(json: unknown): Dialect | null {
  if (!isObject(json)) return null
  const { lists = {}, dates = {}, cards = null } = json
  if (!isObject(lists) || !isObject(dates) || (cards !== null && cards !== 'lower')) return null
  if (!Object.values(lists).every((member) => typeof member === 'string')) return null
  if (!Object.values(dates).every((form) => DATE_DIALECTS.some((known) => known === form))) return null
  return { lists: lists as Dialect['lists'], dates: dates as Dialect['dates'], cards }
}

export const DATE_WORDS: Readonly<Record<DateDialect, string>> = {
  'epoch-ms': 'milliseconds since 1970',
  'epoch-s': 'seconds since 1970',
  'json-date': '/Date(…)/',
  'no-zone': 'a time without a zone, read as UTC',
  spaced: 'a time with a space instead of the T, read as UTC unless it has a zone',
}

/**
 * Describes a dialect in one line, such as `bookings.list: records under "reservations"; card numbers in lower case`.
 */
export function describeDialect({ lists, dates, cards }: Dialect): string {
  return [
    ...Object.entries(lists).map(([id, member]) => `${id}: ${listWords(member)}`),
    ...Object.entries(dates).map(([member, form]) => `${member}: ${DATE_WORDS[form]}`),
    ...(cards === null ? [] : ['card numbers in lower case']),
  ].join('; ')
}

export function listWords(member: string): string {
  return member === '' ? 'a bare list' : `records under ${JSON.stringify(member)}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
