import { expect, test } from 'vitest'
import { DuplicateFinder } from '../../../src/client/bulk/duplicates.ts'

async function doublesAmong(given: readonly string[]) {
  const doubles = new DuplicateFinder()
  for (const id of given) doubles.add(id)
  let reads = 0
  const found = await doubles.findDuplicates(async function* () {
    reads++
    for (const [at, id] of given.entries()) yield { id, line: at + 1 }
  })
  return { found, reads }
}

test('DuplicateFinder finds duplicate IDs with their line numbers', async () =>
  expect((await doublesAmong(['a', 'b', 'a', 'c', 'b', 'a'])).found).toEqual([
    { id: 'a', lines: [1, 3, 6] },
    { id: 'b', lines: [2, 5] },
  ]))

test('DuplicateFinder does not reread a file that has no duplicates', async () =>
  expect(await doublesAmong(Array.from({ length: 5_000 }, (_, at) => `T-${at}`))).toEqual({ found: [], reads: 0 }))
