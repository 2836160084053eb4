import type { Span } from '../../../base/redaction/secret-finder.ts'
import { comparableCard, comparablePhone } from './comparable.ts'

const LOCAL = /[\p{L}\p{N}._%+'\u2019-]/u
const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u
const MAX_LOCAL = 64
const MAX_DOMAIN = 255

/** Finds e-mail addresses. The search starts at each `@`, so that long text without an `@` is fast. */
export function findEmails(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > 0 && at - start < MAX_LOCAL && LOCAL.test(text[start - 1] ?? '')) start--
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + MAX_DOMAIN))?.[0]
    if (start < at && domain !== undefined) found.push({ start, end: at + 1 + domain.length })
  }
  return found
}

/**
 * Matches `+` and eight or more digits with the usual separators, such as `+61 (0)400-000.000`. Times and IDs do not
 * match, because they contain no `+` or have fewer digits after it.
 */
const INTERNATIONAL = /\+[ \u00a0().\-/]{0,2}\d(?:[ \u00a0().\-/]{0,2}\d){7,}/g

/** Finds phone numbers that start with `+`. */
export function findInternationalPhones(text: string): Span[] {
  return spansOf(text, INTERNATIONAL)
}

/** The minimum number of digits in a phone number. Shorter numbers are too ambiguous. */
export const MIN_DIGITS = 8
const MAX_DIGITS = 20

/** Matches a number with separators that has at least {@link MIN_DIGITS} digits. */
const LONG_NUMBER = /\d(?:[ \u00a0().\-/]{0,3}\d){7,}/g

/**
 * Finds known phone numbers in national or international form, but not inside a longer number. The numbers in `known`
 * must be normalized by `comparablePhone`.
 */
export function findKnownPhones(text: string, known: ReadonlySet<string>): Span[] {
  if (known.size === 0) return []
  return spansOf(text, LONG_NUMBER).flatMap(({ start, end }) =>
    knownPhonesInSequence(text.slice(start, end), known).map((span) => ({
      start: start + span.start,
      end: start + span.end,
    })),
  )
}

/** Finds known phone numbers in a sequence of digit groups. A phone number can start and end at any group. */
function knownPhonesInSequence(row: string, known: ReadonlySet<string>): Span[] {
  const groups = spansOf(row, /\d+/g)
  return groups.flatMap(({ start }, first) => {
    const found: Span[] = []
    let number = ''
    for (const group of groups.slice(first)) {
      number += row.slice(group.start, group.end)
      if (number.length > MAX_DIGITS) break
      if (findKnownPhone(number, known) !== null) found.push({ start, end: group.end })
    }
    return found
  })
}

/** Returns the known phone number with these digits, in normalized form, or `null` if there is none. */
export function findKnownPhone(digits: string, known: ReadonlySet<string>): string | null {
  if (digits.length < MIN_DIGITS) return null
  // The number might be international, with its `+` omitted.
  const forms = digits.startsWith('0') ? [digits] : [digits, `+${digits}`]
  return forms.map(comparablePhone).find((form) => known.has(form)) ?? null
}

/** Matches a card number. The search starts at the first hyphen, because hyphens are rare in text. */
const CARD = /-(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{5}-)[A-Za-z0-9]{8}-[A-Za-z0-9]{4}(?![A-Za-z0-9])/g

/**
 * Finds text of the form `XXXXX-XXXXXXXX-XXXX` in upper or lower case. Text without digits must be in upper case,
 * because it could otherwise be three ordinary words.
 */
export function findCards(text: string): Span[] {
  return spansOf(text, CARD)
    .map(({ start, end }) => ({ start: start - 5, end }))
    .filter(({ start, end }) => /\d|^[A-Z-]+$/.test(text.slice(start, end)))
}

const CARD_WORD = /[A-Za-z0-9][A-Za-z0-9-]{4,}[A-Za-z0-9]/g

/**
 * Finds known card numbers in upper or lower case, with or without hyphens, but not inside a longer word. The numbers
 * in `known` must be normalized by `comparableCard`.
 */
export function findKnownCards(text: string, known: ReadonlySet<string>): Span[] {
  if (known.size === 0 || !/\d/.test(text)) return []
  const found: Span[] = []
  for (const { 0: word, index } of text.matchAll(CARD_WORD))
    if (/\d/.test(word) && known.has(comparableCard(word))) found.push({ start: index, end: index + word.length })
  return found
}

/** The known phone and card numbers, normalized by `comparablePhone` and `comparableCard`. */
type KnownNumbers = { readonly phones: ReadonlySet<string>; readonly cards: ReadonlySet<string> }

/** Finds phone numbers that start with `+` or are known. */
export function findPhones(text: string, { phones }: KnownNumbers): Span[] {
  return [...findInternationalPhones(text), ...findKnownPhones(text, phones)]
}

/** Finds known card numbers and text that looks like a card number. */
export function findAllCards(text: string, { cards }: KnownNumbers): Span[] {
  return [...findCards(text), ...findKnownCards(text, cards)]
}

/**
 * Replaces spans of text. If spans overlap, replaces only the one that starts first, or the longest if several start at
 * the same position.
 */
export function replaceSpans(text: string, spans: readonly Span[], replacement: (found: string) => string): string {
  let made = ''
  let done = 0
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < done) continue
    made += text.slice(done, start) + replacement(text.slice(start, end))
    done = end
  }
  return made + text.slice(done)
}

function spansOf(text: string, pattern: RegExp): Span[] {
  const found: Span[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text))
    found.push({ start: match.index, end: pattern.lastIndex })
  return found
}
