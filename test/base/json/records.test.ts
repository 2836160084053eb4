import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { readRecords } from '../../../src/base/json/list/read-records.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { inChunks, readAll } from './reading.ts'
import { RandomJson, seededRandom } from './seeded.ts'

const BOOKINGS = { listMember: 'bookings' }
const BARE = { listMember: null }
const MIB = 1024 ** 2

describe('readRecords with complete lists', () => {
  test('readRecords yields the text of each record exactly as it was sent', async () => {
    const text = '[ {"a" : 1.50} ,{"b":9007199254740993},\n"x" , null,12 , [ ] ]\n'
    const { records, end } = await readAll(inChunks(text), BARE)
    expect(records).toEqual(['{"a" : 1.50}', '{"b":9007199254740993}', '"x"', 'null', '12', '[ ]'])
    expect(end).toEqual({ envelope: {}, records: 6 })
  })

  test('readRecords returns the members before and after the list', async () => {
    const text = '{"count":2,"bookings":[{"n":1},{"n":2}],"amount":25.00,"next":{"page":[1]}}'
    const { records, end } = await readAll(inChunks(text), BOOKINGS)
    expect(records).toHaveLength(2)
    expect(JSON.stringify(end)).toBe('{"envelope":{"count":2,"amount":25.00,"next":{"page":[1]}},"records":2}')
  })

  test('readRecords accepts an empty list, whether it is bare or a member of an object', async () => {
    const empty = { records: [], end: { envelope: {}, records: 0 } }
    expect(await readAll(inChunks(' [ ] '), BARE)).toEqual(empty)
    expect(await readAll(inChunks('{"bookings":[]}'), BOOKINGS)).toEqual(empty)
  })

  test('readRecords skips a byte order mark, even if it arrives in pieces', async () => {
    expect((await readAll(inChunks('\ufeff[1]', 1), BARE)).records).toEqual(['1'])
    expect((await readAll(inChunks('\ufeff\ufeff[1]', 1), BARE)).problem?.kind).toBe('malformed')
    expect((await readAll(inChunks(Buffer.from([0xef, 0xbb, 0x5b, 0x5d]), 1), BARE)).problem?.kind).toBe('malformed')
  })

  test('readRecords finds the list under a member name that contains escapes', async () =>
    expect((await readAll(inChunks('{"book\\u0069ngs":[1]}', 3), BOOKINGS)).records).toEqual(['1']))

  test('readRecords does not mistake a nested member for the list', async () => {
    const text = '{"meta":{"bookings":[7]},"bookings":[{"bookings":[8]}]}'
    expect((await readAll(inChunks(text, 2), BOOKINGS)).records).toEqual(['{"bookings":[8]}'])
  })

  test('readRecords treats a member named __proto__ as data', async () => {
    const { end } = await readAll(inChunks('{"__proto__":{"polluted":true},"bookings":[]}'), BOOKINGS)
    expect(Object.keys(end?.envelope ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(end?.envelope)).toBe(Object.prototype)
  })

  test('readRecords splits a large chunk into small batches', async () => {
    const chunk = Buffer.from(`[${Array(50_000).fill('{"bookingId":"bk-1"}').join(',')}]`)
    const sizes: number[] = []
    for await (const batch of readRecords(inChunks(chunk), BARE)) sizes.push(batch.length)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(50_000)
    expect(Math.max(...sizes)).toBeLessThan(4000)
    expect(Math.min(...sizes)).toBeGreaterThan(0)
  })

  test('readRecords yields a record as soon as it is complete, before the next one arrives', async () => {
    let asked = 0
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for (const part of ['{"bookings":[{"n":1}', ',{"n":2}', ']}']) {
        asked++
        yield Buffer.from(part)
      }
    }
    const reader = readRecords(slowly(), BOOKINGS)
    expect(await reader.next()).toMatchObject({ done: false, value: [{ text: '{"n":1}' }] })
    expect(asked).toBe(1)
    expect(await reader.next()).toMatchObject({ done: false, value: [{ text: '{"n":2}' }] })
    expect(await reader.next()).toMatchObject({ done: true, value: { records: 2 } })
  })

  test('readRecords closes its source when the consumer stops early', async () => {
    let closed = false
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        yield Buffer.from('[1')
        for (;;) yield Buffer.from(',1')
      } finally {
        closed = true
      }
    }
    for await (const batch of readRecords(endless(), BARE)) if (batch.length > 0) break
    expect(closed).toBe(true)
  })
})

