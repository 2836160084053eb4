import type { Shape } from '../../../contract/answers/shape.ts'
import type { Expected, Kind } from '../../../contract/shapes/expected.ts'
import type { TextForm } from '../../../contract/shapes/facts.ts'

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  list: 'list',
}

const FORM_WORDS: Readonly<Record<TextForm, string>> = {
  utc: 'time in UTC',
  offset: 'time with an offset',
  'no-zone': 'time without a zone',
  spaced: 'time with a space instead of T',
  date: 'date without a time',
  'json-date': '/Date(…)/',
  'epoch-ms': 'ms since 1970',
  'epoch-s': 'seconds since 1970',
  'card-upper': 'card number in upper case',
  'card-lower': 'card number in lower case',
  'card-mixed': 'card number in mixed case',
  'card-digits': 'all-digit card number',
  'three-capitals': 'three capital letters',
  hex: 'hexadecimal digits',
  empty: 'empty text',
  other: 'text in another form',
}

/** Describes what the contract expects, such as `text, or null` or `one of Active, Cancelled`. */
export function expectedWords({ kinds, always, form, values }: Expected): string {
  const what = form?.name ?? (values ? `one of ${values.join(', ')}` : kinds ? kindWords(kinds) : 'anything')
  return always || kinds === null ? what : `${what}, or null`
}

function kindWords(kinds: readonly Kind[]): string {
  // Omit `integer` if `number` is expected too, because "number" includes whole numbers.
  const shown = kinds.includes('number') ? kinds.filter((kind) => kind !== 'integer') : kinds
  return shown.map((kind) => KIND_WORDS[kind]).join(' or ')
}

/** Describes the values that were seen, such as `text`, `ms since 1970, whole number` or `text 3 of 12`. */
export function seenWords({ kinds, forms, nulls, seen }: Shape): string {
  const { integer = 0, number = 0, ...others } = kinds
  // If some numbers have decimals, count the whole numbers as `number` too, because they might all be amounts.
  const counted = number > 0 ? { ...others, number: number + integer } : kinds
  const found = (Object.entries(counted) as [Kind, number][]).map(
    ([kind, many]) => `${KIND_WORDS[kind]}${shareSuffix(many, seen)}`,
  )
  const epoch = (['epoch-ms', 'epoch-s'] as const).filter((form) => forms[form])
  const inWords = epoch.length === 1 && epoch[0] ? `${FORM_WORDS[epoch[0]]}, ` : ''
  return inWords + [...found, ...(nulls > 0 ? [`null${shareSuffix(nulls, seen)}`] : [])].join(', ')
}

/** Describes the forms of strings, such as `time in UTC, time without a zone 3 of 12`. */
export function formWords(forms: Shape['forms'], shown: readonly TextForm[]): string {
  const all = Object.values(forms).reduce((sum, many) => sum + many, 0)
  return shown.map((form) => `${FORM_WORDS[form]}${shareSuffix(forms[form] ?? 0, all)}`).join(', ')
}

/** Returns a suffix such as ` 3 of 12`, or '' if the two numbers are equal. */
export function shareSuffix(many: number, all: number): string {
  return many === all ? '' : ` ${many} of ${all}`
}

/** Describes values that the contract does not list. Shows plain words only and calls anything else `another value`. */
export function unlistedWords(strange: Readonly<Record<string, number>>): string {
  return Object.keys(strange)
    .slice(0, 5)
    .map((word) => (word === '' ? 'another value' : word))
    .join(', ')
}
