import { expect, test } from 'vitest'
import { readJsonText } from '../../../src/base/json/json-text.ts'
import { minify } from '../../../src/base/json/minify.ts'
import { RecordStreamError } from '../../../src/base/json/record-stream-error.ts'
import { RandomJson, seededRandom } from './seeded.ts'

test('readJsonText removes a byte order mark from a valid body and changes nothing else', () => {
  expect(readJsonText(Buffer.from(' {"a": 25.00}\n'))).toBe(' {"a": 25.00}\n')
  expect(readJsonText(Buffer.from('\ufeff[]'))).toBe('[]')
  expect(readJsonText(Buffer.from('12'))).toBe('12')
  expect(readJsonText(Buffer.from('"\ufffd"'))).toBe('"\ufffd"')
})

test.each([
  ['an empty body', '', 'truncated', 'the response is empty'],
  ['a body with only a byte order mark', '\ufeff', 'truncated', 'the response is empty'],
  ['a truncated object', '{"a":1', 'truncated', 'the response ends too early'],
  ['a truncated string', '"abc', 'truncated', 'the response ends too early'],
  ['an extra closing brace', '{"a":1}}', 'malformed', 'the response is not valid JSON'],
  ['a member name without quotes', '{a:1}', 'malformed', 'the response is not valid JSON'],
  ['a truncated null', 'nul', 'malformed', 'the response is not valid JSON'],
  ['plain text', 'Internal Server Error', 'malformed', 'the response is not JSON'],
  ['400,000 opening brackets', '[['.repeat(200_000), 'too-deep', 'the response is nested more than 256 levels deep'],
])('readJsonText rejects %s', (_what, text, kind, message) => {
  const error = problemOf(Buffer.from(text))
  expect([error.kind, error.message]).toEqual([kind, message])
})

test('readJsonText rejects bytes that are not UTF-8', () =>
  expect(problemOf(Buffer.from([0x22, 0xff, 0x22])).kind).toBe('bad-utf8'))

test('readJsonText accepts a body if and only if JSON.parse does', () => {
  const random = new RandomJson(seededRandom(8259))
  let refused = 0
  for (let round = 0; round < 2000; round++) {
    const value = random.value()
    const cut = random.below(value.length)
    const text = round % 2 === 0 ? value : value.slice(0, cut) + value.slice(cut + 1)
    // Skip lone surrogates, which cannot be encoded as UTF-8.
    if (!text.isWellFormed()) continue
    if (!parses(text)) refused++
    expect([text, accepted(text)]).toEqual([text, parses(text)])
  }
  expect(refused).toBeGreaterThan(300)
})

test('minify removes only the whitespace between tokens', () => {
  expect(minify('{ "a b" : [ 1.50 ,\t-0 , "x \\" y\\\\" ] }\n')).toBe('{"a b":[1.50,-0,"x \\" y\\\\"]}')
  const compact = '{"a":"b c","d":[1,2]}'
  expect(minify(compact)).toBe(compact)
})

test('minify removes all whitespace outside strings without changing the value', () => {
  const random = new RandomJson(seededRandom(7))
  for (let round = 0; round < 500; round++) {
    const text = random.space() + random.value() + random.space()
    const small = minify(text)
    expect(JSON.parse(small)).toEqual(JSON.parse(text))
    expect(small.replace(/"(?:[^"\\]|\\.)*"/g, '')).not.toMatch(/\s/)
    expect(minify(JSON.stringify(JSON.parse(text), null, 2))).toBe(JSON.stringify(JSON.parse(text)))
  }
})

function problemOf(bytes: Uint8Array): RecordStreamError {
  try {
    readJsonText(bytes)
  } catch (error) {
    if (error instanceof RecordStreamError) return error
  }
  throw new Error('the body was accepted')
}

function accepted(text: string): boolean {
  try {
    return readJsonText(Buffer.from(text)) === text
  } catch {
    return false
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
