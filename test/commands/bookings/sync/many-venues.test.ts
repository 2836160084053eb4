import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { skipWithout } from '../../../support/needs.ts'
import { freshDirectory } from '../../../support/partner.ts'
import { hangs } from '../../../support/raw-server.ts'
import { signalGroup, startPartner } from '../../../support/running.ts'
import { runInTerminal, TERMINAL } from '../../../support/terminal.ts'
import { until } from '../../../support/until.ts'
import { configureVenues, type TestVenue } from '../../../support/venues.ts'
import { at, booking, startSyncService } from '../../../sync/service.ts'

const NOON = '2026-11-20T12:00:00.000Z'
const SINCE = ['--since', '2026-11-20T00:00:00Z']

async function venueNamed(name: string) {
  const service = await startSyncService(NOON, [booking(`${name}-1`, '2026-11-20T11:00:00.000Z')])
  const venue: TestVenue = { name, baseUrl: service.server.baseUrl, timezone: 'Australia/Sydney' }
  return { service, venue }
}

function idsIn(path: string): Record<string, string[]> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const rows = database.prepare('SELECT source, id FROM bookings ORDER BY source, id').all()
    const found: Record<string, string[]> = {}
    for (const { source, id } of rows) found[String(source)] = [...(found[String(source)] ?? []), String(id)]
    return found
  } finally {
    database.close()
  }
}

describe('bookings sync for many venues into one database', () => {
  test('bookings sync --profiles resumes each venue separately, so a failing venue does not delay the others', async () => {
    const names = Array.from({ length: 12 }, (_, one) => `venue-${one + 10}`)
    const all = await Promise.all(names.map(venueNamed))
    const path = join(freshDirectory(), 'venues.db')
    const { run } = configureVenues(all.map(({ venue }) => venue))
    const sync = () => run(['bookings', 'sync', '--profiles', 'all', '--to', path, ...SINCE])
    const first = await sync()
    expect(first).toMatchObject({ code: 0, stdout: '' })
    expect(idsIn(path)).toEqual(Object.fromEntries(names.map((name) => [name, [`${name}-1`]])))
    expect(first.stderr).toMatch(/^bookings of 12 profiles: 12 new, 0 changed, 0 unchanged, \d+ requests\n$/)
    const [ill, changed] = [all[3]?.service, all[5]?.service]
    if (!ill || !changed) throw new Error('expected twelve venues')
    ill.lie = () => (socket) => void socket.resetAndDestroy()
    changed.records = [booking('fresh', '2026-11-20T12:00:30.000Z')]
    for (const { service } of all) service.nowMs = at('2026-11-20T12:01:00.000Z')
    const second = await run(['bookings', 'sync', '--profiles', 'all', '--to', path, '--retries', '0', ...SINCE])
    expect(second).toMatchObject({ code: 11, stderr: expect.stringContaining('error: venue-13 (exit 8): ') })
    expect(second.stderr).toMatch(/1 of 12 profiles failed: venue-13 \(exit 8\)/)
    expect(second.stderr).toMatch(/^bookings of 11 profiles: 1 new, 0 changed, \d+ unchanged, \d+ requests$/m)
    expect(idsIn(path)['venue-15']).toEqual(['fresh', 'venue-15-1'])
    const status = await run(['bookings', 'sync', 'status', '--profiles', 'venue-15,venue-13', '--to', path, '--json'])
    expect(JSON.parse(status.stdout)).toMatchObject([
      { _profile: 'venue-15', source: 'venue-15', rows: 2 },
      { _profile: 'venue-13', source: 'venue-13', rows: 1 },
    ])
    const prom = path.replace(/db$/, 'prom')
    await run(['bookings', 'sync', 'status', '--profiles', 'venue-15,venue-13', '--to', path, '--prom', prom])
    for (const name of ['venue-15', 'venue-13'])
      expect(readFileSync(prom.replace(/prom$/, `${name}.prom`), 'utf8')).toContain(`source="${name}"`)
    expect(existsSync(prom)).toBe(false)
    changed.records = []
    const verify = await run(['bookings', 'sync', 'verify', '--profiles', 'venue-15,venue-14', '--to', path, '--json'])
    expect(verify.code).toBe(11)
    expect(JSON.parse(verify.stdout).map((one: { _profile: string }) => one._profile)).toEqual(['venue-15', 'venue-15'])
    expect(verify.stderr).toContain('"profile":"venue-15"')
  })

  test('bookings sync --profiles prints a single line at a terminal, or one line per venue with -v', async (context) => {
    skipWithout(context, TERMINAL)
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(venueNamed))
    const { env, run } = configureVenues(all.map(({ venue }) => venue))
    const line = ['bookings', 'sync', '--profiles', 'all', '--to', join(freshDirectory(), 'venues.db')]
    const shown = await runInTerminal(line, [], env)
    expect(shown.code, shown.screen).toBe(0)
    const expected = [expect.stringMatching(/^bookings of 5 profiles: 5 new, 0 changed, 0 unchanged, \d+ requests$/)]
    expect(shown.standing).toEqual(expected)
    expect((await run([...line.slice(0, -1), join(freshDirectory(), 'venues.db'), '-v'])).stderr).toMatch(
      /^c: bookings: 1 new, 0 changed, 0 unchanged; everything until 2026-11-20T12:00:\d\d/m,
    )
  })

  test('bookings sync --profiles --every keeps syncing the other venues if one hangs, until a signal stops it', async () => {
    const [hanging, well, late] = [await venueNamed('hanging'), await venueNamed('well'), await venueNamed('late')]
    hanging.service.lie = () => hangs
    const path = join(freshDirectory(), 'venues.db')
    const { env } = configureVenues([hanging, well, late].map(({ venue }) => venue))
    const args = ['bookings', 'sync', '--profiles', 'all', '--jobs', '2', '--to', path, '--every', '1s', ...SINCE]
    const running = startPartner(args, { env, isService: true })
    const runsOf = (name: string) => running.said.stderr.split(`${name}: bookings: `).length - 1
    await until(() => runsOf('well') >= 2 && runsOf('late') >= 2)
    expect(hanging.service.server.requests).toHaveLength(1)
    signalGroup(running, 'SIGTERM')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/error: stopped by SIGTERM\n$/)
    expect(idsIn(path)).toEqual({ late: ['late-1'], well: ['well-1'] })
  })
})
