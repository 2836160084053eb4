import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { WireRecord } from '../../../../src/base/json/list/wire-record.ts'
import { openRuler } from '../../../../src/terminal/render/text/width.ts'
import { open, pipe, printed, terminal, things } from '../printed.ts'

const ruler = await openRuler(['寿司'])

const ada = '{"name":"Ada","price":12.5,"notes":"window","id":"a-1"}'
const long =
  '{"name":"Featherstonehaugh-Cholmondeley","price":1200,"notes":"Allergic to shellfish and nuts","id":"b-22"}'

const lines = (text: string): string[] => text.replace(/\n$/, '').split('\n')

type Asked = Parameters<typeof open>[0]

/** Returns the text that a list of the given records prints on stderr. */
async function remarkOn(asked: Asked, records: readonly string[], stderr = pipe): Promise<string> {
  const writer = await open(asked)
  for (const record of records) await writer.write(new WireRecord(record))
  await writer.end()
  return writer.remark(stderr)
}

/** Writes the record `usual` 500 times and then the record `late` to a table. Returns the last row. */
async function rowAfter(usual: string, late: string, screen = pipe): Promise<string> {
  const writer = await open({ format: 'table', screen })
  for (let row = 0; row < 500; row++) await writer.write(new WireRecord(usual))
  return writer.write(new WireRecord(late))
}

