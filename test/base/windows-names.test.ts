import { win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileNameFor, findNameProblem } from '../../src/base/windows-names.ts'

const DEVICES = ['CON', 'con', 'Prn', 'AUX', 'NUL', 'COM1', 'lpt9', 'COM\u00b9', 'CONIN$']
/** Ordinary Windows names, including some with a dot, a space or a tilde. */
const names = fc
  .stringMatching(/^[\w ~.'()äöüß-]{1,20}$/)
  .filter((name) => !/[. ]$/.test(name) && !/^(?:con|prn|aux|nul|com\d|lpt\d)\b/i.test(name))
const roots = fc.constantFrom('C:\\', 'd:/', 'C:', '\\\\server\\share\\', '//server/share/', '\\\\?\\C:\\', '\\', '')
const separators = fc.constantFrom('\\', '/')
const paths = fc.tuple(roots, fc.array(names, { minLength: 1, maxLength: 5 }), separators)
const joined = ([root, parts, separator]: [string, string[], string]) => root + parts.join(separator)

describe('findNameProblem', () => {
  test('findNameProblem accepts ordinary paths', () => {
    fc.assert(fc.property(paths, (parts) => findNameProblem(joined(parts), 'win32') === null))
    for (const path of [
      '.',
      '..',
      '..\\x.db',
      './x',
      'C:\\',
      'C:',
      '\\\\server\\share',
      '\\\\?\\UNC\\server\\share\\x',
    ])
      expect([path, findNameProblem(path, 'win32')]).toEqual([path, null])
  })

  test.each([
    ['NUL', 'is a device on Windows'],
    ['con.db', 'is a device on Windows'],
    ['aux.json', 'is a device on Windows'],
    ['COM1', 'is a device on Windows'],
    ['nul .txt', 'is a device on Windows'],
    ['nul:', 'is a device on Windows'],
    ['\\\\.\\NUL', 'is a device'],
    ['\\\\.\\C:\\x', 'is a device'],
    ['C:\\till\\con.db', 'contains "con.db", which is a device on Windows'],
    ['aux\\venue.db', 'contains "aux", which is a device on Windows'],
    ['venue.db.', 'ends in a dot or space, which Windows removes'],
    ['venue.db ', 'ends in a dot or space, which Windows removes'],
    ['a./venue.db', 'contains "a.", which ends in a dot or space, which Windows removes'],
    ['venue.db:x', 'has a colon and so names a stream of another file on Windows'],
    ['C:\\venue.db:x', 'contains "venue.db:x", which has a colon and so names a stream of another file on Windows'],
    ['2026-11-20T19:00.db', 'has a colon and so names a stream of another file on Windows'],
    ['*.ndjson', 'contains "*", which Windows does not allow'],
    ['a?b', 'contains "?", which Windows does not allow'],
    ['"x".db', 'contains "\\"", which Windows does not allow'],
  ])('%s %s', (path, problem) => {
    expect(findNameProblem(path, 'win32')).toBe(problem)
    expect(findNameProblem(path, 'linux')).toBeNull()
  })

  test('findNameProblem finds a device name anywhere in a path, with any extension', () => {
    fc.assert(
      fc.property(
        paths,
        fc.constantFrom(...DEVICES),
        fc.constantFrom('', '.db', '.', ' ', '.tar.gz'),
        (parts, name, end) => {
          const [root, before, separator] = parts
          const path = joined([root, [...before, name + end], separator])
          expect(findNameProblem(path, 'win32')).not.toBeNull()
          expect(findNameProblem(joined([root, [name + end, ...before], separator]), 'win32')).not.toBeNull()
        },
      ),
    )
  })

  test('a path that findNameProblem accepts refers to the same file after Windows normalizes it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab.: \\/~nul'), maxLength: 12 }), (path) => {
        // Skip network paths, because their first two names are the server and the share.
        if (findNameProblem(path, 'win32') !== null || /^[\\/]{2}/.test(path)) return
        const parts = win32.resolve('C:\\', path).split('\\')
        expect(parts.slice(1).filter((part) => /[. ]$|:/.test(part))).toEqual([])
      }),
    )
  })
})

describe('fileNameFor', () => {
  const profiles = fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/).filter((name) => !/^\.+$/.test(name))
  const any = fc.oneof(profiles, fc.constantFrom(...DEVICES, 'con.x', 'Con.x', 'dev', 'Dev', 'DEV'))

  test('on Windows, fileNameFor turns different names into file names that differ by more than case', () => {
    fc.assert(
      fc.property(any, any, (one, other) => {
        const files = [one, other].map((name) => fileNameFor(name, 'win32').toLowerCase())
        expect(files[0] === files[1]).toBe(one === other)
      }),
    )
  })

  test('fileNameFor returns a name that stays valid on Windows when an extension is added', () => {
    fc.assert(fc.property(any, (name) => findNameProblem(`${fileNameFor(name, 'win32')}.json`, 'win32') === null))
  })

  test('fileNameFor leaves every name unchanged on Linux, and ordinary names unchanged on Windows', () => {
    fc.assert(fc.property(any, (name) => fileNameFor(name, 'linux') === name))
    expect(fileNameFor('city-2.dev', 'win32')).toBe('city-2.dev')
  })
})