describe('readRecords with invalid lists', () => {
  test.each([
    ['', 'truncated', 'the response is empty', 0],
    [' \n', 'truncated', 'the response ends before its first record', 0],
    ['{"count":2', 'truncated', 'the response ends in the middle of the member "count"', 0],
    ['{"bookings":[', 'truncated', 'the response ends before its first record', 0],
    ['{"bookings":[{"a":1},{"b', 'truncated', 'the response ends in the middle of record 2', 1],
    ['{"bookings":[{"a":1}', 'truncated', 'the response ends after record 1', 1],
    ['{"bookings":[{"a":1}]', 'truncated', 'the response ends after record 1', 1],
    ['{"bookings":[1]} x', 'malformed', 'expected nothing more at byte 17 of the response', 1],
    ['{"bookings":[1]}{}', 'malformed', 'expected nothing more at byte 16 of the response', 1],
    ['{"bookings":[{"a":1} {"b":2}]}', 'malformed', 'expected a comma or the end of the list at byte 21', 1],
    ['{"bookings":[{"a":1},]}', 'malformed', 'expected a record at byte 21 of the response', 1],
    ['{"bookings":[,1]}', 'malformed', 'expected a record or the end of the list at byte 13', 0],
    ['{"bookings":[{"a":1},{a:2}]}', 'malformed', 'record 2 is not valid JSON', 1],
    ['{"bookings":[{"a":1},{"a":01}]}', 'malformed', 'record 2 is not valid JSON', 1],
    ['{"bookings":[1,nul]}', 'malformed', 'record 2 is not valid JSON', 1],
    ['{"bookings":[1,{]]}', 'malformed', 'record 2 is not valid JSON', 1],
    ['{"bookings":[1,"a\nb"]}', 'malformed', 'record 2 is not valid JSON', 1],
    ['{"bookings":[1}', 'malformed', 'expected a comma or the end of the list', 1],
    ['{"bookings" [1]}', 'malformed', 'expected a colon at byte 12 of the response', 0],
    ['{bookings:[1]}', 'malformed', 'expected a member name or the closing brace at byte 1', 0],
    ['{"bookings":[1],}', 'malformed', 'expected a member name at byte 16 of the response', 1],
    ['{"a":1 "bookings":[1]}', 'malformed', 'expected a comma or the closing brace at byte 7', 0],
    ['{"a":tru,"bookings":[1]}', 'malformed', 'the member "a" is not valid JSON', 0],
    ['{"bookings":[1],"bookings":[2]}', 'malformed', 'the member "bookings" is repeated', 1],
    ['<html>', 'malformed', 'expected a list at byte 0 of the response', 0],
    ['{"message":"x"}', 'not-a-list', 'the response has no member "bookings"', 0],
    ['{}', 'not-a-list', 'the response has no member "bookings"', 0],
    ['{"bookings":{"a":1}}', 'not-a-list', 'the member "bookings" is an object, not a list', 0],
    ['{"bookings":null}', 'not-a-list', 'the member "bookings" is null, not a list', 0],
    ['[1]', 'not-a-list', 'the response is a list, not an object with a list', 0],
  ])('readRecords rejects %j as %s: %s', async (text, kind, message, records) => {
    const whole = await readAll(inChunks(text), BOOKINGS)
    expect(whole.problem).toEqual({ kind, message: expect.stringContaining(message), records })
    expect(whole.records).toHaveLength(records)
    expect(await readAll(inChunks(text, 1), BOOKINGS)).toEqual(whole)
  })

  test('readRecords rejects an object where a bare list is expected', async () =>
    expect((await readAll(inChunks('{"a":[]}'), BARE)).problem).toEqual({
      kind: 'not-a-list',
      message: 'the response is an object, not a list',
      records: 0,
    }))

  test.each([
    ['a byte that is never UTF-8', [0xff]],
    ['a truncated character', [0xe5, 0xaf]],
    ['an overlong encoding', [0xc0, 0xaf]],
    ['a lone surrogate', [0xed, 0xa0, 0x80]],
  ])('readRecords yields the records before a record with %s and then fails', async (_what, bytes) => {
    const text = Buffer.concat([Buffer.from('[{"a":"\ufffd"},{"b":"'), Buffer.from(bytes), Buffer.from('"},3]')])
    for (const size of [1, 5, 1000])
      expect(await readAll(inChunks(text, size), BARE)).toEqual({
        records: ['{"a":"\ufffd"}'],
        problem: { kind: 'bad-utf8', message: 'record 2 is not UTF-8', records: 1 },
      })
  })

  test('readRecords yields all complete records before it rethrows an error from the source', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('[{"a":1},{"b"')
      throw new Error('socket hang up')
    }
    const got: string[] = []
    const read = async () => {
      for await (const batch of readRecords(broken(), BARE)) got.push(...batch.map(({ text }) => text))
    }
    await expect(read()).rejects.toThrow('socket hang up')
    expect(got).toEqual(['{"a":1}'])
  })
})

