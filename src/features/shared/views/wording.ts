import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { amountText } from '../../../terminal/render/text/amount.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'

/** Returns the member at a dotted path as text, or '' if it is absent or `null`. */
export function textAt(record: JsonObject, path: string): string {
  return plainText(valueAt(record, path))
}

/** Joins the non-blank strings. */
export function joined(parts: readonly string[], separator: string): string {
  return parts.filter((part) => part.trim() !== '').join(separator)
}

/** Formats a count with its noun, such as `1 guest` or `4 guests`. Returns '' if the value is absent. */
export function counted(value: JsonValue | undefined, one: string, many: string): string {
  const count = plainText(value)
  return count === '' ? '' : `${count} ${count === '1' ? one : many}`
}

/** Formats an amount in currency units for display, unrounded, with the currency and at least two decimal places. */
export function money(amount: JsonValue | undefined, currency = ''): string {
  const written = amountText(amount)
  return written === '' ? '' : joined([currency, written], ' ')
}

export function moneyAt(path: string): (record: JsonObject) => string {
  return (record) => money(valueAt(record, path))
}

/** Returns whether an amount is a number other than zero. */
export function isNonZero(amount: JsonValue | undefined): boolean {
  return /[1-9]/.test(plainText(amount).replace(/[eE].*$/, ''))
}

/** Normalizes a code, so that `NO_SHOW` and `No show` become equal. */
export function bareCode(code: string | null): string {
  return (code ?? '').toLowerCase().replace(/[\s_-]+/g, '')
}

export function sameWord(a: string, b: string): boolean {
  return bareCode(a) === bareCode(b)
}

/** Converts a code to words, such as `AwaitingPayment` to `Awaiting payment` or `PreAuth` to `Pre-auth`. */
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
