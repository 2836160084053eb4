import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import {
  getSqliteCode,
  isDamaged,
  loadSqlite,
  SQLITE,
  switchToWal,
  transaction,
} from '../../../src/base/storage/sqlite.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { freshDirectory } from '../../support/partner.ts'

const freshPath = () => join(freshDirectory(), 'notes.db')

function open(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path, { timeout: 0 })
  onTestFinished(() => database.close())
  return database
}

function notebook(path = freshPath()): DatabaseSync {
  const database = open(path)
  database.exec('CREATE TABLE IF NOT EXISTS notes (text TEXT)')
  return database
}

const write = (database: DatabaseSync, text: string) => database.prepare('INSERT INTO notes VALUES (?)').run(text)
const read = (database: DatabaseSync) => {
  const rows = database.prepare('SELECT text FROM notes').all()
  return rows.map(({ text }) => text)
}

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test("a transaction commits what its callback wrote and returns the callback's result", () => {
  const database = notebook()
  expect(transaction(database, () => Number(write(database, 'kept').changes))).toBe(1)
  expect(read(database)).toEqual(['kept'])
})

test('a transaction rolls back and rethrows the error if its callback throws', () => {
  const database = notebook()
  const work = () => {
    write(database, 'lost')
    throw new Error('changed my mind')
  }
  expect(() => transaction(database, work)).toThrow('changed my mind')
  expect(read(database)).toEqual([])
  transaction(database, () => write(database, 'the next one works'))
  expect(read(database)).toEqual(['the next one works'])
})

test('a nested transaction is rolled back with the outer one', () => {
  const database = notebook()
  const work = () => {
    transaction(database, () => write(database, 'inner'))
    throw new Error('the outer one fails')
  }
  expect(() => transaction(database, work)).toThrow('the outer one fails')
  expect(read(database)).toEqual([])
})

test('a transaction does not run its callback while another connection is writing', () => {
  const path = freshPath()
  const [one, other] = [notebook(path), open(path)]
  const error = transaction(one, () => thrownBy(() => transaction(other, () => expect.unreachable('it began'))))
  expect(getSqliteCode(error)).toBe(SQLITE.BUSY)
  expect(isDamaged(error)).toBe(false)
})

test('isDamaged returns true only for a file that is not a database', () => {
  const path = freshPath()
  writeFileSync(path, 'no database, but as long as one '.repeat(100))
  const database = open(path)
  const error = thrownBy(() => transaction(database, () => undefined))
  expect([getSqliteCode(error), isDamaged(error)]).toEqual([SQLITE.NOTADB, true])
  expect([getSqliteCode(new Error('other')), getSqliteCode(null), isDamaged(undefined)]).toEqual([null, null, false])
})

test('switchToWal waits for a process that is reading, although SQLite itself fails immediately', async () => {
  const path = freshPath()
  notebook(path)
  const released = `${path}.released`
  const script = `const database = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)})
    database.exec('BEGIN; SELECT * FROM notes')
    database.prepare('SELECT count(*) FROM notes').get()
    console.log('held')
    const timer = setInterval(() => {
      if (!require('node:fs').existsSync(${JSON.stringify(released)})) return
      clearInterval(timer)
      database.close()
    }, 5)`
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], timeout: LIMIT_MS })
  await once(holder.stdout, 'data')
  const database = open(path)
  const refused: unknown[] = []
  const exec = database.exec.bind(database)
  database.exec = (sql) => {
    try {
      exec(sql)
    } catch (error) {
      refused.push(error)
      writeFileSync(released, '')
      throw error
    }
  }
  switchToWal(database, LIMIT_MS)
  expect(refused.map(getSqliteCode)).toContain(SQLITE.BUSY)
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
})

test('switchToWal fails after its timeout', () => {
  const path = freshPath()
  notebook(path).exec('BEGIN EXCLUSIVE')
  expect(getSqliteCode(thrownBy(() => switchToWal(open(path), 0)))).toBe(SQLITE.BUSY)
})
