import { expect, test } from 'vitest'
import { WireRecord } from '../../../src/base/json/list/wire-record.ts'
import { operationList } from '../../../src/features/operations/views.ts'
import { openListWriter } from '../../../src/terminal/render/list-writer.ts'
import { sydney, unknownZone } from '../shown.ts'

test.each([
  { context: sydney, zone: 'Australia/Sydney', started: '2026-11-20 17:30' },
  { context: unknownZone, zone: 'UTC', started: '2026-11-20 06:30' },
])('the operations table footer says that times are in $zone', async ({ context, zone, started }) => {
  const screen = { columns: 120, color: false }
  const writer = await openListWriter({ format: 'table', view: operationList, columns: null, screen, context })
  const operation = { id: 'op_1', state: 'open', command: 'giftcards redeem', startedAt: '2026-11-20T06:30:00Z' }
  expect(`${await writer.write([WireRecord.of(operation)])}${await writer.end()}`).toContain(started)
  expect(writer.remark(screen)).toBe(`1 operation · times in ${zone}\n`)
})
