import { describe, expect, test } from 'vitest'
import { printed, terminal } from '../printed.ts'

async function cell(value: unknown): Promise<string> {
  const text = await printed({ format: 'tsv', columns: ['a', 'b'] }, [JSON.stringify({ a: value, b: 'end' })])
  const [, row = ''] = text.split('a\tb\n')
  return row.slice(0, -'\tend\n'.length)
}

describe('a list in TSV', () => {
  test('has a header row, the columns of the view, and members of members by dotted path', async () => {
    const text = await printed({ format: 'tsv' }, [
      '{"id":"a","deep":{"er":true},"list":[1.50,{"x":"y"}]}',
      '{"id":"b"}',
    ])
    expect(text).toBe('id\tprice\tdeep.er\tlist\na\t\ttrue\t[1.50,{"x":"y"}]\nb\t\t\t\n')
  })

  test('tabs, line breaks and backslashes are escaped, so that a record is a line; nothing is quoted', async () => {
    expect(await cell('a\tb\nc\rd\\e')).toBe('a\\tb\\nc\\rd\\\\e')
    expect(await cell(' say "hi", ')).toBe(' say "hi", ')
    expect(await cell(['a\nb'])).toBe('["a\\\\nb"]')
  })

  test('formulas are guarded as in CSV, numbers and phone numbers are not', async () => {
    for (const formula of ['=1+1', '@SUM(A1)', '\t=1', '\r=1']) expect(await cell(formula)).toMatch(/^'/)
    for (const plain of ['-12.50', '+61 400 000 000']) expect(await cell(plain)).toBe(plain)
    expect(await cell(-12.5)).toBe('-12.5')
  })

  test('other characters are exact in a file, and safe at a terminal', async () => {
    expect(await cell('می\u200cخواهم\u202e')).toBe('می\u200cخواهم\u202e')
    expect(await cell('\u001b[31m')).toBe('\\\\u001b[31m')
    const onScreen = await printed({ format: 'tsv', columns: ['a'], screen: terminal(20) }, ['{"a":"x\\ty\\u202e"}'])
    expect(onScreen).toBe('a\nx\\ty\\u202e\n')
  })

  test('without a header row there are only records; an empty list is nothing', async () => {
    expect(await printed({ format: 'tsv', columns: ['a', 'b'], headerless: true }, ['{"a":1}'])).toBe('1\t\n')
    expect(await printed({ format: 'tsv', columns: ['a'], headerless: true }, [])).toBe('')
  })
})
