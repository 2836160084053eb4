import type { VenueTime } from '../clock/clock.ts'
import { listsUnlinkedSales } from '../records/sales.ts'
import { readDiary } from '../seed/diary-state.ts'
import { FIRST_NUMBER } from '../seed/numbers.ts'
import type { Diary } from '../store/diary.ts'
import type { Venue } from '../venue/venue.ts'
import { END_LINE, type Header, writeHeader } from './form/header.ts'
import { compactRecord } from './form/members.ts'
import { KINDS } from './kinds/kinds.ts'

/**
 * Returns the text of a snapshot of the venue. The same state produces the same text on every machine. Source:
 * docs/snapshots.md.
 */
export function writeSnapshot(diary: Diary, clock: VenueTime): string {
  return diary.transaction(() => {
    const { venue, venues, zone } = diary
    const defaults = { location: venue.id, toInstant: zone.toInstant }
    const lines = [
      writeHeader({
        clock: new Date(clock.now()).toISOString(),
        frozen: clock.frozen,
        venues: [venue, ...venues.slice(1)] as [Venue, ...Venue[]],
        listsUnlinkedSales: listsUnlinkedSales(diary),
        diary: describeDiary(diary),
      }),
    ]
    for (const kind of KINDS)
      for (const row of diary.all(kind.select))
        lines.push(JSON.stringify(compactRecord(kind.toRecord(row), kind.members, defaults)))
    lines.push(END_LINE)
    return `${lines.join('\n')}\n`
  })
}

function describeDiary(diary: Diary): Header['diary'] {
  const { seed, days, next, given } = readDiary(diary)
  return given ? 'given' : { seed, days, next: next ?? { booking: FIRST_NUMBER, sale: FIRST_NUMBER } }
}