describe('readRecords with lists of an undocumented shape', () => {
  const OPEN = { listMember: 'bookings', otherMembers: ['items', 'data'] }

  test.each([
    ['[1,2]', ['1', '2']],
    ['\ufeff [ ] ', []],
    ['{"bookings":[1,2],"count":2}', ['1', '2']],
    ['{"count":2,"data" : [1,{"data":[3]}]}', ['1', '{"data":[3]}']],
    ['{"bookings":null,"items":[1],"data":7}', ['1']],
    ['{"items":"text","data":{"a":[1]},"bookings":[1]}', ['1']],
    ['{"items":[],"bookings":[1]}', ['1']],
    ['{"bookings":[1],"items":[2]}', ['1']],
    ['{"bookings":null}', []],
    ['{"data":null,"count":3}', []],
    ['{"count":0}', []],
    ['null', []],
    ['\ufeff null \n', []],
  ])('readRecords reads %j regardless of how it is split into chunks', async (text, records) => {
    for (const size of [1000, 1, 2, 5]) {
      expect(await readAll(inChunks(text, size), OPEN)).toMatchObject({ records, end: { records: records.length } })
    }
  })

  test.each([
    ['{"items":[1],"bookings":[2]}', 'malformed', 'the response has two lists, "items" and "bookings"', ['1']],
    ['{"bookings":[1],"bookings":[2]}', 'malformed', 'the member "bookings" is repeated', ['1']],
    ['{"message":"x"}', 'not-a-list', 'the response has no list under "bookings", "items" or "data"', []],
    ['{"count":10}', 'not-a-list', 'the response has no list', []],
    ['"text"', 'not-a-list', 'the response is a string, not a list or an object with a list', []],
    ['nul', 'truncated', 'the response ends before its first record', []],
    ['nulL', 'malformed', 'expected null at byte 3 of the response', []],
    ['null null', 'malformed', 'expected nothing more at byte 5 of the response', []],
    ['{"data":nul}', 'malformed', 'the member "data" is not valid JSON', []],
    ['{"data":}', 'malformed', 'expected a list at byte 8 of the response', []],
    ['[[]', 'truncated', 'the response ends after record 1', ['[]']],
  ])('readRecords rejects %j, which has an undocumented shape, as %s', async (text, kind, message, records) => {
    for (const size of [1000, 1, 2, 5]) {
      const read = await readAll(inChunks(text, size), OPEN)
      expect(read.records).toEqual(records)
      expect(read.problem).toMatchObject({ kind, message: expect.stringContaining(message) })
    }
  })
})

describe('limits of readRecords', () => {
  test('readRecords accepts a record of exactly the maximum size and rejects one that is one byte longer', async () => {
    const options = { listMember: null, maxRecordBytes: 20 }
    const exact = `{"a":"${'x'.repeat(12)}"}`
    for (const size of [1, 3, 19, 20, 21, 1000]) {
      expect((await readAll(inChunks(`[1,${exact},2]`, size), options)).records).toEqual(['1', exact, '2'])
      const over = await readAll(inChunks(`[1,${exact.replace('x', 'xx')},2]`, size), options)
      expect(over.problem).toEqual({ kind: 'too-large', message: 'record 2 is larger than 20 bytes', records: 1 })
    }
  })

  test('readRecords accepts a record of 16 MiB and rejects a larger one before all of it has arrived', async () => {
    const { records, end } = await readAll(inChunks(`[{"a":"${'x'.repeat(16 * MIB - 8)}"}]`, 10, 1400), BARE)
    expect([records[0]?.length, end?.records]).toEqual([16 * MIB, 1])
    let sent = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('[{"a":"')
      for (;;) {
        sent += MIB
        yield Buffer.alloc(MIB, 'x')
      }
    }
    expect((await readAll(endless(), BARE)).problem?.message).toBe('record 1 is larger than 16 MiB')
    expect(sent).toBeLessThan(18 * MIB)
  })

  test('readRecords accepts the maximum nesting depth and rejects one more level', async () => {
    const tooDeep = { kind: 'too-deep', message: 'record 2 is nested more than 256 levels deep', records: 1 }
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    for (const size of [1, 100, 10_000]) {
      expect((await readAll(inChunks(`[1,${nested(256)}]`, size), BARE)).records).toHaveLength(2)
      expect((await readAll(inChunks(`[1,${nested(257)}]`, size), BARE)).problem).toEqual(tooDeep)
    }
  })

  test('readRecords rejects 200,000 levels of nesting without crashing, whether inside or outside a record', async () => {
    const deep = '{"a":['.repeat(200_000)
    expect((await readAll(inChunks(`[${deep}`), BARE)).problem?.kind).toBe('too-deep')
    expect((await readAll(inChunks(`{"meta":${deep}`, 65_536), BOOKINGS)).problem?.kind).toBe('too-deep')
  })

  test('readRecords accepts at most 64 KiB of other members around the list', async () => {
    const filler = 'x'.repeat(40 * 1024)
    const list = `{"a":"${filler}","bookings":[1]}`
    expect((await readAll(inChunks(list), BOOKINGS)).records).toEqual(['1'])
    for (const size of [1000, 1_000_000]) {
      const { records, problem } = await readAll(inChunks(list.replace('}', `,"b":"${filler}"}`), size), BOOKINGS)
      expect(records).toEqual(['1'])
      expect(problem?.message).toBe('the response contains more than 64 KiB outside the list')
    }
  })
})

