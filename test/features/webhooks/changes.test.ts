import { expect, test } from 'vitest'
import { madeChangesList, plannedChangesList } from '../../../src/features/webhooks/subscription-views.ts'
import { webhookChange } from '../sample-records.ts'
import { table } from '../shown.ts'

const ROWS = [
  webhookChange,
  { ...webhookChange, event: 'BOOKING_CREATED', action: 'create', presentUrl: null },
  { ...webhookChange, event: 'BOOKING_UPDATED', action: 'delete', webhookUrl: null },
  { ...webhookChange, event: 'GIFTCARDS_CREATED', action: 'unchanged', presentUrl: webhookChange['webhookUrl'] },
]

test('the table of planned changes shows the current and the new URL, or only the new one on a narrow terminal', async () => {
  const wide = (await table(ROWS, plannedChangesList, { columns: 200 })).join('\n')
  expect(wide).toMatch(/GIFTCARDS_REDEEMED +update +https:\/\/old.example\/hooks +https:\/\/pos.example\/hooks +sent/)
  expect(wide).toMatch(/BOOKING_CREATED +create +– +https:\/\/pos/)
  expect(wide).toMatch(/BOOKING_UPDATED +delete +https:\/\/old.example\/hooks +– /)
  expect(wide).toMatch(/GIFTCARDS_CREATED +unchanged +https:\/\/pos.example\/hooks +unchanged/)
  const narrow = (await table(ROWS, plannedChangesList, { columns: 80 })).join('\n')
  expect(narrow).toMatch(/GIFTCARDS_REDEEMED +update +https:\/\/pos.example\/hooks/)
})

test("the table of completed changes shows each change's outcome, status and message", async () => {
  const shown = (await table(ROWS, madeChangesList, { columns: 120 })).join('\n')
  expect(shown).toMatch(/GIFTCARDS_REDEEMED +update +failed +400 +Giftcard Webhook Request Failed Verification\./)
})
