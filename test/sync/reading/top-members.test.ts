import { expect, test } from 'vitest'
import { topStrings } from '../../../src/sync/reading/top-members.ts'

const NAMES = ['id', 'date'] as const

test.each([
  ['{}', [undefined, undefined]],
  ['{"id":"a","date":"b"}', ['a', 'b']],
  ['{ "date" : "b" , "x" : [ {"id":"no"}, "id", "}" ] , "id"\t:\r\n"a" }', ['a', 'b']],
  ['{"x":{"id":"no","date":"no"},"y":"\\"id\\":\\"no\\"","id":"a"}', ['a', undefined]],
  ['{"id":"first","id":"last"}', ['last', undefined]],
  ['{"id":7,"date":-1.50}', ['7', '-1.50']],
  ['{"id":null,"date":true}', [undefined, undefined]],
  ['{"id":"\\u0041\\\\","date":"\\"}\\""}', ['A\\', '"}"']],
  ['{"a\\\\":"\\\\","id":"a"}', null],
  ['{"\\u0069d":"a"}', null],
  ['[{"id":"a"}]', null],
  ['null', null],
  ['{"id', null],
  ['{"id"', null],
  ['{"id":', null],
  ['{"id":"a', null],
  ['{"id":"a\\"}', null],
  ['{"x":[1,{"y":"z', null],
  ['{"x":[1,2', null],
  ['{"id":12', null],
])('topStrings reads %s', (text, found) => {
  expect(topStrings(text, NAMES)).toEqual(found)
})

test('topStrings returns the same strings as JSON.parse for 2,000 random records', () => {
  const texts = ['"a"', '"}"', '"\\\\"', '"\\""', '""']
  const parts = [...texts, '1e5', 'null', '[1,[2,{"id":"x"}]]', '{"date":{"id":"y"}}', '[]']
  let seed = 7
  const next = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31
    return seed % below
  }
  for (let round = 0; round < 2000; round++) {
    const space = ['', ' ', '\n  '][next(3)] ?? ''
    const members = Array.from({ length: next(6) }, () => {
      const name = ['id', 'date', 'other', 'Id', ''][next(5)]
      return `${space}"${name}"${space}:${space}${parts[next(parts.length)]}${space}`
    })
    const text = `{${members.join(',')}${space}}`
    const parsed = JSON.parse(text) as Record<string, unknown>
    const expected = NAMES.map((name) => {
      const value = Object.hasOwn(parsed, name) ? parsed[name] : undefined
      return typeof value === 'string' ? value : typeof value === 'number' ? '1e5' : undefined
    })
    expect(topStrings(text, NAMES), text).toEqual(expected)
  }
})

test('topStrings neither throws nor hangs on damaged records', () => {
  const whole = '{"id":"a","x":[1,{"y":"z\\""}],"date":null}'
  for (let at = 0; at < whole.length; at++)
    for (const damaged of [whole.slice(0, at), whole.slice(at), whole.slice(0, at) + whole.slice(at + 1)])
      expect(() => topStrings(damaged, NAMES)).not.toThrow()
})
