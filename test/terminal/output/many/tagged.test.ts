import { describe, expect, test } from 'vitest'
import { WireRecord } from '../../../../src/base/json/list/wire-record.ts'
import { recordsIn, taggedLines } from '../../../../src/terminal/output/many/tagged.ts'
import { chance } from '../../../money/chance.ts'

const PROFILE = 'city-1.b_c'

/** Returns a record that refers to a part of a larger buffer, like a record in a received list. */
function onTheWire(text: string): WireRecord {
  const bytes = Buffer.from(`[ ${text} ,{}]`)
  const isOneLine = !/[\r\n]/.test(text)
  return WireRecord.at({ bytes, from: 2, to: 2 + Buffer.byteLength(text), isPlain: false, isOneLine })
}

const tagged = (...records: readonly WireRecord[]) => taggedLines(PROFILE, records).toString()

describe('tagged lines', () => {
  test.each([
    ['{"a":25.00,"big":12345678901234567890}', '{"_profile":"city-1.b_c","a":25.00,"big":12345678901234567890}'],
    ['{ "a" : 1 }', '{"_profile":"city-1.b_c", "a" : 1 }'],
    ['{}', '{"_profile":"city-1.b_c"}'],
    ['{ \t}', '{"_profile":"city-1.b_c" \t}'],
    ['{"name":"é€😀\\n"}', '{"_profile":"city-1.b_c","name":"é€😀\\n"}'],
    ['{"text":"a \\"_profile\\" in words"}', '{"_profile":"city-1.b_c","text":"a \\"_profile\\" in words"}'],
    ['{"in":{"_profile":1}}', '{"_profile":"city-1.b_c","in":{"_profile":1}}'],
    ['{"a":1.50,"_profile":"theirs"}', '{"_profile":"city-1.b_c","a":1.50}'],
    ['[1,2]', '{"_profile":"city-1.b_c","value":[1,2]}'],
    ['"word"', '{"_profile":"city-1.b_c","value":"word"}'],
    ['null', '{"_profile":"city-1.b_c","value":null}'],
  ])('taggedLines adds the profile as the first member and preserves all other bytes of %s', (text, line) => {
    expect(tagged(new WireRecord(text))).toBe(`${line}\n`)
    expect(tagged(onTheWire(text))).toBe(`${line}\n`)
  })

  test('taggedLines puts a multi-line record on a single line', () => {
    for (const record of [new WireRecord('{\n "a": 1\n}'), onTheWire('{\n "a": 1\n}')])
      expect(tagged(record)).toBe('{"_profile":"city-1.b_c","a":1}\n')
  })
})

test('recordsIn parses random records that taggedLines wrote, including the profile', () => {
  const random = chance(20_261_122)
  const words = ['', 'é', '"', '\\', '\n', '_profile', '{', '}', ' ', '\u2028', 'x'.repeat(50)]
  const anything = (depth: number): unknown => {
    const kind = random.integer(0, depth > 2 ? 3 : 5)
    if (kind === 0) return random.pick(words)
    if (kind === 1) return random.integer(0, 1_000_000) / 100
    if (kind === 2) return null
    if (kind === 3) return random.happens(0.5)
    const size = random.integer(0, 3)
    if (kind === 4) return Array.from({ length: size }, () => anything(depth + 1))
    const member = (_: unknown, at: number) => [`${random.pick(words)}${at}`, anything(depth + 1)]
    return Object.fromEntries(Array.from({ length: size }, member))
  }
  const values = Array.from({ length: 500 }, () => anything(0))
  const records = values.map((value) => {
    const text = JSON.stringify(value, null, random.pick([0, 2]))
    return random.happens(0.5) ? new WireRecord(text) : onTheWire(text)
  })
  const back = recordsIn(taggedLines(PROFILE, records)).map(({ value }) => value)
  const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  expect(back).toEqual(
    values.map((value) =>
      isObject(value) ? { _profile: PROFILE, ...(value as object) } : { _profile: PROFILE, value },
    ),
  )
})
