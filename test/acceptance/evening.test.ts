import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { needs } from '../support/needs.ts'
import { freshDirectory, freshHome, ROOT, runPartner } from '../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../support/postgres.ts'
import { startSandboxProcess } from '../support/sandbox-process.ts'
import { samplesOf } from '../sync/watching/text-format.ts'

// Follows a user through one evening, from an empty machine to a PostgreSQL database that counts tonight's covers by
// service for two venues.

needs(POSTGRES)
const server = postgresServer()

const TONIGHT = '2026-11-20'
/** The test starts at 19:00 in Sydney. */
const CLOCK = '2026-11-20T08:00:00Z'

interface Booking {
  readonly bookingId: string
  readonly people: number
  readonly serviceName: string
  readonly bookingTime: string
  readonly status: { readonly code: string }
}

function coversTonight(): string {
  const page = readFileSync(join(ROOT, 'docs', 'database.md'), 'utf8')
  const [, query = ''] = /\*\*Covers tonight, by service\*\*\s*```sql\n([\s\S]*?)```/.exec(page) ?? []
  const days = [...new Set(query.match(/\d{4}-\d\d-\d\d/g))]
  expect(days).toHaveLength(2)
  return query.replaceAll(days[0] ?? '', TONIGHT).replaceAll(days[1] ?? '', '2026-11-21')
}

