import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { deliveryLine } from '../../../../src/webhooks/events/journal/entry.ts'
import { skipWithout } from '../../../support/needs.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { mountSmallDisk, SMALL_DISK } from '../../../support/small-disk.ts'
import { bodiesIn, clockAt, DAY, filesOf, openTestJournal } from './journals.ts'

const freshJournal = () => join(freshDirectory(), 'hooks.ndjson')

/** Returns a journal line as a listener without `--keep` writes it. */
function lineOf(text: string, time: string): string {
  return deliveryLine({ timeMs: Date.parse(time), headers: {}, body: Buffer.from(text), verdict: 'new' })
}

describe('daily journal rotation', () => {
  test("the first delivery of a UTC day closes the previous day's file, which is then compressed", async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T23:59:59.999Z')
    const journal = await openTestJournal(path, clock)
    await journal.handle('a', 'b')
    clock.advance(1)
    await journal.handle('c')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: 'c+', 'J.2026-11-27.gz': 'a+ b+' })
    expect(await bodiesIn(path)).toEqual(['a', 'b', 'c'])
  })

  test("a day's file is closed at the end of the day even if no more deliveries arrive", async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T12:00:00Z')
    const journal = await openTestJournal(path, clock)
    await journal.handle('a')
    clock.advance(DAY)
    await journal.tidy()
    clock.advance(DAY)
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: '', 'J.2026-11-27.gz': 'a+' })
    await journal.handle('b')
    clock.advance(DAY)
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: '', 'J.2026-11-27.gz': 'a+', 'J.2026-11-29.gz': 'b+' })
  })

  test("a day's file is not compressed while one of its deliveries is being handled", async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T23:59:59Z')
    const journal = await openTestJournal(path, clock)
    const settle = await journal.store('a')
    clock.advance(2000)
    await journal.handle('b')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: 'b+', 'J.2026-11-27': 'a' })
    expect(await bodiesIn(path)).toEqual(['a', 'b'])
    await settle(true)
    await journal.close()
    const next = await openTestJournal(path, clock)
    await next.tidy()
    expect(filesOf(path)).toEqual({ J: 'b+', 'J.2026-11-27.gz': 'a+' })
  })

  test("deliveries that arrive together around midnight are stored in the correct day's file", async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T23:59:59.998Z')
    const journal = await openTestJournal(path, clock)
    const stored = Array.from({ length: 6 }, (_, at) => {
      const storing = journal.store(`${at}`)
      clock.advance(1)
      return storing
    })
    for (const settle of await Promise.all(stored)) await settle(true)
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: '2+ 3+ 4+ 5+', 'J.2026-11-27.gz': '0+ 1+' })
  })

  test("a listener that starts closes an earlier day's file and loads the deliveries from closed days", async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T12:00:00Z')
    const first = await openTestJournal(path, clock)
    await first.handle('a')
    await first.close()
    clock.advance(3 * DAY)
    const second = await openTestJournal(path, clock)
    await second.handle('b')
    await second.tidy()
    await second.close()
    expect(filesOf(path)).toEqual({ J: 'b+', 'J.2026-11-27.gz': 'a+' })
    expect((await openTestJournal(path, clock, null)).known).toEqual(['a', 'b'])
  })

  test('a journal written without --keep becomes a single closed file, which is named after its last day and never dropped', async () => {
    const path = freshJournal()
    writeFileSync(path, lineOf('a', '2025-01-01T00:00:00Z') + lineOf('b', '2025-03-01T12:00:00Z'))
    const journal = await openTestJournal(path, clockAt('2026-11-27T12:00:00Z'))
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: '', 'J.2025-03-01.gz': 'a b' })
    expect(journal.told).toEqual([
      `2 deliveries in ${path}.2025-03-01.gz are older than 90d, but not known to be handled, so they stay there`,
    ])
  })

  test("closed days keep the journal's file mode", async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T12:00:00Z')
    const journal = await openTestJournal(path, clock)
    await journal.handle('a')
    chmodSync(path, 0o640)
    clock.advance(DAY)
    await journal.handle('b')
    await journal.tidy()
    expect([path, `${path}.2026-11-27.gz`].map((one) => statSync(one).mode & 0o777)).toEqual([0o640, 0o640])
  })
})

