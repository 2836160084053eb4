import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotePosixWord, quoteWindowsWord } from '../../../src/base/failure/shell-word.ts'
import { findSuggestedCommands } from '../../../src/base/failure/suggested.ts'

const words = fc.string({ unit: fc.constantFrom(...'aB1 \\/.:;,()\'"$`%@+=-ü'), minLength: 1, maxLength: 20 })

/** Splits a command line into words as PowerShell does. Does not support variables and escapes in double quotes. */
function powerShellWords(line: string): string[] {
  const pieces = /"([^"$`]*)"|'((?:[^']|'')*)'|([^\s"'$`,;()@%{}|&<>]+)/g
  return [...line.matchAll(pieces)].map(
    ([, double, single, bare]) => double ?? single?.replaceAll("''", "'") ?? bare ?? '',
  )
}

/** Returns the argument that a program on Windows receives if a shell passes `word` in double quotes. */
function withoutEscapes(word: string): string {
  return word.replace(/(\\+)$/, (slashes) => '\\'.repeat(Math.floor(slashes.length / 2)))
}

describe('quotePosixWord and quoteWindowsWord', () => {
  test('a POSIX shell reads a quoted word back unchanged', () => {
    fc.assert(
      fc.property(words, (word) => {
        const printed = execFileSync('sh', ['-c', `printf %s ${quotePosixWord(word)}`], { encoding: 'utf8' })
        expect(printed).toBe(word)
      }),
      { numRuns: 30 },
    )
  })

  test('PowerShell reads a quoted word back unchanged', () => {
    fc.assert(
      fc.property(words, (word) => {
        const quoted = quoteWindowsWord(word)
        const [read = '', ...others] = powerShellWords(quoted)
        expect(others).toEqual([])
        expect(quoted.startsWith('"') ? withoutEscapes(read) : read).toBe(word)
      }),
    )
  })

  test.each([
    ['C:\\Users\\ann\\venue.db', 'C:\\Users\\ann\\venue.db'],
    ['C:\\till files\\venue.db', '"C:\\till files\\venue.db"'],
    ['C:\\till files\\', '"C:\\till files\\\\"'],
    ['C:\\till files\\\\', '"C:\\till files\\\\\\\\"'],
    ["C:\\Ann's till", '"C:\\Ann\'s till"'],
    ['C:\\100%\\x', "'C:\\100%\\x'"],
    ['@body.json', '"@body.json"'],
  ])('on Windows, %s is quoted as %s', (word, quoted) => {
    expect(quoteWindowsWord(word)).toBe(quoted)
  })
})

test.each([
  ['linux', quotePosixWord],
  ['win32', quoteWindowsWord],
] as const)('findSuggestedCommands reads back the quoted words of a command on %s', (platform, quote) => {
  // Exclude words that end with a comma or contain two consecutive commas, because those count as punctuation.
  const any = words.filter((word) => !/,(?:,|$)/.test(word))
  fc.assert(
    fc.property(any, any, (one, other) => {
      const text = `run it again: partner sync --to ${quote(one)} --source ${quote(other)} --yes; nothing was sent`
      const found = findSuggestedCommands(text, platform)
      expect(found.map((suggested) => suggested.words)).toEqual([['sync', '--to', one, '--source', other, '--yes']])
    }),
    { examples: [['@\\\\', 'a b\\\\\\']] },
  )
})