test('readRecords reads 60 MB of records in a 16 MB heap', async () => {
  const script = `
    import { readRecords } from ${JSON.stringify(new URL('../../../src/base/json/list/read-records.ts', import.meta.url).href)}
    const record = JSON.stringify({ bookingId: 'bk-1', notes: 'Zoë '.repeat(250) })
    async function* answer() {
      yield Buffer.from('{"bookings":[' + record)
      const chunk = Buffer.from((',' + record).repeat(60))
      for (let i = 0; i < 800; i++) yield chunk
      yield Buffer.from(']}')
    }
    let count = 0
    for await (const batch of readRecords(answer(), { listMember: 'bookings' })) count += batch.length
    process.stdout.write(String(count))`
  const run = promisify(execFile)
  const args = ['--max-old-space-size=16', '--input-type=module', '--eval', script]
  expect((await run(process.execPath, args, { timeout: LIMIT_MS })).stdout).toBe('48001')
})

describe('readRecords with lists in random chunks', () => {
  test('readRecords finds the same records as JSON.parse in random lists, however they are split', async () => {
    const random = new RandomJson(seededRandom(20261120))
    for (let round = 0; round < 150; round++) {
      const { text, records } = randomList(random)
      const parsed = JSON.parse(text)
      const whole = await readAll(inChunks(text), BOOKINGS)
      expect(whole.records).toEqual(records)
      expect(whole.records.map((record) => JSON.parse(record))).toEqual(parsed.bookings)
      expect({ ...JSON.parse(JSON.stringify(whole.end?.envelope)), bookings: parsed.bookings }).toEqual(parsed)
      for (const sizes of [[1], [2], randomSizes(random), randomSizes(random)])
        expect(await readAll(inChunks(text, ...sizes), BOOKINGS)).toEqual(whole)
    }
  })

  test('readRecords rejects every damaged list that JSON.parse rejects, however it is split', async () => {
    const random = new RandomJson(seededRandom(4231))
    const kinds = new Map<string, number>()
    for (let round = 0; round < 1500; round++) {
      const bytes = damaged(random, Buffer.from(randomList(random).text))
      const whole = await readAll(inChunks(bytes), BOOKINGS)
      const kind = whole.problem?.kind ?? 'whole'
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      const parsed = parseStrictly(bytes)
      if (kind === 'whole') expect(whole.records.map((record) => JSON.parse(record))).toEqual(parsed?.bookings)
      else if (kind !== 'not-a-list') expect(parsed).toBeUndefined()
      for (const sizes of [[1], randomSizes(random)])
        expect(await readAll(inChunks(bytes, ...sizes), BOOKINGS)).toEqual(whole)
    }
    for (const kind of ['whole', 'malformed', 'truncated', 'bad-utf8', 'not-a-list'])
      expect([kind, kinds.get(kind) ?? 0]).toEqual([kind, expect.toSatisfy((count: number) => count > 10)])
  })
})

function randomList(random: RandomJson): { text: string; records: string[] } {
  const records = Array.from({ length: random.below(6) }, () => random.value())
  const spaced = records.map((record) => random.space() + record + random.space()).join(',')
  const before = random.below(2) === 0 ? '' : `"count"${random.space()}:${random.value(3)},`
  const after = random.below(2) === 0 ? '' : `,"more"${random.space()}:${random.value(3)}${random.space()}`
  const list = `"bookings"${random.space()}:${random.space()}[${spaced}]`
  return { text: `${random.space()}{${before}${list}${after}}${random.space()}`, records }
}

function randomSizes(random: RandomJson): number[] {
  return Array.from({ length: 40 }, () => random.below(12)).concat(5)
}

function damaged(random: RandomJson, bytes: Buffer): Buffer {
  const at = random.below(bytes.length)
  const junk = Buffer.from([[0x22, 0x5c, 0x7d, 0x5d, 0x2c, 0x20, 0xff, 0x31][random.below(8)] ?? 0])
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)]
  const ways = [[before], [before, after], [before, junk, bytes.subarray(at)], [before, junk, after]]
  return Buffer.concat(ways[random.below(ways.length)] ?? [])
}

/** Parses the bytes with a strict decoder and JSON.parse. Returns `undefined` if either rejects them. */
function parseStrictly(bytes: Uint8Array): { bookings?: unknown } | undefined {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as { bookings?: unknown }
  } catch {
    return undefined
  }
}
