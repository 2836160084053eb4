import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { saveListenerNote } from '../../../src/webhooks/listener/listeners.ts'
import { skipWithout } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { freePort } from '../../support/raw-server.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { booking, startDesk } from '../../sync/service.ts'

const KIB = 1024
const HOUR = 3_600_000
const DAY = 24 * HOUR

interface Row {
  readonly name: string
  readonly status: string
  readonly message: string
  readonly next: string | null
}

/** Runs `partner doctor` with a service that is down. Returns the growth rows. */
async function growthRows(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Row[]> {
  const service = { PARTNER_BASE_URL: `http://127.0.0.1:${await freePort()}`, PARTNER_API_KEY: 'k-815' }
  const { stdout } = await runPartner(['doctor', '--json', ...args], { env: { ...env, ...service } })
  return (JSON.parse(stdout) as { rows: Row[] }).rows.filter(({ name }) => name === 'growth')
}

/** Writes a journal of 1 KiB deliveries that are evenly distributed over the last `hours` hours. */
function writeJournal(path: string, hours: number, kib: number): void {
  mkdirSync(dirname(path), { recursive: true })
  const firstMs = Date.now() - hours * HOUR
  const lines = Array.from({ length: kib }, (_, at) => {
    const timeMs = firstMs + (at * hours * HOUR) / kib
    const line = deliveryLine({ timeMs, headers: {}, body: Buffer.from('{}'), verdict: 'new' })
    return line.replace('"headers":{}', `"headers":{"x":"${'x'.repeat(KIB - line.length - 6)}"}`)
  })
  writeFileSync(path, lines.join(''))
}

test('doctor warns about a journal that will fill its disk within a week and suggests --keep', async (context) => {
  skipWithout(context, SMALL_DISK)
  const home = { ...freshHome(), PARTNER_DATA_DIR: join(mountSmallDisk(4096), 'data') }
  const journal = join(home.PARTNER_DATA_DIR, 'deliveries.ndjson')
  // The journal grows by 512 KiB a day, and about 3,000 KiB of the disk is free.
  writeJournal(journal, 48, 1024)
  const [row, ...others] = await growthRows(home)
  expect(others).toEqual([])
  expect(row).toMatchObject({ status: 'warn', next: `partner webhooks listen --journal ${journal} --keep 90d` })
  expect(row?.message).toMatch(
    new RegExp(
      `^${journal} grows by 51[0-3] KiB a day; its disk has (?:2\\.9|3\\.0) MiB free and will be full in [56] days$`,
    ),
  )
  // An empty journal does not grow.
  writeJournal(journal, 48, 0)
  expect(await growthRows(home)).toMatchObject([{ status: 'ok', next: null }])
})

test('doctor expects a journal with --keep to grow by one compressed file a day until old files are deleted', async (context) => {
  skipWithout(context, SMALL_DISK)
  const home = { ...freshHome(), PARTNER_DATA_DIR: freshDirectory() }
  const disk = mountSmallDisk(4096)
  const journal = join(disk, 'hooks.ndjson')
  const note = { journal, port: 4011, url: 'http://127.0.0.1:4011', pid: 1 }
  saveListenerNote(home, { ...note, keepMs: 90 * DAY })
  writeJournal(journal, 10, 64)
  const day = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)
  for (const days of [1, 2]) writeFileSync(`${journal}.${day(days)}.gz`, Buffer.alloc(900 * KIB))
  expect(await growthRows(home)).toMatchObject([
    {
      status: 'warn',
      message: expect.stringMatching(/grows by 900 KiB a day; its disk has 2\.\d MiB free and will be full in 2 days$/),
      next: `partner webhooks listen --journal ${journal} --keep 45d`,
    },
  ])
  saveListenerNote(home, { ...note, keepMs: 2 * DAY })
  expect(await growthRows(home)).toMatchObject([{ status: 'ok' }])
})

test('doctor warns about a bookings log that will fill its disk and suggests bookings sync compact', async (context) => {
  skipWithout(context, SMALL_DISK)
  const now = new Date().toISOString()
  const { service, desk } = await startDesk(now, [])
  const path = join(mountSmallDisk(1024), 'b.ndjson')
  const notes = 'x'.repeat(1000)
  const old = new Date(Date.now() - 30 * DAY).toISOString()
  service.records = [
    ...Array.from({ length: 200 }, (_, at) => booking(`O-${at}`, old, { notes })),
    ...Array.from({ length: 200 }, (_, at) => booking(`N-${at}`, new Date(Date.now() - HOUR).toISOString(), { notes })),
  ]
  expect((await runPartner(['bookings', 'sync', '--to', path], { env: desk.env })).code).toBe(0)
  const [row] = await growthRows(desk.env as Record<string, string>, '--sync', path)
  expect(row).toMatchObject({ status: 'warn', next: `partner bookings sync compact ${path}` })
  expect(row?.message).toMatch(/b\.ndjson grows by 2[0-3]\d KiB a day; .* will be full in [12] days?$/)
})

test('doctor skips the growth row if there are no journals or logs', async () => {
  expect(await growthRows(freshHome())).toMatchObject([{ status: 'skip', next: null }])
})
