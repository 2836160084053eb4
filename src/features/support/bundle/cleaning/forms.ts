import { formatCount } from '../../../../base/counted.ts'
import { WEBHOOK_EVENTS } from '../../../../contract/events.ts'
import { GIFT_CARD_FORMATS, GIFT_CARD_PAYMENT_TYPES, GIFT_CARD_STATUSES } from '../../../../contract/giftcards.ts'
import { SALE_TYPES } from '../../../../contract/sales.ts'

/** Returns the marker that replaces dropped text, such as `[dropped: 34 characters]`. */
export function droppedMarker(text: string, of = ''): string {
  return `[dropped: ${formatCount(text.length, 'character')}${of}]`
}

const ID = /^[A-Za-z0-9._:~-]{1,128}$/
/** The codes that the contract defines, in lower case. They are kept even if a guest is named Active or Cash. */
const KNOWN_CODES = new Set(
  [
    ...[...GIFT_CARD_STATUSES, ...GIFT_CARD_FORMATS, ...GIFT_CARD_PAYMENT_TYPES, ...WEBHOOK_EVENTS, ...SALE_TYPES],
    ...'online phone walkin pos standard confirmed cancelled unconfirmed arrived seated noshow finished'.split(' '),
    ...'card cash preauth deposit fullpayment functionpayment nopayment error submitted asc desc'.split(' '),
  ].map((code) => code.toLowerCase()),
)

/** Returns whether text is a code that the contract defines. */
export function isKnownCode(text: string): boolean {
  return KNOWN_CODES.has(text.toLowerCase())
}

/** Matches a code of at most two words. */
const CODE = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,39}(?: [A-Za-z0-9_.:-]{1,20})?$/
/** Matches a date or time in any ISO 8601 format. */
const TIME = /^\d{4}-\d\d(?:-\d\d)?(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)? ?(?:Z|[+-]\d\d:?\d\d)?(?:\[[\w/+-]+\])?$/
const OTHER_TIME =
  /^(?:\d{1,4}[/.]\d{1,2}[/.]\d{1,4}(?:,? \d\d?:\d\d(?::\d\d)?)?|\d\d?:\d\d(?::\d\d)?)(?: ?[AP]M)?$|^\/Date\(-?\d+\)\/$|^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/i
const NUMBER = /^-?\d{1,9}(?:\.\d{1,6})?$/
const LONGEST_WORD = 80

export const HAS_FORM = {
  id: (text: string) => ID.test(text),
  place: (text: string) => ID.test(text),
  code: (text: string) => CODE.test(text),
  time: (text: string) => TIME.test(text) || OTHER_TIME.test(text),
  number: (text: string) => NUMBER.test(text),
  word: (text: string) => text.length <= LONGEST_WORD && !text.includes('://'),
} as const
