type DecimalMark = '.' | ','

/**
 * The decimal mark that one amount implies. `any` means that the amount has none. `unsure` means that either mark is
 * possible, as in `1,234`.
 */
type ImpliedMark = DecimalMark | 'any' | 'unsure'

/**
 * Parses amounts such as `1,234.50`, `1.234,50`, `12.50-` and `€ 12`. Unambiguous amounts reveal the file's decimal
 * mark.
 */
export class AmountReader {
  #mark: DecimalMark | null = null
  #seenAt: { readonly line: number; readonly text: string } | null = null

  /**
   * Checks an amount and learns the file's decimal mark from it. Call this for every amount before you call `read`.
   * Returns an error message, or `null` if the amount is valid.
   */
  inspect(text: string, line: number): string | null {
    const written = splitAmount(text)
    const sign = written && impliedMarkOf(written.digits)
    if (sign === null) return `${JSON.stringify(text)} is not an amount`
    if (sign === 'any' || sign === 'unsure') return null
    if (this.#mark !== null && this.#mark !== sign)
      return `${JSON.stringify(text)} has a decimal ${nameOf(sign)}, but ${JSON.stringify(this.#seenAt?.text)} on line ${this.#seenAt?.line} has a decimal ${nameOf(this.#mark)}`
    this.#mark = sign
    this.#seenAt ??= { line, text }
    return null
  }

  /** Returns the amount as a decimal number, such as `-1234.50`, or an error message (`wrong`). */
  read(text: string): { readonly decimal: string } | { readonly wrong: string } {
    const { isNegative, digits } = splitAmount(text) ?? { isNegative: false, digits: '' }
    if (impliedMarkOf(digits) === 'unsure' && this.#mark === null) {
      const [first, second] = [digits.replace(/[.,]/g, ''), digits.replace(',', '.')]
      return { wrong: `${JSON.stringify(text)} may be ${first} or ${second}: write amounts with two decimal places` }
    }
    const mark = this.#mark ?? '.'
    const other = mark === '.' ? ',' : '.'
    const decimal = digits.replaceAll(other, '').replace(mark, '.')
    return { decimal: (isNegative ? '-' : '') + decimal }
  }
}

function nameOf(mark: DecimalMark): string {
  return mark === '.' ? 'point' : 'comma'
}

const CURRENCY = /^(?:[A-Z]{0,3}\p{Sc}|[A-Z]{3})\s*|\s*(?:\p{Sc}|[A-Z]{3})$/gu
/** Matches digits that are grouped in thousands by spaces of any kind or by apostrophes. */
const GROUPED_DIGITS = /^\d{1,3}(?:[\s'\u2019]\d{3})+(?![\d\s'\u2019])/u

/**
 * Splits an amount into its sign and its digits, with separators, such as `1.234,50`. Returns `null` for other text.
 */
function splitAmount(text: string) {
  const [, left = '', inner = ''] = /^(\()?(.*?)\)?$/s.exec(text.trim().replaceAll('\u2212', '-')) ?? []
  const isEnclosed = left === '(' && text.trim().endsWith(')')
  if ((left === '(') !== text.trim().endsWith(')')) return null
  const signed = /^([-+]?)(.*?)(-?)$/s.exec(inner.trim())
  let [, lead = '', body = '', tail = ''] = signed ?? []
  body = body.trim().replace(CURRENCY, '').trim()
  const own = /^[-+]/.exec(body)?.[0] ?? ''
  body = body.slice(own.length).trim()
  if ([lead, own, tail].filter((one) => one !== '').length > 1 || (isEnclosed && lead + own + tail !== '')) return null
  const parted = GROUPED_DIGITS.exec(body)?.[0] ?? ''
  const digits = parted.replace(/[\s'\u2019]/gu, '') + body.slice(parted.length)
  if (!/^\d[\d.,]*$/.test(digits)) return null
  return { isNegative: isEnclosed || [lead, own, tail].includes('-'), digits }
}

/** Returns the decimal mark that an amount's digits imply, or `null` if the text is not an amount. */
function impliedMarkOf(digits: string): ImpliedMark | null {
  if (/^\d+$/.test(digits)) return 'any'
  if (/^\d{1,3}(?:,\d{3})+\.\d+$/.test(digits) || /^\d{1,3}(?:,\d{3}){2,}$/.test(digits)) return '.'
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(digits)) return ','
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) return 'unsure'
  const [, mark] = /^\d+([.,])\d+$/.exec(digits) ?? []
  return mark === '.' || mark === ',' ? mark : null
}
