import { expect, test } from 'vitest'
import type { SyncRecord } from '../../../src/sync/record.ts'
import { freshDatabase, held, NOTE, recordsOf, targetAt } from './copies.ts'

test('a SQLite copy returns 1,203 records byte for byte as the service sent them', async () => {
  const path = freshDatabase()
  const texts = Array.from(
    { length: 1203 },
    (_, n) => `{"bookingId":"BK-${n}","amount":1.10,"big":12345678901234567890,"odd":"\\u0000\\ud800 é"}`,
  )
  const copy = await held(path)
  const records = texts.map((text) => ({ ...recordsOf('bookings', [JSON.parse(text)])[0], text }) as SyncRecord)
  await copy.add(records)
  await copy.commit(1, NOTE)
  const read: SyncRecord[] = []
  for await (const batch of (await targetAt(path)).records()) read.push(...batch)
  expect(read.map(({ text }) => text).sort()).toEqual(texts.sort())
  expect(read.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort())
})
