/** The forms that a time may have in place of the documented one, and be read all the same. */
export const DATE_DIALECTS = ['epoch-ms', 'epoch-s', 'json-date', 'no-zone', 'spaced'] as const
export type DateDialect = (typeof DATE_DIALECTS)[number]

/** In what a service differs from the contract and is followed: what `drift accept` keeps with a profile. */
export interface Dialect {
  /** The member that holds the records of a list, by the ID of its endpoint; '' when the answer itself is the list. */
  readonly lists: Readonly<Record<string, string>>
  /** The form of times, by the name of their member. */
  readonly dates: Readonly<Record<string, DateDialect>>
  /** The case of card numbers; null: upper, as the contract says. */
  readonly cards: 'lower' | null
}

/** The contract's own. */
export const NO_DIALECT: Dialect = { lists: {}, dates: {}, cards: null }

/** Whether it says anything. */
export function isPlain({ lists, dates, cards }: Dialect): boolean {
  return cards === null && Object.keys(lists).length === 0 && Object.keys(dates).length === 0
}

/** Reads what a profile keeps. Null: it is none. */
export function parseDialect(json: unknown): Dialect | null {
  if (!isObject(json)) return null
  const { lists = {}, dates = {}, cards = null } = json
  if (!isObject(lists) || !isObject(dates) || (cards !== null && cards !== 'lower')) return null
  if (!Object.values(lists).every((member) => typeof member === 'string')) return null
  if (!Object.values(dates).every((form) => DATE_DIALECTS.some((known) => known === form))) return null
  return { lists: lists as Dialect['lists'], dates: dates as Dialect['dates'], cards }
}

/** How each form of a time is called. */
export const DATE_WORDS: Readonly<Record<DateDialect, string>> = {
  'epoch-ms': 'milliseconds since 1970',
  'epoch-s': 'seconds since 1970',
  'json-date': '/Date(…)/',
  'no-zone': 'a time without a zone, read as UTC',
  spaced: 'a time with a space in it, read as UTC unless it has a zone',
}

/** Says in a line what is followed: `bookings.list: records under "reservations"; card numbers in lower case`. */
export function describeDialect({ lists, dates, cards }: Dialect): string {
  return [
    ...Object.entries(lists).map(([id, member]) => `${id}: ${listWords(member)}`),
    ...Object.entries(dates).map(([member, form]) => `${member}: ${DATE_WORDS[form]}`),
    ...(cards === null ? [] : ['card numbers in lower case']),
  ].join('; ')
}

/** Where records stand, in words. */
export function listWords(member: string): string {
  return member === '' ? 'a bare list' : `records under ${JSON.stringify(member)}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
