import { expect, test } from 'vitest'
import { splitLines } from '../../../src/base/storage/lines.ts'

/** Formats each line as its number, text and end offset. `…` marks a last line without a line break. */
async function split(text: string, chunkBytes: number, maxBytes = 100): Promise<string[]> {
  const bytes = Buffer.from(text)
  const chunks = async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const lines: string[] = []
  for await (const batch of splitLines(chunks(), maxBytes))
    for (const { line, bytes: own, end, isEnded } of batch)
      lines.push(`${line} ${own && Buffer.from(own)} ${end}${isEnded ? '' : '…'}`)
  return lines
}

test.each([1, 2, 3, 1000])('splitLines finds the same lines in chunks of %s bytes', async (size) => {
  expect(await split('\ufeffa\r\n\nä\n x', size)).toEqual(['1 a 6', '2  7', '3 ä 10', '4  x 12…'])
})

test.each([1, 7, 1000])(
  'splitLines counts a line that is too long but drops its text, even in chunks of %s bytes',
  async (size) => {
    expect(await split(`a\n${'x'.repeat(300)}\nb\n`, size)).toEqual(['1 a 2', '2 null 303', '3 b 305'])
  },
)

test('splitLines yields no lines for an empty string', async () => expect(await split('', 10)).toEqual([]))
