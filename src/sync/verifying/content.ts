import { hash } from 'node:crypto'
import { isJsonObject, type JsonValue, numberText, parseExact, withoutExponent } from '../../base/json/exact.ts'

/** So many bytes of a hash fit a number, with room for marks beside them. */
const DIGEST_BYTES = 6

/**
 * Names what a record says, in 48 bits: the same for two texts that differ only in spaces, the order of members, or how a number is
 * written, as a database may keep them. What PostgreSQL cannot hold counts as what it keeps in its place.
 */
export function contentDigest(text: string): number {
  return hash('sha1', canonical(parseExact(text)), 'buffer').readUIntBE(0, DIGEST_BYTES)
}

function canonical(value: JsonValue | undefined): string {
  if (typeof value === 'string') return stringText(value)
  const number = numberText(value)
  if (number !== null) return plainNumber(number)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isJsonObject(value)) return String(value)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${stringText(name)}:${canonical(value[name])}`)
  return `{${members.join()}}`
}

function stringText(text: string): string {
  return JSON.stringify(text.toWellFormed().replaceAll('\0', '\ufffd'))
}

/** `25.00` and `2.5e1` are `25`, and `-0` is `0`. */
function plainNumber(text: string): string {
  const plain = withoutExponent(text)
  const short = plain.includes('.') && !/e/i.test(plain) ? plain.replace(/\.?0+$/, '') : plain
  return short === '-0' ? '0' : short
}
