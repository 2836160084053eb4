import { expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { words } from '../../support/words.ts'

test('giftcards cancel does not show a balance of 0 that the service did not report', async () => {
  const env = freshHome()
  const cancelled = await runPartner(words('giftcards cancel GIFT3-00003333-AAAA --yes -p sandbox'), { env })
  expect(cancelled.code, cancelled.stderr).toBe(0)
  expect(cancelled.stdout).toMatch(/Balance +\d+\.\d\d \(nothing can be spent\)/)
  expect(cancelled.stdout).not.toContain('0.00')
})
