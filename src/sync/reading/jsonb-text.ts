import { parseJson } from '../../base/json/parse.ts'
import { cleanText } from '../tables/values.ts'

const [SPACE, QUOTE, COMMA, POINT, COLON, BACKSLASH] = [0x20, 0x22, 0x2c, 0x2e, 0x3a, 0x5c]

/** Thrown for JSON that PostgreSQL reformats in a way that this module does not reproduce. */
const UNUSUAL = new Error('unusual JSON')
/** The maximum number of members in an object. It is limited because sorting them takes quadratic time. */
const MOST_MEMBERS = 200
/** Up to this many bytes, a loop is faster than a call to `copy`. */
const SHORT = 64

let text = Buffer.alloc(0)
let length = 0
/** A buffer for sorting members. */
let sortBuffer = Buffer.alloc(0)
/**
 * The members of the objects being written, as three indexes each: the member's start, the end of its name, and the end
 * of its value.
 */
let members = new Int32Array(3 * MOST_MEMBERS)
let used = 0
/** How many of the strings written so far contain escapes. */
let escaped = 0
let dropsZeros = false

/**
 * Formats valid JSON as PostgreSQL prints `jsonb`. If `isPlain` is true, writes 25.00 as 25. Returns `null` for JSON
 * that it cannot format: a number that has an exponent or may be minus zero, a member name that contains escapes or is
 * repeated, or an object with too many members. The buffer is valid until the next call.
 */
export function jsonbText(json: Buffer, isPlain = false): Buffer | null {
  // The result can be longer than the input, because PostgreSQL adds a space after each comma and colon.
  if (text.length < 2 * json.length) [text, sortBuffer] = [Buffer.alloc(4 * json.length), Buffer.alloc(4 * json.length)]
  length = 0
  used = 0
  dropsZeros = isPlain
  try {
    writeValue(json, skip(json, 0))
    return text.subarray(0, length)
  } catch (error) {
    if (error === UNUSUAL) return null
    throw error
  }
}

function skip(json: Buffer, from: number): number {
  let at = from
  while ((json[at] as number) <= SPACE) at++
  return at
}

/** Writes a value. Returns the index after the value, as the other `write` functions do. */
function writeValue(json: Buffer, from: number): number {
  const first = json[from] as number
  if (first === QUOTE) return writeString(json, from)
  if (first === 0x7b /* { */) return writeObject(json, from)
  if (first === 0x5b /* [ */) return writeList(json, from)
  if (first === 0x2d /* - */ && json[from + 1] === 0x30 /* 0 */) throw UNUSUAL
  const isNumber = first <= 0x39
  let hasPoint = false
  let at = from
  for (; ; at++) {
    const byte = json[at] ?? SPACE
    if (byte <= COMMA || byte === 0x5d || byte === 0x7d) break
    if (isNumber && byte > 0x39 /* e */) throw UNUSUAL
    hasPoint ||= byte === POINT
    text[length++] = byte
  }
  if (hasPoint && dropsZeros) {
    while (text[length - 1] === 0x30) length--
    if (text[length - 1] === POINT) length--
  }
  return at
}

function writeString(json: Buffer, from: number): number {
  // In this loop, local variables are much faster than the module's variables.
  const out = text
  let to = length
  out[to++] = QUOTE
  for (let at = from + 1; ; at++) {
    const byte = json[at] as number
    if (byte === BACKSLASH) return writeEscapes(json, from, at)
    out[to++] = byte
    if (byte !== QUOTE) continue
    length = to
    return at + 1
  }
}

function writeEscapes(json: Buffer, from: number, backslash: number): number {
  let end = backslash
  for (; json[end] !== QUOTE; end++) if (json[end] === BACKSLASH) end++
  const value: string = parseJson(json.toString('utf8', from, end + 1))
  length += text.write(JSON.stringify(cleanText(value)), length)
  escaped++
  return end + 1
}

function writeList(json: Buffer, from: number): number {
  text[length++] = 0x5b
  let at = skip(json, from + 1)
  while (json[at] !== 0x5d /* ] */) {
    if (json[at] === COMMA) {
      text[length++] = COMMA
      text[length++] = SPACE
      at = skip(json, at + 1)
    }
    at = skip(json, writeValue(json, at))
  }
  text[length++] = 0x5d
  return at + 1
}

function writeObject(json: Buffer, from: number): number {
  text[length++] = 0x7b
  const [start, first] = [length, used]
  let at = skip(json, from + 1)
  while (json[at] !== 0x7d /* } */) {
    if (json[at] === COMMA) at = skip(json, at + 1)
    const [name, before] = [length, escaped]
    at = skip(json, writeString(json, at))
    if (escaped !== before || used - first === 3 * MOST_MEMBERS) throw UNUSUAL
    const nameEnd = length
    text[length++] = COLON
    text[length++] = SPACE
    if (used === members.length) members = Int32Array.from({ length: 2 * used }, (_, at) => members[at] ?? 0)
    const slot = used
    used += 3
    at = skip(json, writeValue(json, skip(json, at + 1)))
    insertSorted(first, slot, name, nameEnd)
  }
  joinMembers(start, first)
  used = first
  text[length++] = 0x7d
  return at + 1
}

/** Inserts the last member into the sorted members before it. */
function insertSorted(first: number, last: number, name: number, nameEnd: number): void {
  const all = members
  let slot = last
  for (; slot > first; slot -= 3) {
    const order = compareNames(text, all[slot - 3] as number, all[slot - 2] as number, name, nameEnd)
    if (order === 0) throw UNUSUAL
    if (order < 0) break
    all[slot] = all[slot - 3] as number
    all[slot + 1] = all[slot - 2] as number
    all[slot + 2] = all[slot - 1] as number
  }
  all[slot] = name
  all[slot + 1] = nameEnd
  all[slot + 2] = length
}

/** Compares names in `jsonb` order: shorter names come first. */
function compareNames(names: Buffer, one: number, oneEnd: number, other: number, otherEnd: number): number {
  let order = oneEnd - one - (otherEnd - other)
  for (let at = 0; order === 0 && at < oneEnd - one; at++)
    order = (names[one + at] as number) - (names[other + at] as number)
  return order
}

function joinMembers(start: number, first: number): void {
  const [from, into] = [text, sortBuffer]
  let to = 0
  for (let slot = first; slot < used; slot += 3) {
    if (slot > first) {
      into[to++] = COMMA
      into[to++] = SPACE
    }
    const end = members[slot + 2] as number
    let at = members[slot] as number
    if (end - at > SHORT) to += from.copy(into, to, at, end)
    else while (at < end) into[to++] = from[at++] as number
  }
  sortBuffer.copy(text, start, 0, to)
  length = start + to
}
