import { describe, expect, test } from 'vitest'
import { WireRecord } from '../../../../src/base/json/list/wire-record.ts'
import { renderOne } from '../../../../src/terminal/render/one-record.ts'
import type { Screen } from '../../../../src/terminal/render/screen.ts'
import { plainText } from '../../../../src/terminal/render/text/plain-text.ts'
import { openRuler } from '../../../../src/terminal/render/text/width.ts'
import type { CardView, Format } from '../../../../src/terminal/render/view.ts'
import { pipe, terminal, things } from '../printed.ts'

const field = (label: string, path: string) => ({ label, paths: [path] })
const NAME = field('Name', 'name')
const QUANTITY = { path: 'quantity', header: 'QTY', align: 'right' } as const
const view: CardView = {
  title: (record) => [
    { text: `Thing ${plainText(record['id'])}`, tone: 'strong' },
    { text: 'fine', tone: 'good' },
  ],
  sections: [
    { heading: null, fields: [{ ...NAME, blank: 'none' }, field('City', 'address.city'), field('ID', 'id')] },
    { heading: 'Tables', fields: [{ ...field('Names', 'tables.*.name'), cell: () => '12, 14' }] },
    { heading: 'Items', path: 'items', columns: [QUANTITY, { path: 'name', header: 'ITEM', flex: 10 }] },
  ],
}

interface Asked {
  readonly format?: Format
  readonly columns?: readonly string[]
  readonly screen?: Screen
}

async function shown(text: string, { format = 'table', columns, screen = pipe }: Asked = {}): Promise<string> {
  const context = { timezone: null, now: 0 }
  return renderOne(new WireRecord(text), { format, view, listView: things, columns: columns ?? null, screen, context })
}

const record = JSON.stringify({
  id: 'a-1',
  name: 'Ada',
  address: { city: 'Sydney', country: 'Australia' },
  tables: [{ name: '12', seats: 4 }, { name: '14' }],
  items: [
    { quantity: 2, name: 'Cake' },
    { quantity: 10, name: 'Candle', colour: 'pink' },
  ],
  vip: true,
  nothing: null,
  empty: [],
})

describe('a single record as a card', () => {
  test('a card shows labelled sections, then lists as tables, and then all remaining members', async () =>
    expect((await shown(record)).split('\n')).toEqual([
      'Thing a-1  fine',
      '',
      '  Name   Ada',
      '  City   Sydney',
      '  ID     a-1',
      '',
      'Tables',
      '  Names  12, 14',
      '',
      'Items',
      '  QTY  ITEM    colour',
      '    2  Cake',
      '   10  Candle  pink',
      '',
      'Other',
      '  address.country  Australia',
      '  tables.0.seats   4',
      '  vip              true',
      '',
    ]))

  test("a card for an empty record shows each field's placeholder text", async () =>
    expect(await shown('{}')).toBe('Thing   fine\n\n  Name   none\n\nTables\n  Names  12, 14\n'))

  test('a card shows members of unexpected types unchanged', async () => {
    const text = await shown('{"id":1.50,"items":"none","address":"1 George St","tables":[7]}')
    expect(text).toContain('  ID     1.50')
    expect(text).toMatch(/items +none/)
    expect(text).toMatch(/tables\.0 +7/)
  })

  test('a card indents every line of a multi-line value, so that no line can imitate a label', async () =>
    expect(await shown('{"name":"Ada\\nName  Eve","id":1}')).toContain('  Name   Ada\n         Name  Eve\n'))

  test("a card indents the wrapped rows of a long title, so that they cannot imitate partner's own messages", async () => {
    for (const id of [`${' '.repeat(53)}error: forged`, `${'a '.repeat(30)}error: forged`, 'x'.repeat(500)]) {
      const text = await shown(JSON.stringify({ id }), { screen: terminal(60) })
      const [first = '', ...rest] = text.slice(0, text.indexOf('\n\n')).split('\n')
      expect(first).toMatch(/^Thing/)
      expect(rest.length).toBeGreaterThan(0)
      for (const line of rest) expect(line).toMatch(/^ {2}\S.{0,57}$/)
    }
  })

  test('a card wraps long text on a terminal, but not in piped output', async () => {
    const long = JSON.stringify({ name: 'word 李小龍 '.repeat(60).trim(), id: 'x'.repeat(300) })
    const ruler = await openRuler(['寿司'])
    for (const line of (await shown(long, { screen: terminal(60) })).split('\n'))
      expect(ruler.width(line)).toBeLessThanOrEqual(60)
    expect(await shown(long)).toContain('x'.repeat(300))
  })

  test('a card escapes characters that a terminal would interpret, even in labels', async () => {
    const text = await shown('{"name":"\\u001b[2J\\u202e","e\\u001b\\u202e":"x\\u009b","items":[{"a\\u0007":1}]}')
    expect(text).not.toMatch(/[\u001b\u202e\u009b\u0007]/)
    expect(text).toContain('\\u001b[2J\\u202e')
  })

  test('a card has colours only if the terminal supports them', async () => {
    expect(await shown(record, { screen: terminal(80) })).not.toContain('\u001b')
    expect(await shown(record, { screen: terminal(80, true) })).toContain('\u001b[1mThing a-1\u001b[22m')
  })
})