describe('lists as tables', () => {
  test('a piped table is aligned, and nothing is truncated', async () =>
    expect(lines(await printed({ format: 'table' }, [ada, long]))).toEqual([
      'NAME                              PRICE  NOTES                           ID',
      'Ada                               12.50  window                          a-1',
      'Featherstonehaugh-Cholmondeley  1200.00  Allergic to shellfish and nuts  b-22',
    ]))

  test('a table on a terminal truncates long text, but not IDs or amounts', async () =>
    expect(lines(await printed({ format: 'table', screen: terminal(40) }, [ada, long]))).toEqual([
      'NAME             PRICE  NOTES       ID',
      'Ada              12.50  window      a-1',
      'Featherstone…  1200.00  Allergic…   b-22',
    ]))

  test('a table on a narrow screen hides the least important columns and explains how to show them', async () => {
    const narrow: Asked = { format: 'table', screen: terminal(24) }
    expect(lines(await printed(narrow, [ada, long]))[0]).toBe('NAME         PRICE  ID')
    expect(await remarkOn(narrow, [ada, long])).toBe(
      'Columns hidden to fit the screen: notes. To see them: --columns id,notes or -o json\n',
    )
  })

  test('the note about hidden columns wraps between words, so that users can copy its flags', async () => {
    const remark = await remarkOn({ format: 'table', screen: terminal(12) }, [ada], terminal(30))
    for (const line of lines(remark)) expect(line.length).toBeLessThanOrEqual(30)
    expect(remark).toMatch(/--columns id,price,notes/)
  })

  test('a table is never wider than the screen, even with very long or invisible text', async () => {
    const name = '👩‍👩‍👧‍👦 李小龍 محمد '.repeat(30)
    const notes = 'a\nb\u202e'.repeat(2000)
    const hostile = JSON.stringify({ name, price: '9'.repeat(300), notes, id: 'x'.repeat(200) })
    for (const columns of [20, 40, 80, 140]) {
      const text = await printed({ format: 'table', screen: terminal(columns) }, [ada, hostile, long])
      for (const line of lines(text)) expect(ruler.width(line)).toBeLessThanOrEqual(columns)
    }
  })

  test('a very long value is truncated, so that the other columns are shown in full', async () => {
    const endless = JSON.stringify({ name: 'n'.repeat(10_000), price: 1, notes: 'short', id: 'c-3' })
    const text = await printed({ format: 'table', screen: terminal(80) }, [ada, endless])
    expect(lines(text)[0]).toMatch(/^NAME +PRICE {2}NOTES {3}ID$/)
    expect(lines(text)[2]).toMatch(/^n+… +1\.00 {2}short {3}c-3$/)
  })

  test('a very long ID is truncated, so that the other columns remain visible', async () => {
    const endless = JSON.stringify({ name: 'Eve', price: 1, notes: 'short', id: 'i'.repeat(300) })
    const [header, first] = lines(await printed({ format: 'table', screen: terminal(80) }, [ada, endless]))
    expect(header).toMatch(/^NAME +PRICE {2}NOTES +ID$/)
    expect(first).toMatch(/a-1$/)
  })

  test('a long ID in a row after the first 500 is not truncated, even if the row is wider than the screen', async () => {
    const id = `BK-${'9'.repeat(60)}`
    const late = JSON.stringify({ name: 'Eve', price: 1, notes: 'late', id })
    expect(await rowAfter(ada, late, terminal(50))).toContain(id)
  })

  test('each record is shown as a block of labelled lines on a screen that is too narrow for a table', async () => {
    const id = `BK-${'9'.repeat(60)}`
    const records = [ada, JSON.stringify({ name: '李小龍 '.repeat(9).trim(), price: 33.333, id })]
    expect(lines(await printed({ format: 'table', screen: terminal(40) }, records))).toEqual([
      'NAME   Ada',
      'PRICE  12.50',
      'NOTES  window',
      'ID     a-1',
      '',
      'NAME   李小龍 李小龍 李小龍 李小龍',
      '       李小龍 李小龍 李小龍 李小龍',
      '       李小龍',
      'PRICE  33.333',
      `ID     ${id}`,
    ])
  })

  test.each([60, 40, 30, 20])(
    'a table on a screen of %i columns never hides a requested column or truncates an ID',
    async (columns) => {
      const names = ['name', 'price', 'notes', 'id', 'deep.otherId', 'nothing']
      const record = long.replace(/\}$/, ',"deep":{"otherId":"0123456789abcdef"}}')
      const text = await printed({ format: 'table', columns: names, screen: terminal(columns) }, [record])
      for (const name of names) expect(text).toContain(name)
      for (const value of ['1200.00', 'b-22', '0123456789abcdef']) expect(text).toContain(value)
      for (const line of lines(text)) expect(ruler.width(line)).toBeLessThanOrEqual(Math.max(columns, 30))
    },
  )

  test('--no-header omits the header row of a table', async () =>
    expect(await printed({ format: 'table', headerless: true }, [ada])).toBe('Ada   12.50  window  a-1\n'))

  test('a piped table stays aligned even if a value is a long request path', async () => {
    const name = `/Bookings/schedule?BookingDateTimeStart=2026-11-22T13%3A00%3A00.000Z&NumOfPeople=4&BookingDateTimeEnd=2026-11-23T12%3A59%3A59.999Z`
    const named = ada.replace('Ada', name)
    const [header = '', ...rows] = lines(await printed({ format: 'table' }, [ada, named]))
    for (const row of rows) expect(row.indexOf('a-1')).toBe(header.indexOf('ID'))
  })

  test('a very long value in a piped table makes only its own row wider', async () => {
    const endless = JSON.stringify({ name: 'n'.repeat(10_000), price: 1, id: 'c-3' })
    const [, first = '', second = ''] = lines(await printed({ format: 'table' }, [ada, endless]))
    expect(first.length).toBeLessThan(100)
    expect(second).toContain('n'.repeat(10_000))
  })

  test('a table stays aligned with emoji, wide characters and combining characters', async () => {
    const names = ['👩‍👩‍👧‍👦', '🇦🇺', '李小龍', 'e\u0301', 'Zoë', '❤️', 'abc']
    const records = names.map((name) => JSON.stringify({ name, price: 1, id: 'END' }))
    const [, ...rows] = lines(await printed({ format: 'table' }, records))
    const ends = rows.map((line) => ruler.width(line.slice(0, line.indexOf('END'))))
    expect(new Set(ends).size).toBe(1)
  })

  test('a table escapes characters that a terminal would interpret', async () => {
    const text = await printed({ format: 'table' }, ['{"name":"a\\u001b]8;;http://x\\u0007\\u202e\\nb","id":1}'])
    expect(text).toContain('a\\u001b]8;;http://x\\u0007\\u202e\\nb')
    expect(lines(text)).toHaveLength(2)
  })

  test('a table has colours only if the terminal supports them, and its text is the same without colours', async () => {
    const colored = await printed({ format: 'table', screen: terminal(40, true) }, [ada, long])
    expect(colored).toContain('\u001b[2mNAME\u001b[22m')
    const plain = await printed({ format: 'table', screen: terminal(40) }, [ada, long])
    expect(stripVTControlCharacters(colored)).toBe(plain)
  })

  test('an optional column without content is hidden on a terminal but shown in piped output', async () => {
    const bare = '{"name":"Ada","price":1,"id":"a"}'
    expect(await printed({ format: 'table', screen: terminal(80) }, [bare])).not.toContain('NOTES')
    expect(await printed({ format: 'table' }, [bare])).toContain('NOTES')
  })

  test('columns that the user named have their paths as headings and show lists as JSON', async () => {
    const text = await printed({ format: 'table', columns: ['id', 'deep.n', 'list'] }, [
      '{"id":"a","deep":{"n":5.50},"list":[1]}',
      '{"id":"b","deep":{"n":100}}',
    ])
    expect(lines(text)).toEqual(['id  deep.n  list', 'a     5.50  [1]', 'b      100'])
  })

  test('a table shows a record even if it is not an object', async () =>
    expect(lines(await printed({ format: 'table' }, ['"text"', 'null', ada]))[1]).toBe('"text"'))

  test('a table prints 100,000 rows as they arrive and bases its widths on the first 500 rows', async () => {
    const writer = await open({ format: 'table', screen: terminal(60) })
    const record = new WireRecord(ada)
    for (let row = 0; row < 499; row++) expect(await writer.write(record)).toBe('')
    expect(lines(await writer.write(record))).toHaveLength(501)
    for (let row = 500; row < 100_000; row++)
      if ((await writer.write(record)).length > 60) expect.fail('more than a line')
    expect(await writer.write(new WireRecord(long))).toBe('Fea…  1200.00  Aller…  b-22\n')
    expect(await writer.end()).toBe('')
  })

  test('a table takes wide characters into account even in rows after the first 500', async () => {
    const late = '{"name":"寿司とワインの店","price":5,"notes":"🍷🍷","id":"b-1"}'
    for (const columns of [30, 12]) {
      const drawn = lines(await rowAfter(ada, late, terminal(columns)))
      expect(drawn.join('\n')).toMatch(columns === 30 ? /^寿….*🍷🍷/ : /^寿/)
      for (const line of drawn) expect(ruler.width(line)).toBeLessThanOrEqual(Math.max(columns, 24))
    }
  })

  test('a row after the first 500 shows a long ID in full and truncates other text instead', async () => {
    const late = '{"name":"Ada Lovelace","price":5,"notes":"window","id":"b-22-and-more"}'
    const line = await rowAfter(long, late, terminal(30))
    expect(line.trimEnd().endsWith('b-22-and-more')).toBe(true)
    expect(ruler.width(line.trimEnd())).toBeLessThanOrEqual(30)
  })

  test('a piped table does not truncate a long value in a row after the first 500', async () => {
    const whole = 'Featherstonehaugh-Cholmondeley  1200.00  Allergic to shellfish and nuts'
    expect(await rowAfter(ada, long)).toContain(whole)
  })
})

