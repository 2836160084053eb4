import { isJsonObject, type JsonValue } from '../../../base/json/exact.ts'
import { plainText } from '../../render/text/plain-text.ts'

const TEXTS = ['firstName', 'lastName', 'fullName', 'email'] as const
const PHONES = ['phone', 'phoneNational', 'phone2'] as const

/** ASCII replacements for letters that Unicode cannot decompose into a base letter and an accent. */
const LETTERS = new Map(Object.entries({ ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ı: 'i', ð: 'd', þ: 'th' }))
const APOSTROPHES = /[\u0027\u2019\u02bc\u0060]/g

const PHONE_NUMBER = /^[\d\s+()./-]+$/
const SHORTEST_NUMBER = 3
const LONG_NUMBER = 6

/**
 * Returns a function that tests whether a customer's name, email or phone number matches, ignoring case, accents and
 * digit grouping. `more` lists additional members to search.
 */
export function customerMatcher(text: string, more: readonly string[] = []) {
  const words = plain(text).split(' ')
  const number = PHONE_NUMBER.test(text.normalize('NFKC')) ? digitsOf(text) : ''
  return (customer: JsonValue | undefined): boolean => {
    if (!isJsonObject(customer)) return false
    const whole = plain([...TEXTS, ...more].map((member) => plainText(customer[member])).join(' '))
    if (words.every((word) => whole.includes(word))) return true
    const isPhone = (member: string) => matchesPhone(number, digitsOf(plainText(customer[member])))
    return number.length >= SHORTEST_NUMBER && PHONES.some(isPhone)
  }
}

/** Normalizes text for comparison: lower case, no accents and single spaces. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(APOSTROPHES, '')
    .toLowerCase()
    .replace(/[\u00df-\u0153]/g, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/\s+/g, ' ')
    .trim()
}

function digitsOf(text: string): string {
  return text.normalize('NFKC').replace(/\D+/g, '')
}

/** Returns whether `number` is part of a phone number, even if one has a country code and the other a leading 0. */
function matchesPhone(number: string, known: string): boolean {
  if (known === '') return false
  if (known.includes(number)) return true
  const [local, knownLocal] = [number.replace(/^0+/, ''), known.replace(/^0+/, '')]
  const isNational = local !== number && local.length >= SHORTEST_NUMBER
  if (isNational && COUNTRY_CODE_LENGTHS.some((length) => known.startsWith(local, length))) return true
  return knownLocal.length >= LONG_NUMBER && number.endsWith(knownLocal)
}

const COUNTRY_CODE_LENGTHS = [1, 2, 3] as const
