import { expect, test } from 'vitest'
import { runPartnerCold } from '../../../support/partner.ts'
import { expectSame, HANGING_MONITORS, openPlace, UNATTENDED } from './unattended.ts'

/** How long two pings may take that both hang: 10 s each, and a little for the machine. */
const MAX_MS = 25_000

test.each(UNATTENDED)('partner $id $rest waits a limited time for a job monitor that hangs', async (given) => {
  const place = await openPlace()
  const expected = await place.run(given, runPartnerCold)
  const began = performance.now()
  await expectSame(expected, HANGING_MONITORS, (PARTNER_PING_URL) =>
    place.run(given, (args, at) => runPartnerCold(args, { ...at, env: { ...at.env, PARTNER_PING_URL } })),
  )
  expect(performance.now() - began).toBeLessThan(MAX_MS)
})