test("a user can sync two venues into one database and count tonight's covers by service", {
  timeout: 240_000,
}, async () => {
  const env = { ...freshHome(), ...POSTGRES_ENV, HOME: freshDirectory() }
  const cwd = freshDirectory()
  const run = async (...line: readonly string[]) => {
    const done = await runPartner(line, { env, cwd })
    expect(done.code, `${line.join(' ')}\n${done.stderr}`).toBe(0)
    return done
  }
  const json = async (...line: readonly string[]) => JSON.parse((await run(...line, '--json')).stdout)

  const venues = ['city', 'harbour']
  const sandboxes = await Promise.all(
    venues.map((_, at) => startSandboxProcess(['--data', ':memory:', '--seed', String(at + 7), '--clock', CLOCK])),
  )
  try {
    for (const [at, name] of venues.entries()) {
      const { baseUrl, apiKey } = sandboxes[at] ?? { baseUrl: '', apiKey: '' }
      const line = ['profiles', 'add', name, '--base-url', baseUrl, '--timezone', 'Australia/Sydney', '--api-key-stdin']
      expect(await runPartner(line, { env, cwd, input: apiKey })).toMatchObject({ code: 0 })
    }

    // Sync everything for both venues at the same time.
    const to = await server.database()
    const sync = (name: string) => run('bookings', 'sync', '--to', to, '--profile', name, '--include-customer')
    for (const { stdout, stderr } of await Promise.all(venues.map(sync))) {
      expect(stdout).toBe('')
      expect(stderr).toMatch(/bookings: \d{3} new, 0 changed, 0 unchanged/)
    }

    // During the evening, a guest walks in, a party grows, and another party does not show up.
    const [city = '', harbour = ''] = venues
    const listed = (name: string): Promise<Booking[]> => json('bookings', 'list', '--date', TONIGHT, '--profile', name)
    const isOn = ({ status: { code } }: Booking) => ['Unconfirmed', 'CONFIRMED'].includes(code)
    const [grows, stays, ...others] = (await listed(harbour)).filter(isOn)
    await run('bookings', 'create', '--people', '5', '--time', `${TONIGHT} 19:45`, '--profile', city)
    await run('bookings', 'update-pax', grows?.bookingId ?? '', '11', '--profile', harbour)
    await run('bookings', 'update-status', stays?.bookingId ?? '', 'NOSHOW', '--profile', harbour)
    expect((await sync(city)).stderr).toContain('bookings: 1 new, 0 changed')
    expect((await sync(harbour)).stderr).toContain('bookings: 0 new, 2 changed')

    // Compare the result of the query with the venues' own lists.
    const expected = []
    for (const name of venues) {
      const services = new Map<string, { bookings: number; covers: number; first: string }>()
      for (const { people, serviceName, bookingTime, status } of await listed(name)) {
        if (['CANCELLED', 'NOSHOW'].includes(status.code)) continue
        const { bookings, covers, first } = services.get(serviceName) ?? { bookings: 0, covers: 0, first: bookingTime }
        const earliest = bookingTime < first ? bookingTime : first
        services.set(serviceName, { bookings: bookings + 1, covers: covers + people, first: earliest })
      }
      const rows = [...services].sort(([, one], [, other]) => (one.first < other.first ? -1 : 1))
      for (const [service, { bookings, covers }] of rows)
        expected.push({ source: name, service_name: service, bookings: String(bookings), covers: String(covers) })
    }
    expect(expected.length).toBeGreaterThan(2)
    expect(await server.query(to, coversTonight())).toEqual(expected)

    // Check that each copy is correct and that its status shows how recent it is.
    for (const name of venues) {
      expect((await run('bookings', 'sync', 'verify', '--to', to, '--profile', name)).stderr).toContain(
        'no differences',
      )
      const file = join(cwd, `${name}.prom`)
      const status = await json('bookings', 'sync', 'status', '--to', to, '--profile', name, '--prom', file)
      const { cursor } = status
      const lastRun = { unchanged: expect.any(Number) }
      expect(status).toMatchObject({ source: name, resource: 'bookings', holder: null, lastRun })
      // The copy may be up to two seconds behind the service, whose clock started at 08:00.
      expect(Date.parse(cursor)).toBeGreaterThanOrEqual(Date.parse('2026-11-20T07:59:58Z'))
      expect(Date.parse(cursor)).toBeLessThan(Date.parse('2026-11-20T09:00:00Z'))
      const [first] = samplesOf(readFileSync(file, 'utf8'))
      expect(first).toMatchObject({ value: Date.parse(cursor) / 1000, labels: { source: name } })
    }

    // Change the copy by hand. `bookings sync verify` must find the differences and repair them.
    const [lost, wrong] = others.map(({ bookingId }) => bookingId)
    await server.query(to, `DELETE FROM bookings WHERE source = 'harbour' AND id = '${lost}'`)
    await server.query(
      to,
      `UPDATE bookings SET raw = jsonb_set(raw, '{people}', '99'), people = 99 WHERE source = 'harbour' AND id = '${wrong}'`,
    )
    await server.query(
      to,
      `INSERT INTO bookings (source, id, last_modified, raw) VALUES ('harbour', 'GHOST', '2026-11-19T00:00:00Z', '{"bookingId":"GHOST","lastModifiedDate":"2026-11-19T00:00:00Z"}')`,
    )
    const verify = ['bookings', 'sync', 'verify', '--to', to, '--profile', harbour, '--json']
    const found = await runPartner(verify, { env, cwd })
    expect(found.code).toBe(11)
    const rows = JSON.parse(found.stdout).map(({ id, difference }: Record<string, string>) => `${id} ${difference}`)
    expect(rows.sort()).toEqual(['GHOST extra', `${lost} missing`, `${wrong} stale`].sort())
    await run(...verify, '--repair')
    expect(await json(...verify)).toEqual([])
    expect(await json('bookings', 'sync', 'verify', '--to', to, '--profile', city)).toEqual([])
    expect(await server.query(to, coversTonight())).toEqual(expected)

    // Finally, the user prints a systemd unit that syncs every minute.
    const flags = ['--to', to, '--profile', city, '--include-customer', '--every', '1m']
    const { stdout } = await run('bookings', 'sync', 'unit', '--format', 'systemd', ...flags)
    expect(stdout).toContain(`--profile city --to "${to}" --include-customer`)
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))
  }
})