describe('messages printed with a table', () => {
  test('an empty table prints a sentence on stderr and nothing on stdout', async () => {
    expect(await printed({ format: 'table' }, [])).toBe('')
    expect(await remarkOn({ format: 'table' }, [])).toBe('No things.\n')
  })

  test('a table on a terminal is followed by its number of rows and its footnote', async () => {
    const asked: Asked = { format: 'table', screen: terminal(80) }
    expect(await remarkOn(asked, [ada], terminal(80))).toBe('1 thing · prices in AUD\n')
    expect(await remarkOn(asked, [ada])).toBe('')
  })

  test('an incomplete table prints its rows but no row count', async () => {
    const writer = await open({ format: 'table', screen: terminal(80) })
    await writer.write(new WireRecord(ada))
    expect(lines(await writer.abort())).toHaveLength(2)
    expect(writer.remark(terminal(80))).toBe('prices in AUD\n')
  })

  test('a warning is printed in every format if no record has a column that the user requested', async () => {
    for (const format of ['table', 'json', 'ndjson', 'csv'] as const)
      expect(await remarkOn({ format, columns: ['id', 'nmae'] }, [ada])).toBe(
        "warning: no thing here has 'nmae' (from --columns); did you mean name?\n",
      )
  })

  test('no note is printed on stderr for a list in JSON, NDJSON or CSV', async () => {
    for (const format of ['json', 'ndjson', 'csv'] as const)
      expect(await remarkOn({ format, screen: terminal(80) }, [ada], terminal(80))).toBe('')
  })
})

