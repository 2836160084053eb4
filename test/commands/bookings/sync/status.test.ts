import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../../support/partner.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { venueOfThisFile } from '../../../support/venue.ts'
import { samplesOf } from '../../../sync/watching/text-format.ts'

const venue = await venueOfThisFile()
const SOURCE = ['--source', 'city']

function place() {
  const directory = freshDirectory()
  const env = { ...freshHome(), ...venue.env }
  return { directory, run: (...line: readonly string[]) => runPartner(line, { env, cwd: directory }) }
}

describe.each([
  ['bookings', 'b.ndjson'],
  ['bookings', 'b.csv'],
  ['bookings', 'b.db'],
  ['bookings', '-'],
  ['customers', 'c.ndjson'],
  ['sales', 's.db'],
  ['giftcards', 'g.db'],
])('%s sync status --to %s', (topic, to) => {
  test(`${topic} sync status --to ${to} reports that nothing has been synced yet and later reports the last run`, async () => {
    const { run, directory } = place()
    const line = [topic, 'sync', 'status', '--to', to, ...SOURCE]
    const before = await run(...line, '--json')
    expect(before).toMatchObject({ code: 0, stderr: '' })
    const nothing = { cursor: null, lagSeconds: null, lastRun: null, rows: 0, holder: null }
    expect(JSON.parse(before.stdout)).toEqual({ source: 'city', resource: topic, ...nothing })
    expect(readdirSync(directory)).toEqual([])
    expect((await run(...line)).stdout).toContain('not synced yet')

    const sync = await run(topic, 'sync', '--to', to, ...SOURCE)
    expect(sync.code).toBe(0)
    const [, added] = /(\d+) new/.exec(sync.stderr) ?? []
    const status = JSON.parse((await run(...line, '--json')).stdout)
    expect(status).toMatchObject({ source: 'city', resource: topic, rows: Number(added), holder: null })
    expect(status.lastRun).toMatchObject({ added: Number(added), changed: 0, unchanged: 0 })
    expect(status.lagSeconds).toBeGreaterThanOrEqual(0)
    expect(Math.abs(Date.parse(status.cursor) - Date.now())).toBeLessThan(3_600_000)
    const shown = await run(...line)
    expect(shown.stdout).toContain(`Copy of the ${topic} of city`)
    expect(shown.stdout).toMatch(/Last run .* new, 0 changed, 0 unchanged; \d+ requests?\n/)
  })
})

describe('bookings sync status --prom', () => {
  test('bookings sync status --prom replaces the file atomically, makes it world-readable, and leaves no other file behind', async () => {
    const { run, directory } = place()
    await run('bookings', 'sync', '--to', 'b.ndjson', ...SOURCE)
    const textfiles = join(directory, 'textfiles')
    mkdirSync(textfiles)
    const file = join(textfiles, 'partner.prom')
    writeFileSync(file, 'old', { mode: 0o600 })
    const inode = statSync(file).ino
    expect(await run('bookings', 'sync', 'status', '--to', 'b.ndjson', '--prom', file)).toMatchObject({ code: 0 })
    const expected = { source: 'city', resource: 'bookings', target: 'b.ndjson' }
    const rows = samplesOf(readFileSync(file, 'utf8')).find(({ name }) => name === 'partner_sync_rows')
    expect(rows?.labels).toEqual(expected)
    expect(statSync(file).mode & 0o777).toBe(0o644)
    expect(statSync(file).ino).not.toBe(inode)
    expect(readdirSync(textfiles)).toEqual(['partner.prom'])
  })

  test('bookings sync status --prom refuses a directory, a missing directory, or a name without .prom (exit code 2)', async () => {
    const { run, directory } = place()
    const line = ['bookings', 'sync', 'status', '--to', 'b.ndjson', '--prom']
    const says = /--prom: partner\.prom cannot be written to .*none.*\n.*choose an existing directory/s
    expectRefusal(await run(...line, join(directory, 'none', 'partner.prom')), { code: 2, says })
    mkdirSync(join(directory, 'folder.prom'))
    expectRefusal(await run(...line, join(directory, 'folder.prom')), { code: 2, says: /--prom: .* is a directory/ })
    expect(await run(...line, 'partner.txt')).toMatchObject({ code: 2, stderr: expect.stringContaining('.prom') })
    expect(existsSync(join(directory, 'partner.txt'))).toBe(false)
  })
})

test('bookings sync status for a file needs no profile, because the sync state contains the source', async () => {
  const { run, directory } = place()
  await run('bookings', 'sync', '--to', 'b.ndjson', ...SOURCE)
  const line = ['bookings', 'sync', 'status', '--to', join(directory, 'b.ndjson'), '--json']
  const alone = await runPartner(line, { env: freshHome() })
  expect(JSON.parse(alone.stdout)).toMatchObject({ source: 'city', resource: 'bookings' })
})

test('bookings sync status requires --source for a database if no profile is used', async () => {
  const refused = await place().run('bookings', 'sync', 'status', '--to', 'b.db')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--source is required') })
})

test.each(['{', '{"format":99}', '{"format":1}'])(
  'bookings sync status refuses the state file %s (exit code 2) without changing it',
  async (state) => {
    const { run, directory } = place()
    await run('bookings', 'sync', '--to', 'b.ndjson', ...SOURCE)
    const file = join(directory, 'b.ndjson.state')
    writeFileSync(file, state)
    chmodSync(file, 0o600)
    expect(await run('bookings', 'sync', 'status', '--to', 'b.ndjson')).toMatchObject({ code: 2, stdout: '' })
    expect(readFileSync(file, 'utf8')).toBe(state)
  },
)

test('bookings sync status makes no requests', async () => {
  const { run } = place()
  const before = (await venue.json('sandbox', 'journal', '--base-url', venue.sandbox.baseUrl)).length
  await run('bookings', 'sync', 'status', '--to', 'b.ndjson')
  expect((await venue.json('sandbox', 'journal', '--base-url', venue.sandbox.baseUrl)).length).toBe(before)
})
