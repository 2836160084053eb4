import { join } from 'node:path'
import { assemble } from '../../../../src/features/night/assemble.ts'
import { nightOf } from '../../../../src/features/night/business-day.ts'
import { openNightCopy } from '../../../../src/features/night/copy.ts'
import { syncLagSql } from '../../../../src/features/night/figures.ts'
import { nightPage } from '../../../../src/features/night/page/page.ts'
import { askFigures, type NightReport, syncedUpTo } from '../../../../src/features/night/report.ts'
import { DATE, lastingDirectory, VENUES, writeGroup } from '../group.ts'

const NOW = Date.parse('2026-11-23T01:00:00.000Z')

/** An open operation, as people see it. */
export const OPEN = {
  id: 'op_0123456789',
  command: 'giftcards redeem',
  target: 'GIFT1-<b>',
  amount: '12.50',
  profile: 'harbour',
}

let read: Promise<NightReport> | undefined

/** The night of the group, read from a copy in this process, once. */
export function reportOfGroup(): Promise<NightReport> {
  read ??= readGroup()
  return read
}

async function readGroup(): Promise<NightReport> {
  const path = join(lastingDirectory(), 'group.db')
  await writeGroup(path)
  const copy = await openNightCopy(path, { env: {}, signal: new AbortController().signal })
  try {
    const synced = syncedUpTo(await copy.rows(syncLagSql(copy.dialect, [])))
    const withGuests: ReadonlySet<string> = new Set([VENUES[0]?.source ?? ''])
    const parts = {
      synced,
      noShow: [],
      seated: [],
      withGuests,
      nights: VENUES.map((venue) => nightOf(venue, DATE, '05:00')),
    }
    const open = [OPEN, { ...OPEN, id: 'op_9876543210', profile: 'elsewhere' }]
    return assemble(await askFigures(copy, parts), { ...parts, nowMs: NOW, name: 'group.db', open })
  } finally {
    await copy.close()
  }
}

/** Its page. */
export async function pageOfGroup(): Promise<{ readonly text: string; readonly venues: number }> {
  const report = await reportOfGroup()
  return { text: nightPage(report, { nowMs: NOW, version: '1.2.3' }), venues: report.venues.length }
}