describe('long lists inside a record', () => {
  const rows = (count: number, last: object) =>
    Array.from({ length: count }, (_, at) => (at === count - 1 ? last : { quantity: at, name: `n${at}`, size: at }))

  test('a card prints a long list in parts but aligns all of its rows', async () => {
    const lines = async (last: object) =>
      (await shown(JSON.stringify({ items: rows(1234, last) }))).split('Items\n')[1]?.split('\n') ?? []
    const numbers = await lines({ quantity: 5, name: 'last', size: 7 })
    expect(numbers.slice(0, 2)).toEqual(['  QTY  ITEM  size', '    0  n0       0'])
    expect(numbers.at(-2)).toBe('    5  last     7')
    const mixed = await lines({ quantity: 5, name: 'last', size: 'XL', colour: 'pink' })
    expect(mixed.slice(0, 2)).toEqual(['  QTY  ITEM  size  colour', '    0  n0    0'])
    expect(mixed.slice(-2)).toEqual(['    5  last  XL    pink', ''])
    expect(mixed).toHaveLength(1 + 1234 + 1)
  })

  test('a card omits the trailing blank rows of a long list, but keeps all other rows', async () => {
    const items = rows(400, {}).map((row, at) => (at > 120 && at < 350 ? row : {}))
    const drawn = await shown(JSON.stringify({ name: 'A', items, other: 1 }))
    const [head = '', tail] = drawn.split('\n\nOther\n')
    expect(tail).toBe('  other  1\n')
    const table = head.slice(head.indexOf('Items\n') + 'Items\n'.length).split('\n')
    expect(table).toHaveLength(1 + 350)
    expect(table.slice(1, 122)).toEqual(Array(121).fill(''))
    expect(table.at(-1)).toMatch(/^ +349 {2}n349 +349$/)
  })

  test.each([[{}], [[]], [null], [{ a: undefined, b: [], c: 1 }], [{ 'é"': rows(2000, {}), b: undefined, c: [[]] }]])(
    'a record in JSON is the same text that JSON.stringify returns: case %#',
    async (value) => {
      const options = { format: 'json', view, listView: things, columns: null, screen: pipe } as const
      const text = await renderOne(WireRecord.of(value as never), { ...options, context: { timezone: null, now: 0 } })
      expect(text).toBe(`${JSON.stringify(value)}\n`)
    },
  )
})

describe('a single record in other formats', () => {
  const text = '{ "id" : 9007199254740993,\n "price": 25.00, "name": "a\u202e" }'

  test('piped JSON shows a record byte for byte as the service sent it', async () =>
    expect(await shown(text, { format: 'json' })).toBe(`${text}\n`))

  test('JSON on a terminal is indented and escaped, and keeps all digits of numbers', async () =>
    expect(await shown(text, { format: 'json', screen: terminal(80) })).toBe(
      '{\n  "id": 9007199254740993,\n  "price": 25.00,\n  "name": "a\\u202e"\n}\n',
    ))

  test('a record in NDJSON is a single line', async () =>
    expect(await shown(text, { format: 'ndjson' })).toBe('{"id":9007199254740993,"price":25.00,"name":"a\u202e"}\n'))

  test('a record in CSV has a header row and one data row', async () =>
    expect(await shown(text, { format: 'csv' })).toBe('id,price,deep.er,list\n9007199254740993,25.00,,\n'))

  test('a record with named columns is printed as a table with one row', async () => {
    expect(await shown(text, { columns: ['price', 'id'] })).toBe('price                id\n25.00  9007199254740993\n')
    expect(await shown(text, { columns: ['price'], format: 'json' })).toBe('{"price":25.00}\n')
  })

  test('a response is printed even if it is not an object', async () =>
    expect(await shown('"OK\u202e"')).toBe('"OK\\u202e"\n'))
})
