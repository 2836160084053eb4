import type { Difference } from './output.ts'

export const DIFFERENCES = ['unicode', 'spaces', 'punctuation', 'case', 'zeros', 'prefix'] as const

/**
 * Differences that only affect how a name is typed. The other differences, `zeros` and `prefix`, can distinguish two
 * tables.
 */
const TYPING: readonly Difference[] = ['unicode', 'spaces', 'punctuation', 'case']

/**
 * The order in which differences are removed. The prefix is removed before the spaces, because a space can mark the end
 * of the prefix.
 */
const ORDER: readonly Difference[] = ['unicode', 'prefix', 'spaces', 'punctuation', 'case', 'zeros']

/** The code points of the digit 0 in other scripts: Arabic, Persian, Devanagari, Bengali and Thai. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50]

const MARKS = String.raw`[-\u2010-\u2014._:#'\u2019"()[\]*\u00b0]`
const TABLE_WORD = new RegExp(
  String.raw`^\s*(?:tables?|tabl|tbl|tab|tb|tisch|mesa|tavolo|tafel|bord)(?:(?:\s|${MARKS})+(?=\S)|(?=t?(?:\s|${MARKS})*\d))`,
  'iu',
)
const NUMBER_WORD = new RegExp(String.raw`^\s*(?:number|num|no|nr)(?:\s|${MARKS})*(?=\d)`, 'iu')
const LETTER = new RegExp(String.raw`^\s*t(?:\s|${MARKS})*(?=\d)`, 'iu')

const REMOVERS: Readonly<Record<Difference, (name: string) => string>> = {
  unicode: (name) =>
    name
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replace(/\p{Nd}/gu, asciiDigit),
  spaces: (name) =>
    name.trim().replace(/\s+/gu, (_space, at, whole) => (isBetweenDigits(whole, at, _space) ? ' ' : '')),
  punctuation: (name) =>
    name.replace(new RegExp(MARKS, 'gu'), (mark, at, whole) => (isBetweenDigits(whole, at, mark) ? mark : '')),
  // Convert to upper case first, so that ß becomes ss.
  case: (name) => name.toUpperCase().toLowerCase(),
  zeros: (name) => name.replace(/(?<![\p{Nd}.,])0+(?=\p{Nd})/gu, ''),
  prefix: (name) => withoutTableWord(name).replace(LETTER, ''),
}

/** Removes a word that means "table": `Table 12`, `Tbl-12` and `No. 12` become `12`, and `Table T12` becomes `T12`. */
function withoutTableWord(name: string): string {
  return name.replace(TABLE_WORD, '').replace(NUMBER_WORD, '')
}

/**
 * The maximum length of a table name in characters. Longer names are not normalized, because that would take too long.
 */
export const LONGEST_NAME = 200

/**
 * Removes the given differences from a name. A name longer than {@link LONGEST_NAME} is returned unchanged. The result
 * is never ''.
 */
export function removeDifferences(name: string, differences: readonly Difference[]): string {
  if (name.length > LONGEST_NAME) return name
  let text = name
  for (const one of ORDER) if (differences.includes(one)) text = REMOVERS[one](text) || text
  return text
}

/** Returns a key that is the same for all spellings of a name. */
export function spellingKey(name: string): string {
  return removeDifferences(name, DIFFERENCES)
}

/**
 * Returns a key that keeps the letters before a number. `T 07` and `t7` have the same key, but `7` has a different one.
 */
export function prefixedSpellingKey(name: string): string {
  const removed = ORDER.filter((one) => one !== 'prefix')
  return removeDifferences(name, removed)
}

/**
 * Whether a name is only a number, possibly after a word for "table". This is true of `12`, `Table 12` and `#12`, but
 * not of `T12`.
 */
export function isBareNumber(name: string): boolean {
  const bare = withoutTableWord(removeDifferences(name, ['unicode']))
  return /^\d/.test(removeDifferences(bare, TYPING))
}

/**
 * Returns the differences between two spellings with the same key. If several sets of differences are possible, returns
 * the set with the fewest differences other than typing differences. If several sets tie, returns the smallest.
 */
export function differencesBetween(one: string, other: string): readonly Difference[] {
  return DIFFERENCE_SETS.find((set) => removeDifferences(one, set) === removeDifferences(other, set)) ?? DIFFERENCES
}

/**
 * Returns whether the differences in `one` are clearly smaller than those in `other`. Typing differences alone are
 * smaller than any set with other differences. Otherwise, `one` must be a proper subset of `other`.
 */
export function isNearer(one: readonly Difference[], other: readonly Difference[]): boolean {
  if (isOnlyTyping(one) !== isOnlyTyping(other)) return isOnlyTyping(one)
  return one.length < other.length && one.every((difference) => other.includes(difference))
}

function isOnlyTyping(differences: readonly Difference[]): boolean {
  return countBeyondTyping(differences) === 0
}

/** All possible sets of differences, sorted so that the most likely set comes first. */
const DIFFERENCE_SETS: readonly (readonly Difference[])[] = Array.from({ length: 2 ** DIFFERENCES.length }, (_, bits) =>
  DIFFERENCES.filter((_difference, at) => bits & (1 << at)),
).sort((a, b) => countBeyondTyping(a) - countBeyondTyping(b) || a.length - b.length)

function countBeyondTyping(differences: readonly Difference[]): number {
  return differences.filter((one) => !TYPING.includes(one)).length
}

function isBetweenDigits(whole: string, at: number, what: string): boolean {
  const [before, behind] = [whole.slice(0, at), whole.slice(at + what.length)]
  return /\p{Nd}$/u.test(before.slice(-2)) && /^\p{Nd}/u.test(behind)
}

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const zero = ZEROS.find((start) => code >= start && code < start + 10)
  return zero === undefined ? digit : String(code - zero)
}