describe('the footer below a list', () => {
  const scope = { words: 'on Sun 2026-11-22 (UTC)', limit: 2, hides: 'Not shown: broken things (--include-broken)' }
  const view = { ...things, footnote: () => 'prices in AUD · times in UTC', scope }

  test("a list's footer states which records are shown, even for piped output, and names the time zone only once", async () => {
    const remark = await remarkOn({ format: 'table', view }, ['{"id":1}'])
    expect(lines(remark)).toEqual(['1 thing on Sun 2026-11-22 (UTC) · prices in AUD', scope.hides])
  })

  test("a list's footer reports that the list stopped at --limit, and wraps between words", async () => {
    const narrow: Asked = { format: 'table', view, screen: terminal(30) }
    const remark = await remarkOn(narrow, ['{"id":1}', '{"id":2}'], terminal(30))
    expect(remark).toMatch(/stopped\s+at\s+--limit\s+2/)
    for (const line of lines(remark)) expect(line.length).toBeLessThanOrEqual(30)
  })

  test('the message about an empty list is printed only for tables and for lists that partner filtered', async () => {
    const empty = async (format: 'table' | 'json', isFiltered: boolean) => {
      const whenEmpty = () => ' Did you mean it?'
      return remarkOn({ format, view: { ...things, scope: { words: 'with x', isFiltered, whenEmpty } } }, [])
    }
    expect(await empty('table', false)).toBe('No things with x. Did you mean it?\n')
    expect(await empty('json', true)).toBe('No things with x. Did you mean it?\n')
    expect(await empty('json', false)).toBe('')
  })
})

describe('wrapping columns', () => {
  const view = {
    columns: [
      { path: 'id', header: 'ID', rank: 1 },
      { path: 'notes', header: 'NOTES', flex: 10, wraps: true, rank: 2 },
      { path: 'name', header: 'NAME', rank: 3, flex: 8 },
    ],
  }

  test('a wrapping column breaks text between words and truncates nothing', async () => {
    const narrow = { format: 'table', screen: terminal(34), view: { ...things, ...view } } as const
    expect(lines(await printed(narrow, [ada, long]))).toEqual([
      'ID    NOTES           NAME',
      'a-1   window          Ada',
      'b-22  Allergic to     Featherston…',
      '      shellfish and',
      '      nuts',
    ])
  })

  test.each([60, 80, 140])('a wrapping column shows every word on a screen of %i columns', async (columns) => {
    const notes = 'partner profiles check and the rest of a long sentence '.repeat(4)
    const asked: Asked = { format: 'table', screen: terminal(columns), view: { ...things, ...view } }
    const text = await printed(asked, [JSON.stringify({ id: 'b-22', name: 'Ann', notes })])
    const read = text.replace(/b-22|Ann/g, '').split(/\s+/)
    expect(read.filter((word) => word === 'sentence')).toHaveLength(4)
    expect(text).not.toContain('…')
    for (const line of lines(text)) expect(ruler.width(line)).toBeLessThanOrEqual(columns)
  })
})
