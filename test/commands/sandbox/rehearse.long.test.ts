import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { GOLDEN } from '../../studio/rehearsal/rehearsed.ts'
import { skipWithout } from '../../support/needs.ts'
import { type Environment, freshDirectory, freshHome, runPartner, TOOL } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'

const { date, seed, journalHash } = GOLDEN
const DAY = ['sandbox', 'rehearse', '--day', date, '--seed', String(seed), '--json']

/** Rehearses the day with `bookings sync` as the integration under test. The sync writes its copy to `to`. */
async function rehearseWithSync(to: string, cwd: string, args: readonly string[], env: Environment = {}) {
  const sync = [...TOOL, 'bookings', 'sync', '--to', to, '--source', 'venue', '--every', '1s']
  const run = await runPartner([...DAY, '--wait', '--report', to, '--settle', '2m', ...args, '--', ...sync], {
    env: { ...freshHome(), ...env },
    cwd,
  })
  return { ...run, result: JSON.parse(run.stdout) }
}

const server = postgresServer()

describe('rehearsals with bookings sync', () => {
  test.each(['copy.db', 'copy.ndjson', 'copy.csv'])(
    'bookings sync keeps a complete copy in %s during a rehearsed day with faults',
    async (to) => {
      const { code, stderr, result } = await rehearseWithSync(to, freshDirectory(), [
        '--speed',
        '8000',
        '--faults',
        '10',
      ])
      expect(code, stderr).toBe(0)
      expect(result).toMatchObject({ journalHash, command: { exitCode: null }, report: { agrees: true } })
      expect(result.report.compared).toBeGreaterThan(600)
      expect(result.integration.requests).toBeGreaterThan(30)
    },
  )

  test('bookings sync keeps a complete copy in PostgreSQL during a rehearsed day', async (context) => {
    skipWithout(context, POSTGRES)
    const url = await server.database()
    const { code, stderr, result } = await rehearseWithSync(url, freshDirectory(), ['--speed', 'max'], POSTGRES_ENV)
    expect(code, stderr).toBe(0)
    expect(result).toMatchObject({ journalHash, report: { agrees: true, resources: ['bookings'] } })
  })

  test('sandbox rehearse --report names a missing and an outdated record if the copy was edited by hand', async () => {
    const cwd = freshDirectory()
    const { code, stderr, result } = await rehearseWithSync('copy.db', cwd, ['--speed', 'max'])
    expect(code, stderr).toBe(0)
    expect(result.report.agrees).toBe(true)
    const database = new DatabaseSync(join(cwd, 'copy.db'))
    database.exec("DELETE FROM bookings WHERE id = 'BK-1010'")
    database.exec(`UPDATE bookings SET raw = replace(raw, '"people":8', '"people":9') WHERE id = 'BK-1004'`)
    database.close()
    const again = await runPartner([...DAY, '--speed', 'max', '--report', 'copy.db', '--settle', '0s'], {
      env: freshHome(),
      cwd,
    })
    expect(again.code).toBe(11)
    const report = {
      ...{ agrees: false, missing: [{ resource: 'bookings', id: 'BK-1010' }], extra: [] },
      stale: [{ resource: 'bookings', id: 'BK-1004', fields: ['people'] }],
    }
    expect(JSON.parse(again.stdout)).toMatchObject({ journalHash, report })
  })
})
