import { expect, test } from 'vitest'
import { needs } from '../../support/needs.ts'
import { runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { booking as copied, hold, minute, NOTE } from '../../sync/postgres/copies.ts'
import { openTestInbox } from '../../webhooks/inbox/inboxes.ts'
import { booking, startTimelineVenue } from './timeline-venue.ts'

needs(POSTGRES)
const server = postgresServer()

test('timeline booking reads a copy and an inbox in PostgreSQL, including duplicates that share a row', async () => {
  const url = await server.database()
  const known = await startTimelineVenue()
  const env = { ...known.env, ...POSTGRES_ENV }
  const timeline = (...args: readonly string[]) =>
    runPartner(['timeline', 'booking', 'BK-1', '--copy', url, '--source', 'venue', ...args], { env })
  expectRefusal(await timeline(), { code: 2, says: '--copy in PostgreSQL has no bookings or sales of venue' })
  const { copy } = await hold(url)
  await copy.add([copied('BK-1', 1, { status: { code: 'CONFIRMED' } }), copied('BK-2', 2)])
  await copy.commit(minute(120), NOTE)
  expectRefusal(await timeline('--journal', url), { code: 2, says: 'has no table named inbox' })
  const { event } = await openTestInbox(url)
  for (const id of ['BK-1', 'BK-2', 'BK-1']) await event('BOOKING_UPDATED', id)
  known.bookings = [booking('BK-1', new Date(minute(9)).toISOString(), 'SEATED', { locationId: 'L-1' })]
  const run = await timeline('--journal', url, '--json')
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const entries: Readonly<Record<string, unknown>>[] = JSON.parse(run.stdout)
  expect(entries.filter(({ kind }) => kind === 'version')).toMatchObject([
    { where: 'database', source: 'copy' },
    { where: null, text: expect.stringContaining('status CONFIRMED → SEATED') },
  ])
  expect(entries.filter(({ kind }) => kind === 'delivery')).toMatchObject([
    { where: 'inbox:1', oddity: null },
    { where: 'inbox:1', oddity: expect.stringContaining('the same event arrived shortly before') },
  ])
  expect(run.stdout + run.stderr).not.toContain('password')
})
