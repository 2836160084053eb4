import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readJournal } from '../../../../src/webhooks/events/journal/read-journal.ts'
import { chance } from '../../../money/chance.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { bodiesIn, clockAt, DAY, openTestJournal } from './journals.ts'

const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_127)

const freshJournal = () => join(freshDirectory(), 'hooks.ndjson')

test('readJournal returns exactly the deliveries stored before it started, even if days are closed and compressed while it reads', async () => {
  const path = freshJournal()
  const clock = clockAt('2026-11-20T12:00:00Z')
  const journal = await openTestJournal(path, clock)
  for (const text of ['a', 'b', 'c']) {
    await journal.handle(text)
    clock.advance(DAY)
  }
  const bodies: string[] = []
  for await (const batch of readJournal(path)) {
    for (const { body } of batch) bodies.push(Buffer.from(body).toString())
    // Each batch is one whole file. Close and compress the journal's current file before the reader reaches it.
    await journal.handle('later')
    clock.advance(DAY)
    await journal.tidy()
  }
  expect(bodies).toEqual(['a', 'b', 'c'])
})

test('concurrent readers return every delivery stored before they started, even if days are closed and compressed while they read', async () => {
  const path = freshJournal()
  const clock = clockAt('2026-01-01T00:00:00Z')
  const journal = await openTestJournal(path, clock, 3650 * DAY)
  const random = chance(SEED)
  let stored = 0
  let isWriting = true
  const write = async () => {
    for (let day = 0; day < 60; day++) {
      for (let more = random.integer(0, 3); more > 0; more--) await journal.handle(`${stored++}`)
      clock.advance(DAY)
      if (random.integer(0, 2) > 0) await journal.tidy()
    }
    isWriting = false
  }
  const read = async () => {
    for (let reads = 0; isWriting || reads === 0; reads++) {
      // Let the writer run here, because reading an empty journal never yields to it.
      await setImmediate()
      const before = stored
      const bodies = await bodiesIn(path)
      expect(bodies, `seed ${SEED}`).toEqual(bodies.map((_, at) => `${at}`))
      // The last delivery might not have been written yet.
      expect(bodies.length, `seed ${SEED}`).toBeGreaterThanOrEqual(before - 1)
    }
  }
  await Promise.all([write(), read(), read(), read()])
  expect(await bodiesIn(path)).toHaveLength(stored)
})

test('a closed day can be read on its own, and errors show the file and the line number in that file', async () => {
  const path = freshJournal()
  const clock = clockAt('2026-11-20T12:00:00Z')
  const journal = await openTestJournal(path, clock)
  await journal.handle('a', 'b')
  clock.advance(DAY)
  await journal.handle('c')
  await journal.tidy()
  await journal.close()
  const closed = `${path}.2026-11-20.gz`
  expect(await bodiesIn(closed)).toEqual(['a', 'b'])
  appendFileSync(path, 'milk\n')
  await expect(bodiesIn(path)).rejects.toThrow(`${path}: line 2 is not a delivery`)
  writeFileSync(closed, gzipSync('{"a":1}\n'))
  await expect(bodiesIn(path)).rejects.toThrow(`${closed}: line 1 is not a delivery`)
  writeFileSync(closed, readFileSync(closed).subarray(0, 12))
  await expect(bodiesIn(path)).rejects.toThrow(`cannot read ${closed}: it is damaged (Z_BUF_ERROR)`)
  await expect(bodiesIn(`${path}.2026-01-01.gz`)).rejects.toThrow('no such file or directory')
  await expect(bodiesIn(`${path}.missing`)).rejects.toThrow('no such file or directory')
})
