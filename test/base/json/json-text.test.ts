import { expect, test } from 'vitest'
import { readJsonText } from '../../../src/base/json/json-text.ts'
import { minify } from '../../../src/base/json/minify.ts'
import { RecordStreamError } from '../../../src/base/json/record-stream-error.ts'
import { RandomJson, seededRandom } from './seeded.ts'

test('a valid answer is returned as its text, without a byte order mark', () => {
  expect(readJsonText(Buffer.from(' {"a": 25.00}\n'))).toBe(' {"a": 25.00}\n')
  expect(readJsonText(Buffer.from('\ufeff[]'))).toBe('[]')
  expect(readJsonText(Buffer.from('12'))).toBe('12')
  expect(readJsonText(Buffer.from('"\ufffd"'))).toBe('"\ufffd"')
})

test.each([
  ['nothing', '', 'truncated', 'the answer is empty'],
  ['only a byte order mark', '\ufeff', 'truncated', 'the answer is empty'],
  ['an object that is cut off', '{"a":1', 'truncated', 'the answer stops before its end'],
  ['a string that is cut off', '"abc', 'truncated', 'the answer stops before its end'],
  ['a brace too many', '{"a":1}}', 'malformed', 'the answer is not valid JSON'],
  ['a member name without quotes', '{a:1}', 'malformed', 'the answer is not valid JSON'],
  ['a word that is cut off', 'nul', 'malformed', 'the answer is not valid JSON'],
  ['a plain text', 'Internal Server Error', 'malformed', 'the answer is not JSON'],
  ['400,000 brackets', '[['.repeat(200_000), 'too-deep', 'the answer is nested more than 256 levels deep'],
])('%s is refused', (_what, text, kind, message) => {
  const error = problemOf(Buffer.from(text))
  expect([error.kind, error.message]).toEqual([kind, message])
})

test('bytes that are not UTF-8 are refused', () =>
  expect(problemOf(Buffer.from([0x22, 0xff, 0x22])).kind).toBe('bad-utf8'))

test('an answer is accepted exactly when JSON.parse accepts it', () => {
  const random = new RandomJson(seededRandom(8259))
  let refused = 0
  for (let round = 0; round < 2000; round++) {
    const value = random.value()
    const cut = random.below(value.length)
    const text = round % 2 === 0 ? value : value.slice(0, cut) + value.slice(cut + 1)
    // Half of a surrogate pair cannot be written as UTF-8.
    if (!text.isWellFormed()) continue
    if (!parses(text)) refused++
    expect([text, accepted(text)]).toEqual([text, parses(text)])
  }
  expect(refused).toBeGreaterThan(300)
})

test('removes white space between tokens, and nothing else', () => {
  expect(minify('{ "a b" : [ 1.50 ,\t-0 , "x \\" y\\\\" ] }\n')).toBe('{"a b":[1.50,-0,"x \\" y\\\\"]}')
  const compact = '{"a":"b c","d":[1,2]}'
  expect(minify(compact)).toBe(compact)
})

test('a minified text has no white space left outside strings and means the same', () => {
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
  throw new Error('the answer was accepted')
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
