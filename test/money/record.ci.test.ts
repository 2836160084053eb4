import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../src/base/failure/failure.ts'
import { getCurrentMoment } from '../../src/money/operations/moment.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { NOT_ROOT, needs, skipWithout } from '../support/needs.ts'
import { freshDirectory, runPartner, runShell } from '../support/partner.ts'
import { RAW_KEY, type RawRequest } from '../support/raw-server.ts'
import { expectRefusal, reportedError } from '../support/refusal.ts'
import { FULL_DEVICE, mountSmallDisk, SMALL_DISK } from '../support/small-disk.ts'
import { CARD, COMMAND_LINES, openShop, type Shop, targetOf } from './cashier.ts'
import { COMMANDS } from './till.ts'

const REDEEM = COMMAND_LINES['giftcards redeem']
const WITHOUT_JSON = REDEEM.filter((word) => word !== '--json')

/** Opens a shop with a redemption whose outcome is unknown. */
async function shopInDoubt(): Promise<Shop> {
  const shop = await openShop()
  shop.server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
  expect((await shop.run(...REDEEM)).code).toBe(9)
  return shop
}

function changeWith(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

describe('a damaged record of money writes', () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    'is empty': (file) => truncateSync(file, 0),
    'contains one byte': (file) => truncateSync(file, 1),
    'is truncated in the middle': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
    'is truncated at the end of a page': (file) => truncateSync(file, 4096),
    'is garbage': (file) => writeFileSync(file, 'x'.repeat(10_000)),
    'contains only zeros': (file) => writeFileSync(file, Buffer.alloc(24_576)),
    'is JSON': (file) => writeFileSync(file, '[]\n'),
    'has garbage in its last page': (file) => {
      const bytes = readFileSync(file)
      bytes.fill(0x7f, bytes.byteLength - 4096)
      bytes.fill(0x7f, 4096, 8192)
      writeFileSync(file, bytes)
    },
    'is a database of another application': (file) => {
      writeFileSync(file, '')
      changeWith(file, 'CREATE TABLE notes (text TEXT)')
    },
    'has lost its table': (file) => changeWith(file, 'DROP TABLE operations'),
  }

  test.each(Object.entries(damages))(
    'giftcards redeem exits with code 1 and sends nothing if the database of money writes %s',
    async (_name, damage) => {
      const shop = await shopInDoubt()
      damage(shop.operationsFile)
      const run = await shop.run(...WITHOUT_JSON)
      expectRefusal(run, { code: 1, says: shop.operationsFile, next: /damaged/, secrets: [RAW_KEY] })
      expect(run.stderr).toContain('nothing was sent')
      expect(shop.server.writesOn(CARD)).toBe(1)
      expectRefusal(await shop.run('operations', 'list'), { code: 1, says: shop.operationsFile })
    },
  )

  test.each(COMMANDS)(
    '%s exits with code 1 and sends nothing if the record of money writes is damaged',
    async (command) => {
      const shop = await openShop()
      mkdirSync(dirname(shop.operationsFile), { recursive: true })
      writeFileSync(shop.operationsFile, 'this is no database, and it is long enough to be one of some kind')
      const run = await shop.run(...COMMAND_LINES[command])
      expect(reportedError(run)).toMatchObject({ code: 'INTERNAL', exitCode: 1 })
      expect(shop.server.writesOn(targetOf(command))).toBe(0)
    },
  )

  test('the database of money writes is restored after a process is killed while writing to it', async () => {
    const shop = await shopInDoubt()
    // Create a hot journal, which is what SQLite leaves behind if a process is killed in the middle of a transaction.
    copyFileSync(shop.operationsFile, `${shop.operationsFile}.copy`)
    const database = new DatabaseSync(shop.operationsFile)
    database.exec(
      'PRAGMA journal_mode = DELETE; PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN; DELETE FROM operations',
    )
    for (let row = 0; row < 200; row++) database.exec(`CREATE TABLE t${row} (a)`)
    const journal = `${shop.operationsFile}-journal`
    const halfWritten = [shop.operationsFile, journal].map((path) => [path, readFileSync(path)] as const)
    database.close()
    for (const [path, bytes] of halfWritten) writeFileSync(path, bytes)
    expect(existsSync(journal)).toBe(true)
    expect(await shop.operations()).toMatchObject([{ state: 'open' }])
    expect((await shop.run(...REDEEM)).code).toBe(9)
  })
})

