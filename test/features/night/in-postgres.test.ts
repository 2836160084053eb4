import { expect, test } from 'vitest'
import type { NightReport } from '../../../src/features/night/printed/output.ts'
import { needs } from '../../support/needs.ts'
import { runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { DATE, lastingDirectory, writeGroup } from './group.ts'
import { expectPublished } from './published.ts'

needs(POSTGRES)
const server = postgresServer()
const env = { ...freshHomeOfFile(), ...POSTGRES_ENV }

function freshHomeOfFile() {
  const home = lastingDirectory()
  return { HOME: home, PARTNER_DATA_DIR: `${home}/data`, PARTNER_CONFIG_DIR: `${home}/config` }
}

test("the night report's figures in PostgreSQL match those in SQLite and the results of the printed SQL", async () => {
  const url = await server.database()
  const file = `${lastingDirectory()}/group.db`
  await Promise.all([writeGroup(url, POSTGRES_ENV), writeGroup(file)])
  const night = async (copy: string, ...args: readonly string[]) => {
    const run = await runPartner(['report', 'night', '--copy', copy, '--date', DATE, '--no-show', 'dna', ...args], {
      env,
    })
    expect(run, run.stderr).toMatchObject({ code: 0 })
    return run.stdout
  }
  const report = JSON.parse(await night(url, '-o', 'json')) as NightReport
  const script = await night(url, '--sql')
  expect(await expectPublished(report, script, (sql) => server.query(url, sql))).toBe(12)
  await server.query(url, script)
  expect(withoutOrder(report)).toEqual(withoutOrder(JSON.parse(await night(file, '-o', 'json')) as NightReport))
})

test('report night says whether a database is empty, missing or unreadable, and creates nothing', async () => {
  const url = await server.database()
  const run = (copy: string) => runPartner(['report', 'night', '--copy', copy], { env })
  expectRefusal(await run(url), {
    code: 2,
    says: /--copy: the database does not contain a copy/,
    next: /bookings sync --to/,
  })
  expect(await server.query(url, "SELECT FROM pg_class WHERE relname = 'sync_state'")).toEqual([])
  expectRefusal(await run(server.url('nowhere')), { code: 5, says: /has no such database/ })
  await writeGroup(url, POSTGRES_ENV)
  await server.query(url, 'DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN')
  expectRefusal(await run(server.url(new URL(url).pathname.slice(1), 'stranger')), {
    code: 5,
    says: /does not let "stranger" do this/,
  })
})

/**
 * Removes everything that differs between runs or databases: the current time, the copy's name, and whether `null`
 * comes first or last among the currencies.
 */
function withoutOrder({ venues, group }: NightReport) {
  const sorted = (due: readonly { readonly currency: string | null }[] | null) =>
    due && [...due].sort((a, b) => (String(a.currency) < String(b.currency) ? -1 : 1))
  return {
    group: { ...group, depositsDue: sorted(group.depositsDue), takings: sorted(group.takings) },
    venues: venues.map(({ sync, depositsDue, ...rest }) => ({
      ...rest,
      depositsDue: sorted(depositsDue),
      sync: sync.map(({ resource, upTo }) => [resource, upTo]),
    })),
  }
}
