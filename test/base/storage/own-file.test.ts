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

describe.each(KINDS)('%s in place of a file of ours', (kind) => {
  test.each(['append', 'replace'] as const)(
    'is not opened to %s, and nothing is written through it',
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
    'is not taken for a database, nor for what is beside one: %j',
    async (suffix) => {
      const path = join(freshDirectory(), 'ours.db')
      await placeOddFile(kind, path + suffix)
      expect(() => refuseUnlessPlainDatabase(path)).toThrow(ODD_KINDS[kind])
      expect(() => makeOwnDatabase(path)).toThrow(path + suffix)
    },
  )

  test.skipIf(kind === 'a link to a file')('is not read', async () => {
    const path = join(freshDirectory(), 'ours')
    await placeOddFile(kind, path)
    expect(() => readOwnText(path)).toThrow(ODD_KINDS[kind])
  })
})

describe('a file of ours', () => {
  test('is made for its owner alone, and can be replaced and appended to', () => {
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

  test('is null if it does not exist, also below a missing directory', () => {
    expect(readOwnText(join(freshDirectory(), 'ours'))).toBeNull()
    expect(readOwnText(join(freshDirectory(), 'no', 'such', 'ours'))).toBeNull()
  })

  test('is read through a link to it, and below a link to its directory', () => {
    const directory = freshDirectory()
    mkdirSync(join(directory, 'real'))
    writeFileSync(join(directory, 'real', 'ours'), 'text')
    symlinkSync(join(directory, 'real'), join(directory, 'link'))
    symlinkSync(join(directory, 'real', 'ours'), join(directory, 'ours'))
    expect(readOwnText(join(directory, 'ours'))).toBe('text')
    expect(readOwnText(join(directory, 'link', 'ours'))).toBe('text')
  })

  test('does not count as missing if a link on its path leads nowhere', () => {
    const directory = freshDirectory()
    symlinkSync(join(directory, 'unmounted'), join(directory, 'link'))
    const says = `${join(directory, 'link')} is a symbolic link that leads nowhere`
    expect(() => readOwnText(join(directory, 'link', 'below', 'ours'))).toThrow(says)
  })
})

test('does not wait for the note of who holds a lock if it is a named pipe', async () => {
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