describe('flipped bits in the record of money writes', () => {
  /**
   * Selects one bit of each byte near the rows, and one bit of every eighth byte elsewhere, because most bytes there
   * are zero.
   */
  function bitsToFlip(bytes: Buffer): number[] {
    const text = bytes.indexOf('op_')
    const isNear = (byte: number) => byte < 120 || Math.abs(byte - text) < 600
    return Array.from({ length: bytes.byteLength }, (_, byte) => byte)
      .filter((byte) => isNear(byte) || byte % 8 === 0)
      .map((byte) => byte * 8 + (byte % 8))
  }

  test('a flipped bit is detected or does not affect the open redemption', { timeout: 240_000 }, async () => {
    const shop = await shopInDoubt()
    const whole = readFileSync(shop.operationsFile)
    const file = join(freshDirectory(), 'operations.db')
    const [{ id = '' } = {}] = await shop.operations()
    const seen = { noticed: 0, harmless: 0 }
    for (const bit of bitsToFlip(whole)) {
      const bytes = Buffer.from(whole)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      writeFileSync(file, bytes)
      const open = openIn(file)
      if (open !== null) expect(open, `bit ${bit & 7} of byte ${bit >> 3}`).toEqual([id])
      seen[open === null ? 'noticed' : 'harmless']++
    }
    expect(seen.noticed).toBeGreaterThan(100)
    expect(seen.harmless).toBeGreaterThan(100)
  })
})

/** Returns the IDs of the open operations in a database, or `null` if partner refuses the whole database. */
function openIn(file: string): string[] | null {
  try {
    const store = OperationStore.open(file)
    try {
      const intent = { command: 'giftcards redeem', target: CARD, cents: 2500n, profile: null }
      const [operation] = store.list()
      const same = store.findIdentical({ ...intent, service: operation?.service ?? '' }, getCurrentMoment())
      return same ? [same.id] : []
    } finally {
      store.close()
    }
  } catch (error) {
    if (error instanceof Failure && error.code === 'INTERNAL') return null
    throw error
  }
}

test('an attempt whose response was lost does not change an outcome that has just been recorded', () => {
  const store = OperationStore.open(join(freshDirectory(), 'operations.db'))
  const intent = { command: 'giftcards redeem', target: CARD, cents: 2500n, profile: null, service: 'sandbox' }
  const { id } = store.claim(intent, 30_000, getCurrentMoment(), false)
  store.markSending(id, null, getCurrentMoment())
  store.settle(id, 'applied', 'the balance went from 100.00 to 75.00', getCurrentMoment())
  store.markLost(id, getCurrentMoment())
  expect(store.trouble).toBeNull()
  expect(store.get(id)).toMatchObject({ state: 'applied' })
  store.close()
})

test('a database from the first release is migrated, and its open operations stay open', async () => {
  const shop = await openShop()
  mkdirSync(dirname(shop.operationsFile), { recursive: true })
  const database = new DatabaseSync(shop.operationsFile)
  database.exec(FIRST_RELEASE)
  database
    .prepare(
      `INSERT INTO operations VALUES ('op_0123456789', 'giftcards redeem', ?, ?, '25', NULL, 'open', 'sending', ?, ?, '10000',
        NULL, NULL, 999999999, '1', 0, 1, 2, NULL)`,
    )
    .run(shop.server.baseUrl, CARD, Date.now(), Date.now())
  database.close()
  const id = 'op_0123456789'
  expect(reportedError(await shop.run(...REDEEM))).toMatchObject({ exitCode: 9, details: { operation: id } })
  expect(await shop.operations()).toMatchObject([{ id, state: 'open', amount: '25.00', before: '100.00' }])
  expect((await shop.run('operations', 'resolve', 'op_0123456789')).code).toBe(9)
  shop.age(61_000)
  const resolved = await shop.run('operations', 'resolve', 'op_0123456789', '--json')
  expect(JSON.parse(resolved.stdout)).toMatchObject({ state: 'not-applied' })
})

const FIRST_RELEASE = `
  CREATE TABLE operations (
    id TEXT PRIMARY KEY, command TEXT NOT NULL, service TEXT NOT NULL, target TEXT NOT NULL, amount TEXT,
    profile TEXT, state TEXT NOT NULL, phase TEXT NOT NULL, startedAt INTEGER NOT NULL, sentAt INTEGER,
    before TEXT, how TEXT, endedAt INTEGER, pid INTEGER NOT NULL, born TEXT, forced INTEGER NOT NULL,
    claimedStep INTEGER NOT NULL, sentStep INTEGER, endedStep INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX one_open ON operations (service, command, target, coalesce(amount, '')) WHERE state = 'open' AND forced = 0;
  CREATE INDEX on_target ON operations (service, target);
  CREATE TABLE steps (last INTEGER NOT NULL) STRICT;
  INSERT INTO steps VALUES (2);
  PRAGMA user_version = 1;
`

