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
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { getTemporaryPath, removeAbandonedWrites, writeFileDurably } from '../../../src/base/storage/durable-write.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, startProgram } from '../../support/partner.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { until } from '../../support/until.ts'

const SOURCE = new URL('../../../src/base/storage/durable-write.ts', import.meta.url).href
let root: string
let path: string
beforeEach(() => {
  root = freshDirectory()
  path = join(root, 'file.json')
})

const mode = (file: string) => (statSync(file).mode & 0o7777).toString(8)

/** Runs a shell command such as `ulimit` and then writes a file, in a separate process. Prints the error, if any. */
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

test.each(['{"näme":"✓"}\n', ''])(
  'writeFileDurably replaces the whole file with %j in UTF-8 and leaves no other file behind',
  (text) => {
    writeFileDurably(path, 'old')
    writeFileDurably(path, text)
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(readdirSync(root)).toEqual(['file.json'])
  },
)

test.each([
  [0o000, 0o600],
  [0o077, 0o640],
  [0o777, 0o600],
])('with the umask %o, writeFileDurably still creates a file with exactly the mode %o', (umask, expected) => {
  const before = process.umask(umask)
  try {
    writeFileDurably(path, 'x', expected)
  } finally {
    process.umask(before)
  }
  expect(mode(path)).toBe(expected.toString(8))
})

test('writeFileDurably makes a file private if other users could read it', () => {
  writeFileSync(path, 'old', { mode: 0o644 })
  writeFileDurably(path, 'new')
  expect(mode(path)).toBe('600')
})

test('writeFileDurably refuses a symbolic link instead of following or replacing it', () => {
  const elsewhere = join(root, 'elsewhere')
  writeFileSync(elsewhere, 'theirs')
  symlinkSync(elsewhere, path)
  expect(() => writeFileDurably(path, 'ours')).toThrow(/is a symbolic link \(to .*elsewhere\)/)
  expect(readFileSync(elsewhere, 'utf8')).toBe('theirs')
  expect(readlinkSync(path)).toBe(elsewhere)
})

test('writeFileDurably refuses a dangling symbolic link', () => {
  symlinkSync(join(root, 'nowhere'), path)
  expect(() => writeFileDurably(path, 'ours')).toThrow(/is a symbolic link/)
  expect(existsSync(join(root, 'nowhere'))).toBe(false)
})

test('writeFileDurably explains why it refuses a directory, a device or a missing parent directory', () => {
  mkdirSync(path)
  expect(() => writeFileDurably(path, 'x')).toThrow(/is a directory/)
  expect(() => writeFileDurably('/dev/null', 'x')).toThrow(/is a device, not a plain file/)
  expect(() => writeFileDurably(join(root, 'no', 'where'), 'x')).toThrow(
    /cannot write .*no such file or directory \(ENOENT\)/,
  )
})

test('writeFileDurably supports the longest name that the file system allows', () => {
  const long = join(root, 'é'.repeat(127))
  writeFileDurably(long, 'x')
  expect(readFileSync(long, 'utf8')).toBe('x')
})

test('writeFileDurably keeps the old file unchanged and leaves no other file behind if the new file exceeds a size limit', () => {
  writeFileDurably(path, 'the old content')
  const { stdout } = writeElsewhere('ulimit -f 1', path, 100_000)
  expect(stdout).toMatch(/^INTERNAL: cannot write .*file too large \(EFBIG\)/)
  expect(readFileSync(path, 'utf8')).toBe('the old content')
  expect(readdirSync(root)).toEqual(['file.json'])
})

test('writeFileDurably keeps the old file unchanged and leaves no other file behind if the disk is full', (context) => {
  skipWithout(context, SMALL_DISK)
  const disk = mountSmallDisk(64)
  const full = join(disk, 'file.json')
  writeFileDurably(full, 'the old content')
  expect(() => writeFileDurably(full, 'n'.repeat(100_000))).toThrow(/no space left on device \(ENOSPC\)/)
  expect(readFileSync(full, 'utf8')).toBe('the old content')
  expect(readdirSync(disk)).toEqual(['file.json'])
})

test('a replaced file contains either all of the old text or all of the new text, even if the writer is killed', async () => {
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

test.each(['file.json', `${'a'.repeat(80)}.ndjson`])(
  'removeAbandonedWrites removes the temporary files of %s, but not those of files whose names start with that name',
  (name) => {
    const [own, longer] = [join(root, name), join(root, `${name}.compact`)].map(getTemporaryPath) as [string, string]
    const others = [longer, join(root, '.other.json.1-abc.tmp'), join(root, `${name}.tmp`)]
    for (const file of [own, ...others]) writeFileSync(file, '')
    removeAbandonedWrites(join(root, name))
    expect(readdirSync(root).sort()).toEqual(others.map((file) => basename(file)).sort())
  },
)
