import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { amountText } from '../../../terminal/render/text/amount.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'

/** The member at a dotted path, as text; '' when it is absent or null. */
export function textAt(record: JsonObject, path: string): string {
  return plainText(valueAt(record, path))
}

/** Joins the texts that are not blank. */
export function joined(parts: readonly string[], separator: string): string {
  return parts.filter((part) => part.trim() !== '').join(separator)
}

/** A count with its noun: `1 guest`, `4 guests`; '' when the value is absent. */
export function counted(value: JsonValue | undefined, one: string, many: string): string {
  const count = plainText(value)
  return count === '' ? '' : `${count} ${count === '1' ? one : many}`
}

/** An amount in currency units for people: the currency first, then every digit, with at least two decimals. */
export function money(amount: JsonValue | undefined, currency = ''): string {
  const written = amountText(amount)
  return written === '' ? '' : joined([currency, written], ' ')
}

export function moneyAt(path: string): (record: JsonObject) => string {
  return (record) => money(valueAt(record, path))
}

/** True when an amount is a number other than zero, whatever its sign. */
export function isNonZero(amount: JsonValue | undefined): boolean {
  return /[1-9]/.test(plainText(amount).replace(/[eE].*$/, ''))
}

/** Normalizes a code: `NO_SHOW` and `No show` become the same text. */
export function bareCode(code: string | null): string {
  return (code ?? '').toLowerCase().replace(/[\s_-]+/g, '')
}

export function sameWord(a: string, b: string): boolean {
  return bareCode(a) === bareCode(b)
}

/** A code as words: `AwaitingPayment` gives `Awaiting payment`, `PreAuth` gives `Pre-auth`. */
export function words(code: string): string {
  const spaced = code
    .replace(/^(E|Pre)(?=[A-Z][a-z])/, '$1-')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{2,})([A-Z][a-z])/g, '$1 $2')
    .replace(/_+/g, ' ')
  return spaced.replace(/(?<=[ -])[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase())
}

export function wordsAt(path: string): (record: JsonObject) => string {
  return (record) => words(textAt(record, path))
}
