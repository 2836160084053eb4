import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { removeAbandonedWrites, writeFileDurably } from '../../../src/base/storage/durable-write.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { standBackWithout } from '../../support/needs.ts'
import { freshDirectory, startProgram } from '../../support/partner.ts'
import { SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'

const SOURCE = new URL('../../../src/base/storage/durable-write.ts', import.meta.url).href
let root: string
let path: string
beforeEach(() => {
  root = freshDirectory()
  path = join(root, 'file.json')
})

const mode = (file: string) => (statSync(file).mode & 0o7777).toString(8)

/** Writes in a process of its own, after a shell command such as `ulimit`; prints what went wrong. */
function writeElsewhere(before: string, target: string, length: number) {
  const script = `import(${JSON.stringify(SOURCE)}).then(({ writeFileDurably }) => {
    try { writeFileDurably(${JSON.stringify(target)}, 'n'.repeat(${length})); console.log('written') }
    catch (error) { console.log(error.code + ': ' + error.message) }
  })`
  return spawnSync('bash', ['-c', `${before}; exec "$0" -e "$1"`, process.execPath, script], {
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
}

test.each(['{"näme":"✓"}\n', ''])('replaces the whole file with %j, in UTF-8, and leaves no other file', (text) => {
  writeFileDurably(path, 'old')
  writeFileDurably(path, text)
  expect(readFileSync(path, 'utf8')).toBe(text)
  expect(readdirSync(root)).toEqual(['file.json'])
})

test.each([
  [0o000, 0o600],
  [0o077, 0o640],
  [0o777, 0o600],
])('under the umask %o the file has exactly the mode %o', (umask, wanted) => {
  const before = process.umask(umask)
  try {
    writeFileDurably(path, 'x', wanted)
  } finally {
    process.umask(before)
  }
  expect(mode(path)).toBe(wanted.toString(8))
})

test('a file that others could read is private afterwards', () => {
  writeFileSync(path, 'old', { mode: 0o644 })
  writeFileDurably(path, 'new')
  expect(mode(path)).toBe('600')
})

test('a symbolic link is refused and neither followed nor replaced', () => {
  const elsewhere = join(root, 'elsewhere')
  writeFileSync(elsewhere, 'theirs')
  symlinkSync(elsewhere, path)
  expect(() => writeFileDurably(path, 'ours')).toThrow(/is a symbolic link \(to .*elsewhere\)/)
  expect(readFileSync(elsewhere, 'utf8')).toBe('theirs')
  expect(readlinkSync(path)).toBe(elsewhere)
})

test('a link that leads nowhere is refused too', () => {
  symlinkSync(join(root, 'nowhere'), path)
  expect(() => writeFileDurably(path, 'ours')).toThrow(/is a symbolic link/)
  expect(existsSync(join(root, 'nowhere'))).toBe(false)
})

test('refuses a directory, a device and a missing directory in plain words', () => {
  mkdirSync(path)
  expect(() => writeFileDurably(path, 'x')).toThrow(/is a directory/)
  expect(() => writeFileDurably('/dev/null', 'x')).toThrow(/is not a plain file/)
  expect(() => writeFileDurably(join(root, 'no', 'where'), 'x')).toThrow(
    /cannot write .*no such file or directory \(ENOENT\)/,
  )
})

test('writes to the longest name that the file system allows', () => {
  const long = join(root, 'é'.repeat(127))
  writeFileDurably(long, 'x')
  expect(readFileSync(long, 'utf8')).toBe('x')
})

test('a write that exceeds a limit keeps the old file, and leaves no other file', () => {
  writeFileDurably(path, 'the old content')
  const { stdout } = writeElsewhere('ulimit -f 1', path, 100_000)
  expect(stdout).toMatch(/^INTERNAL: cannot write .*file too large \(EFBIG\)/)
  expect(readFileSync(path, 'utf8')).toBe('the old content')
  expect(readdirSync(root)).toEqual(['file.json'])
})

test('a full disk keeps the old file, and leaves no other file', (context) => {
  standBackWithout(context, SMALL_DISK)
  const disk = smallDisk(64)
  const full = join(disk, 'file.json')
  writeFileDurably(full, 'the old content')
  expect(() => writeFileDurably(full, 'n'.repeat(100_000))).toThrow(/no space left on device \(ENOSPC\)/)
  expect(readFileSync(full, 'utf8')).toBe('the old content')
  expect(readdirSync(disk)).toEqual(['file.json'])
})

test('readers see the old or the new text and never a part, even when the writer is killed', async () => {
  const size = 300_000
  writeFileDurably(path, 'o'.repeat(size))
  const script = `import(${JSON.stringify(SOURCE)}).then(({ writeFileDurably }) => {
    for (let i = 0; ; i++) {
      writeFileDurably(${JSON.stringify(path)}, (i % 2 ? 'a' : 'b').repeat(${size}))
      if (i === 0) console.log('written')
    }
  })`
  for (let round = 0; round < 5; round += 1) {
    const writer = startProgram(process.execPath, ['-e', script])
    await until(() => writer.said.stdout !== '')
    await delay(round * 7)
    writer.process.kill('SIGKILL')
    await writer.ended
    const text = readFileSync(path, 'utf8')
    expect(text.length).toBe(size)
    expect(new Set(text).size).toBe(1)
  }
  removeAbandonedWrites(path)
  expect(readdirSync(root)).toEqual(['file.json'])
})

test('tidying up removes only what writers of this file left behind', () => {
  for (const name of ['.file.json.1-abc.tmp', '.other.json.1-abc.tmp', 'file.json.tmp'])
    writeFileSync(join(root, name), '')
  removeAbandonedWrites(path)
  expect(readdirSync(root).sort()).toEqual(['.other.json.1-abc.tmp', 'file.json.tmp'])
})
