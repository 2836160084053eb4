import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  makeOwnDatabase,
  openOwnFile,
  readOwnText,
  refuseUnlessPlainDatabase,
} from '../../../src/base/storage/own-file.ts'
import { LIMIT_MS } from '../../support/limit.ts'
import { ODD_KINDS, type OddKind, placeOddFile, THEIRS } from '../../support/odd-files.ts'
import { freshDirectory } from '../../support/partner.ts'

const KINDS = Object.keys(ODD_KINDS) as OddKind[]

describe.each(KINDS)("%s at the path of one of partner's own files", (kind) => {
  test.each(['append', 'replace'] as const)(
    `openOwnFile refuses to open ${kind} to %s and writes nothing`,
    async (purpose) => {
      const path = join(freshDirectory(), 'ours')
      const { file, nowhere } = await placeOddFile(kind, path)
      expect(() => openOwnFile(path, purpose)).toThrow(ODD_KINDS[kind])
      expect(() => openOwnFile(path, purpose)).toThrow(path)
      expect(readFileSync(file, 'utf8')).toBe(THEIRS)
      expect(existsSync(nowhere)).toBe(false)
    },
  )

  test.each(['', '-journal', '-wal', '-shm'])(
    `a database is refused if its file with the suffix %j is ${kind}`,
    async (suffix) => {
      const path = join(freshDirectory(), 'ours.db')
      await placeOddFile(kind, path + suffix)
      expect(() => refuseUnlessPlainDatabase(path)).toThrow(ODD_KINDS[kind])
      expect(() => makeOwnDatabase(path)).toThrow(path + suffix)
    },
  )

  test.skipIf(kind === 'a link to a file')(`readOwnText refuses ${kind}`, async () => {
    const path = join(freshDirectory(), 'ours')
    await placeOddFile(kind, path)
    expect(() => readOwnText(path)).toThrow(ODD_KINDS[kind])
  })
})

describe("partner's own files", () => {
  test('openOwnFile creates, replaces and appends to a file that only its owner can access', () => {
    const path = join(freshDirectory(), 'ours')
    for (const [purpose, text] of [
      ['replace', 'a long beginning'],
      ['replace', 'short'],
      ['append', 'er'],
    ] as const) {
      const descriptor = openOwnFile(path, purpose)
      writeSync(descriptor, text)
      closeSync(descriptor)
    }
    expect(readOwnText(path)).toBe('shorter')
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('readOwnText returns null if the file or its directory does not exist', () => {
    expect(readOwnText(join(freshDirectory(), 'ours'))).toBeNull()
    expect(readOwnText(join(freshDirectory(), 'no', 'such', 'ours'))).toBeNull()
  })

  test("readOwnText follows a link to the file or to the file's directory", () => {
    const directory = freshDirectory()
    mkdirSync(join(directory, 'real'))
    writeFileSync(join(directory, 'real', 'ours'), 'text')
    symlinkSync(join(directory, 'real'), join(directory, 'link'))
    symlinkSync(join(directory, 'real', 'ours'), join(directory, 'ours'))
    expect(readOwnText(join(directory, 'ours'))).toBe('text')
    expect(readOwnText(join(directory, 'link', 'ours'))).toBe('text')
  })

  test('readOwnText refuses a path with a dangling link instead of treating the file as missing', () => {
    const directory = freshDirectory()
    symlinkSync(join(directory, 'unmounted'), join(directory, 'link'))
    const says = `${join(directory, 'link')} is a dangling symbolic link`
    expect(() => readOwnText(join(directory, 'link', 'below', 'ours'))).toThrow(says)
  })
})

test('readLockHolder does not block if the holder file is a named pipe', async () => {
  const path = join(freshDirectory(), 'sync.lock')
  await placeOddFile('a named pipe', `${path}.holder`)
  const source = new URL('../../../src/base/storage/lock.ts', import.meta.url).href
  const script = `import(${JSON.stringify(source)}).then(({ readLockHolder, tryLock }) => {
    const path = ${JSON.stringify(path)}
    console.log(readLockHolder(path))
    tryLock(path).release()
    console.log(readLockHolder(path))
  })`
  const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', timeout: LIMIT_MS })
  expect(stdout).toBe('null\nnull\n')
})
