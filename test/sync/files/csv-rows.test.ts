import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCsvRows } from '../../../src/sync/files/csv-rows.ts'
import { delimitedLines } from '../../../src/terminal/render/formats/delimited.ts'
import { freshDirectory } from '../../support/partner.ts'

test('readCsvRows can read all rows that partner writes, regardless of their content', () => {
  const values = ['a', '', 'one,two', 'say "so"', 'two\nlines', '"', '""', 'é\u2028', ' x ', ';', ' \r\n']
  const rows = values.map((value, at) => [value, values[(at * 3 + 1) % values.length] ?? '', `${at}`])
  const { rowOf } = delimitedLines('csv', ['0', '1', '2'], { columns: null, color: false })
  const texts = rows.map((row) => rowOf({ ...row }))
  const file = join(freshDirectory(), 'x.csv')
  writeFileSync(file, `${texts.join('')}"beyond the length`)
  const descriptor = openSync(file, 'r')
  const read = [...readCsvRows(descriptor, Buffer.byteLength(texts.join('')))]
  closeSync(descriptor)
  expect(read.map(({ text }) => text)).toEqual(texts)
  expect(read.map(({ fields }) => fields)).toEqual(rows)
})
