import { describe, expect, test } from 'vitest'
import { manifestCommands } from '../../../support/distribution.ts'
import { runPartner } from '../../../support/partner.ts'
import { startPartner } from '../../../support/running.ts'
import { until } from '../../../support/until.ts'
import { BAD_MONITORS, expectSame, HANGING_MONITORS, openPlace, SINCE, UNATTENDED } from './unattended.ts'

/** Shortens the timeout of each ping attempt from 5 s to 0.1 s. */
const IMPATIENT = `const { setTimeout: original } = globalThis
globalThis.setTimeout = (work, ms, ...rest) => original(work, ms > 4000 && ms <= 5000 ? 100 : ms, ...rest)
`

test('the tests with broken and hanging job monitors cover every command with a --ping flag', () => {
  const pinging = manifestCommands().filter(({ flags }) => 'ping' in flags)
  expect(pinging.map(({ words }) => words).sort()).toEqual([...new Set(UNATTENDED.map(({ id }) => id))].sort())
})

describe.each(UNATTENDED)('partner $id $rest', (given) => {
  test('a broken job monitor changes neither the exit code nor the output', async () => {
    const place = await openPlace()
    const expected = await place.run(given, runPartner)
    expect(expected, expected.stderr).toMatchObject({ code: given.code })
    await expectSame(expected, BAD_MONITORS, (PARTNER_PING_URL) =>
      place.run(given, (args, at) => runPartner(args, { ...at, env: { ...at.env, PARTNER_PING_URL } })),
    )
  })

  test('a hanging job monitor changes neither the exit code nor the output', async () => {
    const place = await openPlace()
    await expectSame(await place.run(given, runPartner), HANGING_MONITORS, (url) =>
      place.run(given, (args, at) => startPartner([...args, '--ping', url], { ...at, preload: IMPATIENT }).ended),
    )
  })
})

test.each([
  [{ id: 'webhooks listen', rest: '--port 0', code: 0 }, 'listening on'],
  [{ id: 'bookings sync', rest: `--to b.ndjson ${SINCE} --every 1h`, code: 130 }, 'bookings: '],
])(
  'when partner %o is stopped, a broken or hanging job monitor changes neither the exit code nor the output',
  async (given, saying) => {
    const place = await openPlace()
    const stopped = (more: readonly string[]) =>
      place.run(given, async (args, at) => {
        const running = startPartner([...args, ...more], at)
        await until(() => running.said.stderr.includes(saying))
        running.process.kill('SIGTERM')
        return running.ended
      })
    const expected = await stopped([])
    expect(expected.code).toBe(given.code)
    await expectSame(expected, { ...BAD_MONITORS, ...HANGING_MONITORS }, (url) => stopped(['--ping', url]))
  },
)
