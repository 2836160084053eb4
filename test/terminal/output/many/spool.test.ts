import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { Spool } from '../../../../src/terminal/output/many/spool.ts'

const lineOf = (at: number) => `{"at":${at},"text":"${'é'.repeat(at % 700)}"}`

async function atsIn(spool: Spool): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const batch of spool.batches()) for (const { value } of batch) found.push((value as { at: number }).at)
  return found
}

test.each([0, 1, 50, 9000])('a spool returns %i lines in the order in which they were added', async (count) => {
  const spool = new Spool()
  for (let at = 0; at < count; at += 7)
    await spool.add(
      Buffer.from(Array.from({ length: Math.min(7, count - at) }, (_, more) => `${lineOf(at + more)}\n`).join('')),
    )
  expect(await atsIn(spool)).toEqual(Array.from({ length: count }, (_, at) => at))
  await spool.close()
})

test.skipIf(process.platform === 'win32')("a spool's temporary file has no name in its directory", async () => {
  const before = new Set(readdirSync(tmpdir()))
  const spool = new Spool()
  await spool.add(Buffer.from(`{"at":0,"text":"${'x'.repeat(3_000_000)}"}\n`))
  const added = readdirSync(tmpdir()).filter((name) => !before.has(name))
  expect(added.filter((name) => /^partner-[\da-f]{8}-[\da-f-]{27}$/.test(name))).toEqual([])
  expect(await atsIn(spool)).toEqual([0])
  await spool.close()
})

test('a spool returns no lines after it is closed', async () => {
  const spool = new Spool()
  await spool.add(Buffer.from('{"at":0}\n'))
  await spool.close()
  expect(await atsIn(spool)).toEqual([])
})
