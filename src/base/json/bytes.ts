/** The structural bytes of JSON. The innermost loops (in scan.ts and boundary.ts) use literals instead, for speed. */
export const BYTE = {
  QUOTE: 0x22,
  COMMA: 0x2c,
  MINUS: 0x2d,
  ZERO: 0x30,
  NINE: 0x39,
  COLON: 0x3a,
  OPEN_BRACKET: 0x5b,
  CLOSE_BRACKET: 0x5d,
  OPEN_BRACE: 0x7b,
  CLOSE_BRACE: 0x7d,
} as const

export const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf]

export function withoutByteOrderMark<B extends Uint8Array>(bytes: B): B {
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)
  return isMarked ? (bytes.subarray(BYTE_ORDER_MARK.length) as B) : bytes
}

export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Returns the index of the first byte that is not whitespace, or `to` if there is none. */
export function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(bytes[at] as number)) at++
  return at
}

export function beginsValue(byte: number): boolean {
  return describeKind(byte) !== 'not JSON'
}

/** Returns whether a value that begins with this byte needs a closing byte, as objects, lists and strings do. */
export function hasClosingByte(first: number | undefined): boolean {
  return first === BYTE.OPEN_BRACE || first === BYTE.OPEN_BRACKET || first === BYTE.QUOTE
}

/** Describes the kind of value that begins with this byte, for example `an object`, `null` or `not JSON`. */
export function describeKind(byte: number): string {
  if (byte === BYTE.OPEN_BRACE) return 'an object'
  if (byte === BYTE.OPEN_BRACKET) return 'a list'
  if (byte === BYTE.QUOTE) return 'a string'
  if (byte === BYTE.MINUS || (byte >= BYTE.ZERO && byte <= BYTE.NINE)) return 'a number'
  if (byte === 0x6e) return 'null'
  return byte === 0x74 || byte === 0x66 ? 'true or false' : 'not JSON'
}