describe('a record of money writes that cannot be written', () => {
  const places: Readonly<Record<string, () => string>> = {
    'its directory cannot be created': () => '/proc/partner-data',
    'a file exists instead of a parent directory': () => {
      const file = join(freshDirectory(), 'a-file')
      writeFileSync(file, '')
      return join(file, 'data')
    },
    'its path is a directory': () => {
      const data = freshDirectory()
      mkdirSync(join(data, 'operations.db'))
      return data
    },
  }

  test.each(Object.entries(places))(
    'money writes send nothing if the record cannot be written because %s',
    async (_name, place) => {
      const shop = await openShop()
      const data = place()
      for (const command of COMMANDS) {
        const run = await runPartner(COMMAND_LINES[command], { env: { ...shop.env, PARTNER_DATA_DIR: data } })
        expect(reportedError(run)).toMatchObject({ code: 'INTERNAL', exitCode: 1 })
        expect(run.stderr).toContain(data)
      }
      const isWrite = ({ method, target }: RawRequest) => method !== 'GET' && !target.endsWith('/balance')
      expect(shop.server.requests.filter(isWrite)).toEqual([])
    },
  )

  test("giftcards redeem sends nothing if the database's directory is read-only", async (context) => {
    skipWithout(context, NOT_ROOT)
    const shop = await openShop()
    mkdirSync(dirname(shop.operationsFile), { recursive: true })
    chmodSync(dirname(shop.operationsFile), 0o500)
    expectRefusal(await shop.run(...WITHOUT_JSON), { code: 1, says: shop.operationsFile })
    expect(shop.server.writesOn(CARD)).toBe(0)
  })
})

describe('money writes on a full disk', () => {
  needs(SMALL_DISK)

  const fill = (disk: string) => {
    for (const size of [4096, 512, 64, 1])
      try {
        for (;;) writeFileSync(join(disk, 'filler'), Buffer.alloc(size), { flag: 'a' })
      } catch {
        // The disk has no space for another chunk of this size. Continue with the next size.
      }
  }

  test('giftcards redeem sends nothing if the disk is full and the database does not exist yet', async () => {
    const shop = await openShop()
    const disk = mountSmallDisk(256)
    fill(disk)
    const run = await runPartner(WITHOUT_JSON, { env: { ...shop.env, PARTNER_DATA_DIR: disk } })
    expectRefusal(run, { code: 1, says: /full|space/, next: /free up disk space/ })
    expect(run.stderr).toContain(disk)
    expect(shop.server.writesOn(CARD)).toBe(0)
  })

  test('giftcards redeem sends nothing if the disk is full and the database already exists', async () => {
    const shop = await openShop()
    const disk = mountSmallDisk(256)
    const env = { ...shop.env, PARTNER_DATA_DIR: disk }
    expect((await runPartner(WITHOUT_JSON, { env })).code).toBe(0)
    fill(disk)
    const run = await runPartner(WITHOUT_JSON, { env })
    expectRefusal(run, { code: 1, says: /full|space/ })
    expect(shop.server.writesOn(CARD)).toBe(1)
  })

  test('giftcards redeem succeeds with a warning if the disk fills up before the response arrives', async () => {
    const disk = mountSmallDisk(256)
    const shop = await openShop(() => fill(disk))
    const env = { ...shop.env, PARTNER_DATA_DIR: disk }
    const run = await runPartner(REDEEM, { env })
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ isSuccess: true, amountRedeemed: 25 })
    expect(run.stderr).toMatch(/^warning: op_\w+ could not be updated: .*(full|space)/)
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })
})

describe('redemptions whose output cannot be written', () => {
  const shell = (shop: Shop, line: string) => runShell(`partner ${line}`, { env: shop.env })

  test('giftcards redeem warns against repeating a completed redemption if its output cannot be written', async (context) => {
    skipWithout(context, FULL_DEVICE)
    const shop = await openShop()
    const run = await shell(shop, `${WITHOUT_JSON.join(' ')} > /dev/full`)
    const says = 'the change was made, but its response could not be printed'
    expectRefusal(run, { code: 1, says, next: /do not repeat it/ })
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })

  test('giftcards redeem exits with code 13 if its output pipe is closed, and its operation can be resolved', async () => {
    const shop = await openShop()
    const run = await shell(shop, `${REDEEM.join(' ')} | true; exit $PIPESTATUS`)
    expect(reportedError(run)).toMatchObject({ code: 'INCOMPLETE', exitCode: 13, outcome: 'applied' })
    const [operation] = await shop.operations()
    expect((await shop.run('operations', 'resolve', operation?.id ?? '')).code).toBe(0)
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
    expect(shop.server.commitsOn(CARD)).toBe(1)
  })

  test('giftcards redeem succeeds even if stderr cannot be written', async (context) => {
    skipWithout(context, FULL_DEVICE)
    const shop = await openShop()
    const run = await shell(shop, `${REDEEM.join(' ')} -v 2> /dev/full`)
    expect(run.code).toBe(0)
    expect(JSON.parse(run.stdout)).toMatchObject({ isSuccess: true })
  })
})
