import { expect, test } from 'vitest'
import { MemberFinder } from '../../../../src/base/json/list/member-finder.ts'
import { RecordSplitter } from '../../../../src/base/json/list/record-splitter.ts'
import { WireRecord } from '../../../../src/base/json/list/wire-record.ts'
import { CopiedRows } from '../../../../src/terminal/render/formats/copied-rows.ts'
import { delimitedLines } from '../../../../src/terminal/render/formats/delimited.ts'
import { randomNumber, seededRandom } from '../../../base/json/seeded.ts'
import { pipe } from '../printed.ts'

const BATCH = 50
/**
 * The number of records to compare in each of the two formats. `PARTNER_RECORDS=48000` results in 96,000 comparisons.
 */
const RECORDS = Number(process.env['PARTNER_RECORDS'] ?? 10_000)
const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_124)

const NAMES = 'a b c id name a.b b.c 0 1 2 00 __proto__ rawJSON toJSON length constructor имя'
  .split(' ')
  .concat('', 'a b')
const PIECES = [
  ...'=+-@ ,;"\\\t\r\n\'|[]{}:/',
  '+61 400 000 000',
  '+1-2',
  '+',
  '-1',
  'Zoë',
  '寿司',
  '🍣',
  '＝1',
  '＠',
  '￦',
  'x',
  '12',
  'null',
]
const PHONE = [...'0123456789 ', '22']
const ODD_PIECES = [
  '\u0000',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u200b',
  '\u2028',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\u00c2',
  '\ufffd',
]
const SPACES = ['', ' ', '\n', '\t ', '\r\n  ']

/** Generates random records with unusual fields. Successive records often have the same members, as in real lists. */
class HostileRecords {
  readonly #random: () => number
  #shape: readonly string[] = []
  #spaces: readonly string[] = ['']

  constructor(random: () => number) {
    this.#random = random
  }

  record(): string {
    if (this.#chance(0.03)) return this.#pick(['null', '12.50', '"text"', '[]', '[{"a":1}]', 'true', '{}', '{ }', '""'])
    if (this.#chance(0.3)) this.#shape = this.#keys(8)
    this.#spaces = this.#chance(0.15) ? SPACES : ['']
    return this.#objectOf(this.#chance(0.8) ? this.#shape : this.#shape.toSpliced(this.#below(3), 1), 0)
  }

  paths(): string[] {
    const path = () => Array.from({ length: 1 + this.#below(3) }, () => this.#name()).join('.')
    return Array.from({ length: 1 + this.#below(7) }, path)
  }

  #keys(most: number): string[] {
    const names = Array.from({ length: this.#below(most) }, () => this.#name())
    return (this.#chance(0.8) ? [...new Set(names)] : names).map((name) => {
      if (this.#chance(0.97)) return JSON.stringify(name)
      return `"${name.replace(/^./u, (first) => `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
    })
  }

  #objectOf(keys: readonly string[], depth: number): string {
    const members = keys.map((key) => `${key}${this.#space()}:${this.#space()}${this.#value(depth + 1)}`)
    return this.#between('{}', members)
  }

  #value(depth: number): string {
    const kind = this.#below(depth > 3 ? 7 : 10)
    if (kind < 4) return this.#text()
    if (kind === 4) return randomNumber(this.#random)
    if (kind < 7) return this.#pick(['null', 'true', 'false', '""', '[]', '{}', '0', '-0', '2', '1.50'])
    if (kind > 7) return this.#objectOf(this.#keys(5), depth)
    const items = Array.from({ length: this.#below(4) }, () => this.#value(depth + 1))
    return this.#between('[]', items)
  }

  #name(): string {
    return this.#chance(0.7) ? this.#pick(['a', 'b', 'c', 'id']) : this.#pick(NAMES)
  }

  #text(): string {
    if (this.#chance(0.1)) return `"+${this.#pick(PHONE)}${this.#many(this.#below(36), PHONE)}"`
    const pieces = this.#chance(0.1) ? ODD_PIECES : this.#chance(0.5) ? ['plain', 'text', '7'] : PIECES
    const text = JSON.stringify(this.#many(1 + this.#below(3), pieces))
    // Occasionally, escape all characters outside printable ASCII.
    return this.#chance(0.95)
      ? text
      : text.replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }

  #many(count: number, pieces: readonly string[]): string {
    return Array.from({ length: count }, () => this.#pick(pieces)).join('')
  }

  #between([open = '', close = '']: string, items: readonly string[]): string {
    return open + this.#space() + items.join(`${this.#space()},${this.#space()}`) + this.#space() + close
  }

  #space(): string {
    return this.#pick(this.#spaces)
  }

  #pick(choices: readonly string[]): string {
    return choices[this.#below(choices.length)] ?? ''
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #chance(share: number): boolean {
    return this.#random() < share
  }
}

/** Splits a list into records, as if it arrived in two chunks. */
function received(list: Buffer, cut: number): WireRecord[] {
  const splitter = new RecordSplitter({ listMember: null })
  const records: WireRecord[] = []
  for (const chunk of [list.subarray(0, cut), list.subarray(cut)]) expect(splitter.push(chunk, records)).toBe(null)
  return records
}

test(`CopiedRows copies ${RECORDS} random records exactly as they would be formatted (seed ${SEED})`, () => {
  const random = seededRandom(SEED)
  const hostile = new HostileRecords(random)
  let found = 0
  for (let done = 0; done < RECORDS; done += BATCH) {
    const texts = Array.from({ length: BATCH }, () => hostile.record())
    const list = Buffer.from(`[${texts.join(',')}]`)
    const records = received(list, Math.floor(random() * list.length))
    const paths = hostile.paths()
    const finder = new MemberFinder(paths)
    for (const { place } of records) if (place && finder.find(place.bytes, place.from)) found++
    for (const format of ['csv', 'tsv'] as const) {
      const lines = delimitedLines(format, paths, pipe)
      const expected = records.map(({ text }) => lines.rowOf(new WireRecord(text).value))
      const rows = new CopiedRows(format, paths, lines)
      if (rows.of('', records).toString() === expected.join('')) continue
      for (const [index, record] of records.entries())
        expect(rows.of('', [record]).toString(), `${format} of ${paths}: ${record.text}`).toBe(expected[index])
      expect.fail(`only together: ${format} of ${paths}: ${texts.join(',')}`)
    }
  }
  // Some records must be copied and others formatted, so that both are tested.
  expect(found / RECORDS).toBeGreaterThan(0.3)
  expect(found / RECORDS).toBeLessThan(0.9)
})

test.each([
  ['a.0,a.00', '{"a":["x"]}'],
  ['\ud800', '{"\ufffd":"x"}'],
  ['a,b,a,c,b,b', JSON.stringify({ a: 'x,'.repeat(100_000), b: [['"'], ['""'.repeat(70_000)]], c: '' })],
])('CopiedRows copies the columns %j exactly as they would be formatted', (columns, record) => {
  const paths = columns.split(',')
  const lines = delimitedLines('csv', paths, pipe)
  const records = received(Buffer.from(`[${record},${record}]`), 0)
  const expected = records.map(({ value }) => lines.rowOf(value)).join('')
  expect(new CopiedRows('csv', paths, lines).of('', records).toString() === expected).toBe(true)
})
