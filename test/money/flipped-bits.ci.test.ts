import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/base/failure/failure.ts'
import type { Intent, Operation } from '../../src/money/operations/operation.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { chance } from './chance.ts'
import { quickDirectory } from './quick-directory.ts'
import { HISTORIES, SEED } from './seeds.ts'
import { TillClock, Timeline } from './timeline.ts'

/** The number of single-bit flips to try in each database's pages, and again in the row of the open redemption. */
const BITS = HISTORIES

const PAGE_BYTES = 4096
const ROW_BYTES = 600
const HEAD_BYTES = 12
const ATTEMPT_MS = 30_000
const clock = new TillClock(new Timeline(), 3_600_000)

const IN_DOUBT: Intent = {
  command: 'giftcards redeem',
  service: 'https://service.example/v1',
  target: 'FLIPS-00000001-CARD',
  cents: 2500n,
  profile: 'till',
}

interface StoredRecord {
  readonly bytes: Buffer
  /** The open redemption in the database. */
  readonly open: Operation
  /** The offset at which the row of the open redemption ends, in bytes. */
  readonly rowEnd: number
}

/** Creates a database with one open redemption among the given number of settled writes. */
function recordAmong(others: number): StoredRecord {
  const file = OperationStore.pathIn(quickDirectory())
  const store = OperationStore.open(file)
  const write = (intent: Intent) => {
    const { id } = store.claim(intent, ATTEMPT_MS, clock.moment, false)
    store.markSending(id, '{"balance":"10000","status":"Active","total":"10000"}', clock.moment)
    store.markLost(id, clock.moment)
    return id
  }
  const settled = (at: number) => {
    const id = write({ ...IN_DOUBT, target: `FLIPS-${String(at).padStart(8, '0')}-SOME`, cents: BigInt(at) })
    store.settle(id, at % 2 === 0 ? 'applied' : 'not-applied', 'the balance went from 100.00 to 75.00', clock.moment)
  }
  // Insert the open redemption in the middle, so that it shares a page with other rows.
  for (let at = 0; at < others / 2; at++) settled(at)
  const id = write(IN_DOUBT)
  for (let at = Math.ceil(others / 2); at < others; at++) settled(at)
  const open = store.get(id)
  store.close()
  const bytes = readFileSync(file)
  const database = new DatabaseSync(file)
  const seal = String(database.prepare('SELECT seal FROM operations WHERE id = ?').get(id)?.['seal'])
  database.close()
  return { bytes, open, rowEnd: bytes.indexOf(seal) + seal.length }
}

/**
 * Selects random bits in each page and in the row of the open redemption, and all bits in the headers of pages 2 to 4.
 */
function bitsOf({ bytes, rowEnd }: StoredRecord): number[] {
  const random = chance(SEED)
  const within = (from: number, to: number, count: number) =>
    Array.from({ length: count }, () => random.integer(from * 8, to * 8 - 1))
  const pages = Array.from({ length: bytes.byteLength / PAGE_BYTES }, (_, page) => page * PAGE_BYTES)
  const ofPages = pages.flatMap((start) => within(start, start + PAGE_BYTES, Math.ceil(BITS / pages.length)))
  const heads = pages
    .slice(1, 4)
    .flatMap((start) => Array.from({ length: HEAD_BYTES * 8 }, (_, bit) => start * 8 + bit))
  return [...ofPages, ...heads, ...within(rowEnd - ROW_BYTES, rowEnd, BITS)]
}

type Sight = 'refused' | 'seen' | 'hidden'

/**
 * Returns what a till that retries the write finds: a database that is rejected as damaged (`refused`), the open write
 * (`seen`), or no open write (`hidden`).
 */
function sightOf(file: string, open: Operation): Sight {
  try {
    const store = OperationStore.open(file)
    try {
      if (!store.list().some((operation) => isDeepStrictEqual(operation, open))) return 'hidden'
      store.claim(IN_DOUBT, ATTEMPT_MS, clock.moment, false)
      return 'hidden'
    } catch (error) {
      if (error instanceof Failure && error.code === 'OUTCOME_UNKNOWN') return 'seen'
      throw error
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'INTERNAL') return 'refused'
    throw error
  }
}

describe('partner detects flipped bits in the record of money writes', () => {
  test.each([0, 3, 60])(
    'damage from a flipped bit is detected or leaves the open redemption intact among %i other writes',
    (others) => {
      const record = recordAmong(others)
      const { bytes, open } = record
      const file = join(quickDirectory(), 'operations.db')
      const tally = { refused: 0, seen: 0 }
      for (const bit of bitsOf(record)) {
        const changed = Buffer.from(bytes)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        writeFileSync(file, changed)
        const sight = sightOf(file, open)
        if (sight !== 'hidden') tally[sight]++
        expect(sight, `bit ${bit & 7} of byte ${bit >> 3} of ${bytes.byteLength}`).not.toBe('hidden')
      }
      // The test is only meaningful if both outcomes are common.
      expect(tally.refused).toBeGreaterThan(BITS / 4)
      expect(tally.seen).toBeGreaterThan(BITS / 4)
    },
  )
})
