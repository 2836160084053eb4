import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { readLockHolder, tryLock, withLock } from '../../../src/base/storage/lock.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { freshDirectory } from '../../support/partner.ts'

const LOCK = new URL('../../../src/base/storage/lock.ts', import.meta.url).href
const SQLITE = new URL('../../../src/base/storage/sqlite.ts', import.meta.url).href
let root: string
let path: string
beforeEach(() => {
  root = freshDirectory()
  path = join(root, 'sync.lock')
})

/** Starts a process that acquires and keeps the lock. Resolves when it holds the lock. */
async function startHolder(): Promise<ChildProcess> {
  const script = `import(${JSON.stringify(LOCK)}).then(({ tryLock }) => {
    const lock = tryLock(${JSON.stringify(path)}, { command: 'bookings sync' })
    console.log(lock === null ? 'busy' : 'held')
    setTimeout(() => lock, ${LIMIT_MS})
  })`
  const started = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], timeout: LIMIT_MS })
  onTestFinished(() => void started.kill('SIGKILL'))
  const [said] = await once(started.stdout as NodeJS.ReadableStream, 'data')
  expect(String(said).trim()).toBe('held')
  return started
}

test('tryLock creates a private lock file and can acquire the lock again after its release', () => {
  const lock = tryLock(path)
  expect(lock).not.toBeNull()
  expect(tryLock(path)).toBeNull()
  expect((statSync(path).mode & 0o777).toString(8)).toBe('600')
  expect(readdirSync(root).sort()).toEqual(['sync.lock', 'sync.lock.holder'])
  lock?.release()
  lock?.release()
  const again = tryLock(path)
  expect(again).not.toBeNull()
  again?.release()
  expect(readLockHolder(path)).toBeNull()
})

test('withLock fails with LOCKED and names the process that holds the lock', async () => {
  const holder = await startHolder()
  await expect(withLock(path, () => 'never', { what: 'the sync of out.ndjson' })).rejects.toMatchObject({
    code: 'LOCKED',
    exitCode: 12,
    message: expect.stringMatching(
      new RegExp(`^the sync of out.ndjson is locked: process ${holder.pid} \\(bookings sync, since 20\\d\\d-.*Z\\)`),
    ),
    details: { lock: path, holder: { pid: holder.pid, command: 'bookings sync' } },
  })
})

test('a lock is free immediately after its holder is killed', async () => {
  const holder = await startHolder()
  expect(tryLock(path)).toBeNull()
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(readLockHolder(path)).toBeNull()
  const lock = tryLock(path)
  expect(lock).not.toBeNull()
  expect(readLockHolder(path)).toMatchObject({ pid: process.pid })
  lock?.release()
})

test('withLock waits for the lock without blocking the event loop', async () => {
  const lock = tryLock(path)
  setTimeout(() => lock?.release(), 60)
  expect(await withLock(path, () => 'mine', { waitMs: LIMIT_MS })).toBe('mine')
})

test('withLock releases the lock if the work fails', async () => {
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(path, () => 'free')).toBe('free')
})

test('ten processes can increment a counter under a lock without losing an increment', async () => {
  const counter = join(root, 'counter')
  writeFileSync(counter, '0')
  const script = `import(${JSON.stringify(LOCK)}).then(async ({ withLock }) => {
    const { readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
    for (let i = 0; i < 5; i++) await withLock(${JSON.stringify(path)}, async () => {
      const count = Number(readFileSync(${JSON.stringify(counter)}, 'utf8'))
      await new Promise((done) => setTimeout(done, 2))
      writeFileSync(${JSON.stringify(counter)}, String(count + 1))
    }, { waitMs: ${LIMIT_MS} })
  })`
  const runs = Array.from({ length: 10 }, () =>
    once(spawn(process.execPath, ['-e', script], { stdio: 'inherit', timeout: LIMIT_MS }), 'exit'),
  )
  for (const [code] of await Promise.all(runs)) expect(code).toBe(0)
  expect(readFileSync(counter, 'utf8')).toBe('50')
})

test('tryLock explains why a path cannot be a lock file', () => {
  writeFileSync(path, 'something else'.repeat(100))
  expect(() => tryLock(path)).toThrow(/is not a lock file/)
  rmSync(path)
  mkdirSync(path)
  expect(() => tryLock(path)).toThrow(/is a directory/)
  symlinkSync('/etc/hosts', join(root, 'link'))
  expect(() => tryLock(join(root, 'link'))).toThrow(/is a symbolic link/)
  expect(() => tryLock(join(root, 'no', 'where'))).toThrow(/cannot lock .*ENOENT/)
  expect(() => tryLock(join('/proc', 'x.lock'))).toThrow(/cannot lock/)
})

test('readLockHolder returns null if the holder file does not identify a valid process', () => {
  const odd = ['{"pid":-1,"since":"","command":""}', '{"pid":4194304999,"since":"x","command":"y"}']
  for (const text of ['', 'null', '{"pid":"1"}', ...odd]) {
    writeFileSync(`${path}.holder`, text)
    expect(readLockHolder(path)).toBeNull()
  }
})

test('loadSqlite suppresses only the warning about SQLite', () => {
  const script = `import(${JSON.stringify(SQLITE)}).then(({ loadSqlite }) => {
    const { DatabaseSync } = loadSqlite()
    new DatabaseSync(':memory:').exec('select 1')
    loadSqlite()
    process.emitWarning('something else')
  })`
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: LIMIT_MS })
  expect(status).toBe(0)
  expect(stderr).not.toContain('SQLite')
  expect(stderr).toContain('something else')
})