describe('clock changes', () => {
  test('a small clock correction at midnight does not close the file again', async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T23:00:00Z')
    const journal = await openTestJournal(path, clock)
    await journal.handle('a')
    clock.set('2026-11-28T00:00:00.2Z')
    await journal.handle('b')
    clock.set('2026-11-27T23:59:59.9Z')
    await journal.handle('c')
    clock.set('2026-11-28T00:00:00Z')
    await journal.handle('d')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: 'b+ c+ d+', 'J.2026-11-27.gz': 'a+' })
  })

  test('no delivery is lost or duplicated if the clock is wrong by years in either direction', async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T10:00:00Z')
    const journal = await openTestJournal(path, clock, 3650 * DAY)
    for (const time of ['2026-11-27T11', '2031-01-01T00', '2026-11-27T12', '2020-01-01T00', '2026-11-27T13']) {
      clock.set(`${time}:00:00Z`)
      await journal.handle(time)
      await journal.tidy()
    }
    expect(filesOf(path)).toEqual({
      'J.2020-01-01.gz': '2020-01-01T00+',
      'J.2026-11-27.gz': '2026-11-27T11+',
      'J.2026-11-27.2.gz': '2026-11-27T12+',
      'J.2031-01-01.gz': '2031-01-01T00+',
      J: '2026-11-27T13+',
    })
    expect((await bodiesIn(path)).sort()).toEqual(
      ['2020-01-01T00', '2026-11-27T11', '2026-11-27T12', '2026-11-27T13', '2031-01-01T00'].sort(),
    )
  })

  test('the parts of one day are read in the order in which they were written', async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-27T10:00:00Z')
    const journal = await openTestJournal(path, clock, 3650 * DAY)
    const days = Array.from({ length: 12 }, (_, at) => `${at}`)
    for (const day of days) {
      clock.set('2026-11-27T10:00:00Z')
      await journal.handle(day)
      clock.set('2019-01-01T10:00:00Z')
      await journal.tidy()
    }
    expect(await bodiesIn(path)).toEqual(days)
    expect(existsSync(`${path}.2026-11-27.12.gz`)).toBe(true)
  })
})

describe('--keep', () => {
  test('--keep drops only handled deliveries, and only once their entire day is older than the given age', async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-20T12:00:00Z')
    const journal = await openTestJournal(path, clock, 2 * DAY)
    await journal.handle('a', 'b')
    clock.advance(DAY)
    await journal.handle('c')
    const settle = await journal.store('d')
    await settle(false)
    await journal.handle('e')
    clock.advance(DAY)
    await journal.handle('f')
    clock.set('2026-11-22T23:59:59Z')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ 'J.2026-11-20.gz': 'a+ b+', 'J.2026-11-21.gz': 'c+ d e+', J: 'f+' })
    clock.set('2026-11-23T00:00:00Z')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ 'J.2026-11-21.gz': 'c+ d e+', 'J.2026-11-22.gz': 'f+', J: '' })
    expect(journal.told).toEqual([])
    clock.advance(30 * DAY)
    await journal.tidy()
    await journal.tidy()
    expect(filesOf(path)).toEqual({ 'J.2026-11-21.gz': 'd', J: '' })
    expect(journal.told).toEqual([
      `1 delivery in ${path}.2026-11-21.gz is older than 2d, but not known to be handled, so it stays there`,
    ])
  })

  test('--keep does not drop a delivery that was being handled when the listener was killed', async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-20T12:00:00Z')
    const killed = await openTestJournal(path, clock, DAY)
    await killed.handle('a')
    const settle = await killed.store('b')
    // Copy the journal, as if the listener had been killed now.
    const copy = freshJournal()
    writeFileSync(copy, readFileSync(path))
    clock.advance(30 * DAY)
    const next = await openTestJournal(copy, clock, DAY)
    await next.tidy()
    expect(filesOf(copy)).toEqual({ J: '', 'J.2026-11-20.gz': 'b' })
    await settle(true)
  })

  test('without --keep, a listener does not close the file, mark deliveries as handled, or drop closed days', async () => {
    const path = freshJournal()
    const clock = clockAt('2026-11-20T12:00:00Z')
    const keeping = await openTestJournal(path, clock, DAY)
    await keeping.handle('a')
    clock.advance(DAY)
    await keeping.handle('b')
    await keeping.tidy()
    await keeping.close()
    clock.advance(100 * DAY)
    const journal = await openTestJournal(path, clock, null)
    await journal.handle('c')
    clock.advance(DAY)
    await journal.handle('d')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ 'J.2026-11-20.gz': 'a+', J: 'b+ c d' })
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? ''))).toEqual([
      ...['time', 'headers', 'bodyBase64', 'verdict'],
    ])
  })

  test("a user's files with similar names are neither read nor changed", async () => {
    const path = freshJournal()
    const others = [
      ...['2026-02-30', '2026-11-20.gz.bak', '2026-11-20.1', '2026-11-20.02.gz', '2026-11-20-old', '20261120.gz'],
      ...['2026-11-20.txt', 'old', '1.gz'],
    ].map((suffix) => `${path}.${suffix}`)
    for (const other of [...others, path.replace('.ndjson', '.2026-11-20.ndjson')]) writeFileSync(other, 'mine')
    mkdirSync(`${path}.2026-11-27`)
    const clock = clockAt('2026-11-27T12:00:00Z')
    const journal = await openTestJournal(path, clock, DAY)
    await journal.handle('a')
    clock.advance(DAY)
    await journal.tidy()
    expect(await bodiesIn(path)).toEqual(['a'])
    for (const other of others) expect(readFileSync(other, 'utf8')).toBe('mine')
    expect(existsSync(`${path}.2026-11-27.2.gz`)).toBe(true)
  })

  test('a damaged closed day is reported only once and does not prevent other days from being dropped', async () => {
    const path = freshJournal()
    writeFileSync(`${path}.2026-11-19.gz`, 'not compressed')
    const clock = clockAt('2026-11-20T12:00:00Z')
    await expect(openTestJournal(path, clock, DAY)).rejects.toThrow(
      `cannot read ${path}.2026-11-19.gz: it is damaged (Z_DATA_ERROR)`,
    )
    renameSync(`${path}.2026-11-19.gz`, `${path}.away`)
    const journal = await openTestJournal(path, clock, DAY)
    await journal.handle('a')
    renameSync(`${path}.away`, `${path}.2026-11-19.gz`)
    clock.advance(9 * DAY)
    await journal.tidy()
    await journal.tidy()
    expect(existsSync(`${path}.2026-11-20.gz`)).toBe(false)
    expect(journal.told).toEqual([
      `cannot read ${path}.2026-11-19.gz: it is damaged (Z_DATA_ERROR); will try again later`,
    ])
  })
})

