import { describe, expect, test } from 'vitest'
import { openQuery } from '../../../../src/terminal/input/query.ts'

const BACKSLASH = '\\'
const FOO = '{"foo":[{"name":"a"},{"name":"b"}],"bar":{"baz":"qux"}}'

/** Test cases for literals, copied from the JMESPath compliance suite. Each is an expression with its result. */
const CASES: readonly (readonly [string, unknown])[] = [
  ['`"foo"`', 'foo'],
  [`\`"${BACKSLASH}u03a6"\``, 'Φ'],
  ['`"✓"`', '✓'],
  ['`[1, 2, 3]`', [1, 2, 3]],
  ['`{"a": "b"}`', { a: 'b' }],
  ['`true`', true],
  ['`false`', false],
  ['`null`', null],
  ['`0`', 0],
  ['`9`', 9],
  [`\`"foo${BACKSLASH}\`bar"\``, 'foo`bar'],
  [`\`"foo${BACKSLASH}"bar"\``, 'foo"bar'],
  [`\`"1${BACKSLASH}\`"\``, '1`'],
  [`\`"${BACKSLASH}${BACKSLASH}"\`.{a:\`"b"\`}`, { a: 'b' }],
  ['`{"a": "b"}`.a', 'b'],
  ['`{"a": {"b": "c"}}`.a.b', 'c'],
  ['`[0, 1, 2]`[1]', 1],
  ['`  {"foo": true}`', { foo: true }],
  ['`{"foo": true}   `', { foo: true }],
  ["'foo'", 'foo'],
  ["'  foo  '", '  foo  '],
  ["'0'", '0'],
  ["'newline\n'", 'newline\n'],
  ["'\n'", '\n'],
  ["'✓'", '✓'],
  ["'𝄞'", '𝄞'],
  ["'  [foo]  '", '  [foo]  '],
  ["'[foo]'", '[foo]'],
  [`'${BACKSLASH}u03a6'`, `${BACKSLASH}u03a6`],
  [`'foo${BACKSLASH}'bar'`, "foo'bar"],
  [`'${BACKSLASH}z'`, `${BACKSLASH}z`],
  [`'${BACKSLASH}${BACKSLASH}'`, BACKSLASH + BACKSLASH],
]

describe('JMESPath literals', () => {
  test.each(CASES)('--query evaluates the JMESPath literal %s', (expression, result) => {
    expect(JSON.parse(openQuery(expression).apply(FOO).json)).toEqual(result)
  })

  test('--query rejects a JMESPath literal after a dot', () => expect(() => openQuery('foo.`"bar"`')).toThrow())

  test('backslashes are escape characters in quoted JMESPath names and in JSON literals', () => {
    expect(openQuery(`"a${BACKSLASH}${BACKSLASH}'b"`).apply(JSON.stringify({ [`a${BACKSLASH}'b`]: 1 })).json).toBe('1')
    expect(openQuery(`[\`"'"\`, 'x${BACKSLASH}${BACKSLASH}y', \`"'"\`]`).apply('0').json).toBe(
      JSON.stringify(["'", `x${BACKSLASH}${BACKSLASH}y`, "'"]),
    )
  })
})
