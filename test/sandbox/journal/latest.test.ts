import { appendFileSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type EntryQuery, findLatestInFile, findLatestInList } from '../../../src/sandbox/journal/latest.ts'
import { freshDirectory } from '../fresh-sandbox.ts'

interface Entry {
  readonly id: number
  readonly text: string
}

const entries: readonly Entry[] = Array.from({ length: 900 }, (_none, at) => ({
  id: at,
  // The file is read in chunks. Some entries are longer than a chunk, and no entry ends exactly at a chunk boundary.
  text: at % 200 === 7 ? 'long '.repeat(80_000) : 'é'.repeat(at % 50),
}))

function collectPages(
  look: (query: EntryQuery<Entry>) => ReturnType<typeof findLatestInList<Entry>>,
  count: number,
  every: number,
) {
  const seen: number[] = []
  let before: number | null = null
  do {
    const page = look({ before, count, fits: ({ id }) => id % every === 0 })
    expect(page.entries.length).toBeLessThanOrEqual(count)
    seen.push(...page.entries.map(({ entry }) => entry.id))
    before = page.older
  } while (before !== null)
  return seen
}

test.each([
  [1, 100],
  [25, 1],
  [25, 7],
  [900, 1],
])(
  'pages of at most %i entries, filtered to one entry in %i, are complete and newest first, from a file and from memory',
  (count, every) => {
    const path = join(freshDirectory(), 'journal.ndjson')
    writeFileSync(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    appendFileSync(path, '{"id":900,"text":"still being wri')
    const expected = entries.map(({ id }) => id).filter((id) => id % every === 0)
    expect(collectPages((one) => findLatestInFile(openSync(path, 'r'), one), count, every)).toEqual(
      expected.toReversed(),
    )
    expect(collectPages((one) => findLatestInList(entries, 50, one), count, every)).toEqual(expected.toReversed())
  },
)

test('findLatestInFile accepts an empty file, invalid lines and a position past the end of the file', () => {
  const path = join(freshDirectory(), 'journal.ndjson')
  writeFileSync(path, '')
  const all = { before: null, count: 5, fits: () => true }
  expect(findLatestInFile(openSync(path, 'r'), all)).toEqual({ entries: [], older: null })
  writeFileSync(path, '{"id":1}\nno JSON\n{"id":2}\n')
  const far = findLatestInFile<Entry>(openSync(path, 'r'), { ...all, before: 1e9 })
  expect(far.entries.map(({ entry, place }) => [entry.id, place])).toEqual([
    [2, 17],
    [1, 0],
  ])
})
