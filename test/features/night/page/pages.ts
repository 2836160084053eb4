import { join } from 'node:path'
import { assemble } from '../../../../src/features/night/assemble.ts'
import { nightOf } from '../../../../src/features/night/business-day.ts'
import { renderNightPage } from '../../../../src/features/night/page/page.ts'
import type { NightReport } from '../../../../src/features/night/printed/output.ts'
import { buildStatements, queryFigures } from '../../../../src/features/night/publish.ts'
import { readSynced } from '../../../../src/features/night/read.ts'
import { openRows } from '../../../../src/sync/open-target.ts'
import { DATE, lastingDirectory, VENUES, writeGroup } from '../group.ts'

const NOW = Date.parse('2026-11-23T01:00:00.000Z')

/** An open operation to print on the page. */
export const OPEN: NightReport['group']['elsewhere'][number] = {
  id: 'op_0123456789',
  command: 'giftcards redeem',
  target: 'GIFT1-<b>',
  amount: '12.50',
  profile: 'harbour',
  state: 'open',
  startedAt: '2026-11-22T00:00:00.000Z',
  service: 'https://a.example',
  ...{ before: null, how: null, endedAt: null, once: null, host: 'till-1', repeat: null },
}

let read: Promise<NightReport> | undefined

/** Reads the night report for all venues from a copy, in this process. Later calls return the same report. */
export function reportOfGroup(): Promise<NightReport> {
  read ??= readGroup()
  return read
}

async function readGroup(): Promise<NightReport> {
  const path = join(lastingDirectory(), 'group.db')
  await writeGroup(path)
  const place = { env: {}, signal: new AbortController().signal, flag: '--copy', hint: '' }
  const copy = await openRows(path, 'sqlite', place)
  try {
    const synced = await readSynced(copy, [])
    const withGuests: ReadonlySet<string> = new Set([VENUES[0]?.source ?? ''])
    const parts = {
      synced,
      noShow: [],
      seated: [],
      withGuests,
      nights: VENUES.map((venue) => nightOf(venue, DATE, '05:00')),
    }
    return assemble(await queryFigures(copy, buildStatements('sqlite', parts, [])), {
      ...parts,
      nowMs: NOW,
      name: 'group.db',
      open: [OPEN, { ...OPEN, id: 'op_9876543210', profile: 'elsewhere' }],
    })
  } finally {
    await copy.close()
  }
}

export async function pageOfGroup(): Promise<{ readonly text: string; readonly venues: number }> {
  const report = await reportOfGroup()
  return { text: renderNightPage(report, '1.2.3'), venues: report.venues.length }
}
