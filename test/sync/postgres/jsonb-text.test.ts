import { expect, test } from 'vitest'
import { literal } from '../../../src/postgres/literal.ts'
import { jsonbText } from '../../../src/sync/reading/jsonb-text.ts'
import { needs } from '../../support/needs.ts'
import { POSTGRES, postgresServer } from '../../support/postgres.ts'

needs(POSTGRES)
const server = postgresServer()

const PARTS = [
  '"a"',
  '"it\'s \\"é😀\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u0001 \\u001f \\u007f \\u00e9 \\ud83d\\ude00 \\u2028"',
  '"\u007f\u2028\ufffd"',
  '""',
  '0',
  '-1',
  '25.00',
  '0.50',
  '12345678901234567890.5',
  '1234567.000001',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  ' [ 1 , "x" , { } , [ ] ] ',
  '\t{ "b" : 1 , "aa" : 2 , "a" : { "z" : [ { "y" : 1 , "x" : 2 } ] , "é" : 3 , "zz" : 4 } }\r',
]
const UNUSUAL = ['1e2', '2.5E-3', '-0', '-0.5', '{"a":1,"a":2}', '{"\\u0061":1}', '{"a\\"":1}']

/** Objects and lists with three values each. jsonb sorts member names by length first, not alphabetically. */
const objects = PARTS.flatMap((one, at) => {
  const [second, third] = [PARTS[(at * 7 + 3) % PARTS.length], PARTS[(at * 5 + 1) % PARTS.length]]
  return [
    `{"name":${one},"ID":${second},"people":${third}}`,
    `[${one},${second},{"é":${third},"e":${one},"ab":${second}}]`,
  ]
})

test('jsonbText formats JSON as PostgreSQL prints jsonb, or returns null if that is not possible', async () => {
  const url = await server.database()
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`n${(at * 37) % 150}`, at])))
  for (const text of [...PARTS, ...objects, many, '['.repeat(200) + ']'.repeat(200)]) {
    const [row] = await server.query(url, `SELECT ${literal(text)}::jsonb::text AS text`)
    expect(jsonbText(Buffer.from(text))?.toString(), text).toBe(row?.['text'])
  }
  for (const text of UNUSUAL)
    for (const around of [text, `[1,${text}]`, `{"b":[{"c":${text}}],"a":2}`])
      expect(jsonbText(Buffer.from(around)), around).toBeNull()
  expect(jsonbText(Buffer.from('{"b":25.00,"a":[1.50,0.0,10,"2.0"]}'), true)?.toString()).toBe(
    '{"a": [1.5, 0, 10, "2.0"], "b": 25}',
  )
})

test('jsonbText replaces characters that jsonb cannot store and returns null for an object with too many members', () => {
  expect(jsonbText(Buffer.from('["\\u0000 \\ud800"]'))?.toString()).toBe('["\ufffd \ufffd"]')
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`n${at}`, at])))
  expect(jsonbText(Buffer.from(many))).toBeNull()
})