describe('a full disk', () => {
  test('on a full disk, old deliveries are dropped, and days are compressed only after space is freed', async (context) => {
    skipWithout(context, SMALL_DISK)
    const disk = mountSmallDisk(256)
    const path = join(disk, 'hooks.ndjson')
    const clock = clockAt('2026-11-20T12:00:00Z')
    const journal = await openTestJournal(path, clock, DAY)
    const large = randomBytes(60_000).toString('latin1')
    await journal.handle(large)
    fill(disk)
    clock.set('2026-11-22T00:00:00Z')
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: '' })
    await journal.handle(large.slice(1))
    fill(disk)
    clock.set('2026-11-23T00:00:00Z')
    await journal.tidy()
    await journal.tidy()
    expect(filesOf(path)).toEqual({ J: '', 'J.2026-11-22': expect.stringMatching(/\+$/) })
    expect(journal.told).toEqual([
      expect.stringMatching(/^cannot write .*22\.gz: no space left on device.* will try again later$/),
    ])
    rmSync(join(disk, 'filler'))
    await journal.tidy()
    expect(Object.keys(filesOf(path))).toEqual(['J', 'J.2026-11-22.gz'])
    expect(await bodiesIn(path)).toHaveLength(1)
  })
})

/** Fills a disk with a file named `filler`. */
function fill(disk: string): void {
  const descriptor = openSync(join(disk, 'filler'), 'a')
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(4096))
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' })
  } finally {
    closeSync(descriptor)
  }
}

test('files left behind by killed listeners are read without duplicates and cleaned up by the next listener', async () => {
  const path = freshJournal()
  const line = (text: string, time: string) => lineOf(text, time).replace('"new"}', '"new","handled":1}')
  const [a, b] = [line('a', '2026-11-19T12:00:00Z'), line('b', '2026-11-20T12:00:00Z')]
  // One listener was killed after it compressed a day but before it removed the uncompressed file.
  writeFileSync(`${path}.2026-11-19.gz`, gzipSync(a))
  writeFileSync(`${path}.2026-11-19`, a)
  // Other listeners were killed while they compressed a day, and between the two renames that close a day. The
  // journal's own file is therefore missing.
  writeFileSync(`${path}.2026-11-20`, b)
  writeFileSync(join(path, '..', '.hooks.ndjson.4711-abc.tmp'), '')
  writeFileSync(join(path, '..', '.hooks.ndjson.2026-11-20.gz.4711-abc.tmp'), gzipSync(b).subarray(0, 9))
  expect(await bodiesIn(path)).toEqual(['a', 'b'])
  const journal = await openTestJournal(path, clockAt('2026-11-21T12:00:00Z'))
  await journal.tidy()
  expect(journal.known).toEqual(['a', 'b'])
  expect(filesOf(path)).toEqual({ J: '', 'J.2026-11-19.gz': 'a+', 'J.2026-11-20.gz': 'b+' })
})
