import type { Span } from '../../../base/redaction/secret-finder.ts'
import { comparableCard, comparablePhone } from './comparable.ts'

const LOCAL = /[\p{L}\p{N}._%+'\u2019-]/u
const DOMAIN = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/u
/** Longer than the parts of any address. */
const MOST_LOCAL = 64
const MOST_DOMAIN = 255

/** The e-mail addresses in a text. It looks around each `@`, so that a long text without any costs nothing. */
export function findEmails(text: string): Span[] {
  const found: Span[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let start = at
    while (start > 0 && at - start < MOST_LOCAL && LOCAL.test(text[start - 1] ?? '')) start--
    const domain = DOMAIN.exec(text.slice(at + 1, at + 1 + MOST_DOMAIN))?.[0]
    if (start < at && domain !== undefined) found.push({ start, end: at + 1 + domain.length })
  }
  return found
}

/** `+` and eight or more digits, as people write them: `+61 (0)400-000.000`. Times and IDs have no `+`, or fewer digits behind it. */
const INTERNATIONAL = /\+[ \u00a0().\-/]{0,2}\d(?:[ \u00a0().\-/]{0,2}\d){7,}/g

/** The phone numbers in a text that a `+` marks as such. */
export function findInternationalPhones(text: string): Span[] {
  return spansOf(text, INTERNATIONAL)
}

/** Fewer digits are no phone number that could be told from any other number. */
export const FEWEST_DIGITS = 8
const MOST_DIGITS = 20

/** As many digits as the shortest number has, with what people put between them. */
const LONG_NUMBER = /\d(?:[ \u00a0().\-/]{0,3}\d){7,}/g

/**
 * Returns where a text has phone numbers that are known, in their international or their national form. A longer number that contains
 * one is a different number.
 * @param known the numbers, as `comparablePhone` returns them.
 */
export function findKnownPhones(text: string, known: ReadonlySet<string>): Span[] {
  if (known.size === 0) return []
  return spansOf(text, LONG_NUMBER).flatMap(({ start, end }) =>
    knownWithin(text.slice(start, end), known).map((span) => ({ start: start + span.start, end: start + span.end })),
  )
}

/** The same within one row of digits: a number may begin and end at each of its groups. */
function knownWithin(row: string, known: ReadonlySet<string>): Span[] {
  const groups = spansOf(row, /\d+/g)
  return groups.flatMap(({ start }, first) => {
    const found: Span[] = []
    let number = ''
    for (const group of groups.slice(first)) {
      number += row.slice(group.start, group.end)
      if (number.length > MOST_DIGITS) break
      if (findKnownPhone(number, known) !== null) found.push({ start, end: group.end })
    }
    return found
  })
}

/**
 * Returns which of the known phone numbers some digits are; `null` if they are none.
 * @param known the numbers, as `comparablePhone` returns them.
 */
export function findKnownPhone(digits: string, known: ReadonlySet<string>): string | null {
  if (digits.length < FEWEST_DIGITS) return null
  // Whether an international number lacks its `+` cannot be seen. One that starts with 0 has none to lack.
  const forms = digits.startsWith('0') ? [digits] : [digits, `+${digits}`]
  return forms.map(comparablePhone).find((form) => known.has(form)) ?? null
}

const CARD = /(?<![A-Za-z0-9])[A-Za-z0-9]{5}-[A-Za-z0-9]{8}-[A-Za-z0-9]{4}(?![A-Za-z0-9])/g

/** The card numbers in a text: `XXXXX-XXXXXXXX-XXXX`, in any case. Three lower-case words of such lengths are none. */
export function findCards(text: string): Span[] {
  return spansOf(text, CARD).filter(({ start, end }) => /\d|^[A-Z-]+$/.test(text.slice(start, end)))
}

const CARD_WORD = /[A-Za-z0-9][A-Za-z0-9-]{4,}[A-Za-z0-9]/g

/**
 * Returns where a text has card numbers that are known, with or without hyphens and in any case. A longer word that contains one is a
 * different word.
 * @param known the numbers, as `comparableCard` returns them.
 */
export function findKnownCards(text: string, known: ReadonlySet<string>): Span[] {
  if (known.size === 0 || !/\d/.test(text)) return []
  const found: Span[] = []
  for (const { 0: word, index } of text.matchAll(CARD_WORD))
    if (/\d/.test(word) && known.has(comparableCard(word))) found.push({ start: index, end: index + word.length })
  return found
}

/** The phone and card numbers that are known, as `comparablePhone` and `comparableCard` return them. */
interface KnownNumbers {
  readonly phones: ReadonlySet<string>
  readonly cards: ReadonlySet<string>
}

/** The phone numbers in a text: those that a `+` marks, and those that are known. */
export function findPhones(text: string, { phones }: KnownNumbers): Span[] {
  return [...findInternationalPhones(text), ...findKnownPhones(text, phones)]
}

/** The card numbers in a text: those that look like one, and those that are known. */
export function findAllCards(text: string, { cards }: KnownNumbers): Span[] {
  return [...findCards(text), ...findKnownCards(text, cards)]
}

/** Replaces what stands at these places, which may overlap; then the one that begins first counts, or else the longer one. */
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
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ start: index, end: index + found.length }))
}
