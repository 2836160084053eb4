import { describe, expect, test } from 'vitest'
import { WireRecord } from '../../../../src/base/json/list/wire-record.ts'
import { delimitedLines } from '../../../../src/terminal/render/formats/delimited.ts'
import { open, pipe, printed, terminal } from '../printed.ts'

const RECORDS = ['{"id":"a","deep":{"er":true},"list":[1.50,{"x":"y"}]}', '{"id":"b"}']

const cell = (value: unknown) => fieldOf(value, 'csv')

const tabbed = (value: unknown) => fieldOf(value, 'tsv')

async function fieldOf(value: unknown, format: 'csv' | 'tsv'): Promise<string> {
  const text = await printed({ format, columns: ['a', 'b'] }, [JSON.stringify({ a: value, b: 'end' })])
  return text.slice('a,b\n'.length, -',end\n'.length)
}

test.each(['csv', 'tsv'] as const)('--no-header omits the header row in %s', async (format) => {
  expect(await printed({ format, columns: ['a'], headerless: true }, ['{"a":1}'])).toBe('1\n')
  expect(await printed({ format, columns: ['a'], headerless: true }, [])).toBe('')
})

describe('lists in CSV', () => {
  test('CSV has a header row, LF line endings, and dotted paths for nested members', async () =>
    expect(await printed({ format: 'csv' }, RECORDS)).toBe(
      'id,price,deep.er,list\na,,true,"[1.50,{""x"":""y""}]"\nb,,,\n',
    ))

  test('CSV for an empty list consists of only the header row', async () =>
    expect(await printed({ format: 'csv' }, [])).toBe('id,price,deep.er,list\n'))

  test('CSV for an incomplete list ends after the last record that was received', async () => {
    const writer = await open({ format: 'csv', columns: ['id'] })
    expect((await writer.write(new WireRecord('{"id":"a"}'))) + (await writer.abort())).toBe('id\na\n')
  })

  test('CSV preserves all digits of numbers', async () => {
    const numbers = ['25.00', '9007199254740993', '-1e-7']
    const records = numbers.map((number) => `{"n":${number}}`)
    expect(await printed({ format: 'csv', columns: ['n'] }, records)).toBe(`${['n', ...numbers].join('\n')}\n`)
  })

  test('CSV quotes fields that contain quotes, commas or semicolons, or that start or end with a space', async () => {
    expect(await cell('say "hi", twice')).toBe('"say ""hi"", twice"')
    expect(await cell(' padded ')).toBe('" padded "')
    expect(await cell('a;b')).toBe('"a;b"')
    expect(await cell('plain text')).toBe('plain text')
  })

  test.each(['=1+1', '=HYPERLINK("http://x")', '+1+cmd|x', '-1-1', '@SUM(A1)', '＝1+1', '-', '+61 400 000 000 ext'])(
    'CSV prevents spreadsheets from evaluating the formula %s',
    async (formula) => {
      expect((await cell(formula)).replace(/^"/, '').startsWith("'")).toBe(true)
    },
  )

  test('CSV prevents spreadsheets from evaluating a formula after a leading tab or carriage return', async () => {
    expect(await cell('\t=1+1')).toBe(`"'\t=1+1"`)
    expect(await cell('\r=1+1')).toBe(`"'\r=1+1"`)
  })

  test.each(['-12.50', '+7', '-1e5', '+61 400 000 000', '+61 (2) 9999-0000', '+1-555-010-9999', 'a=b', '1-1'])(
    'CSV does not change %s, which is not a formula',
    async (plain) => expect(await cell(plain)).toBe(plain),
  )

  test('formatting a long sequence of digits that is not a number takes linear time', async () => {
    // The text is so long that a backtracking regular expression would exceed the test's time limit.
    const digits = `+${'1'.repeat(2_000_000)}x`
    expect(await cell(digits)).toContain(digits)
  })

  test('CSV in a file preserves line breaks, tabs, zero-width characters and bidirectional characters', async () => {
    expect(await cell('one\r\ntwo\tthree')).toBe('"one\r\ntwo\tthree"')
    expect(await cell('می\u200cخواهم \u202eabc')).toBe('می\u200cخواهم \u202eabc')
    expect(await cell(['a\u200b'])).toBe('"[""a\u200b""]"')
  })

  test('CSV in a file escapes control characters other than line breaks and tabs, including those inside lists', async () => {
    expect(await cell('\u001b[31m\u0000\u009b')).toBe('\\u001b[31m\\u0000\\u009b')
    expect(await cell(['a\u009b'])).toBe('"[""a\\u009b""]"')
  })

  test('CSV at a terminal escapes control and bidirectional characters', async () => {
    const record = '{"id":"a\\nb\\u202ec","list":["\\u009b"]}'
    expect(await printed({ format: 'csv', columns: ['id', 'list'], screen: terminal(20) }, [record])).toBe(
      'id,list\na\\nb\\u202ec,"[""\\u009b""]"\n',
    )
  })

  test('a CSV row with a single empty field is written as "" instead of an empty line', async () =>
    expect(await printed({ format: 'csv', columns: ['x'] }, ['{}'])).toBe('x\n""\n'))
})

describe('lists in TSV', () => {
  test('TSV has a header row, the columns of the view, and dotted paths for nested members', async () =>
    expect(await printed({ format: 'tsv' }, RECORDS)).toBe(
      'id\tprice\tdeep.er\tlist\na\t\ttrue\t[1.50,{"x":"y"}]\nb\t\t\t\n',
    ))

  test('TSV puts each record on one line by escaping tabs, line breaks and backslashes', async () => {
    expect(await tabbed('a\tb\nc\rd\\e')).toBe('a\\tb\\nc\\rd\\\\e')
    expect(await tabbed(' say "hi", ')).toBe(' say "hi", ')
    expect(await tabbed(['a\nb'])).toBe('["a\\\\nb"]')
  })

  test('TSV prevents spreadsheets from evaluating formulas, but does not change numbers or phone numbers', async () => {
    for (const formula of ['=1+1', '@SUM(A1)', '\t=1', '\r=1']) expect(await tabbed(formula)).toMatch(/^'/)
    for (const plain of ['-12.50', '+61 400 000 000']) expect(await tabbed(plain)).toBe(plain)
    expect(await tabbed(-12.5)).toBe('-12.5')
  })

  test('TSV preserves zero-width and bidirectional characters in a file, but escapes them at a terminal', async () => {
    expect(await tabbed('می\u200cخواهم\u202e')).toBe('می\u200cخواهم\u202e')
    expect(await tabbed('\u001b[31m')).toBe('\\\\u001b[31m')
    const onScreen = await printed({ format: 'tsv', columns: ['a'], screen: terminal(20) }, ['{"a":"x\\ty\\u202e"}'])
    expect(onScreen).toBe('a\nx\\ty\\u202e\n')
  })
})

test('rows and headers are quoted and escaped in the same way, regardless of their text', () => {
  const around = (letter: string) => [letter, `${letter}a`, `a${letter}`, `a${letter}b`]
  for (const screen of [pipe, terminal(80)])
    for (let code = 0; code < 0x1_0000; code += code < 0x600 ? 1 : 7)
      for (const text of around(String.fromCharCode(code)))
        for (const format of ['csv', 'tsv'] as const) {
          const { header } = delimitedLines(format, [text], screen)
          if (delimitedLines(format, ['a'], screen).rowOf({ a: text }) !== header) expect.fail(JSON.stringify(text))
        }
})
