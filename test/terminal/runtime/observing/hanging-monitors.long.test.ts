import { expect, test } from 'vitest'
import { runPartnerCold } from '../../../support/partner.ts'
import { hangs, startRawServer } from '../../../support/raw-server.ts'
import { expectSame, openPlace, UNATTENDED } from './unattended.ts'

// Unlike the other tests, this one does not shorten the timeouts for pings.

const HALF = Math.ceil(UNATTENDED.length / 2)

test.each([[UNATTENDED.slice(0, HALF)], [UNATTENDED.slice(HALF)]])(
  'a job monitor that hangs for longer than all timeouts changes neither the exit code nor the output: %j',
  async (commands) => {
    const place = await openPlace()
    const runs = commands.map(async (given) => {
      const monitor = await startRawServer([hangs])
      const expected = await place.run(given, runPartnerCold)
      await expectSame(expected, { hangs: async () => `${monitor.baseUrl}/ping` }, (PARTNER_PING_URL) =>
        place.run(given, (args, at) => runPartnerCold(args, { ...at, env: { ...at.env, PARTNER_PING_URL } })),
      )
      const tries = ['start', 'start', expected.code, expected.code].map((path) => `/ping/${path}`)
      expect(monitor.requests.map(({ target }) => target)).toEqual(tries)
    })
    await Promise.all(runs)
  },
)
