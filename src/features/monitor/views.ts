import { type Cell, type Tone, toned } from '../../terminal/render/text/tone.ts'
import { listOf } from '../shared/views/list.ts'
import { instantCellAt, zoneName } from '../shared/views/moments.ts'
import { textAt } from '../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = { ok: 'good', wrong: 'bad', unknown: 'warn' }

export const statusList = listOf('check', 'checks', 'No checks.', {
  columns: [
    { path: 'state', header: 'STATE', cell: (row) => toned(textAt(row, 'state'), TONES), rank: 1 },
    { path: 'name', header: 'CHECK', rank: 2 },
    { path: 'profile', header: 'PROFILE', flex: 8, rank: 3, optional: true },
    { path: 'since', header: 'SINCE', cell: instantCellAt('since'), rank: 4 },
    { path: 'message', header: 'MESSAGE', flex: 24, wraps: true, rank: 5 },
    { path: 'pendingSince', header: 'PENDING SINCE', cell: instantCellAt('pendingSince'), rank: 7, optional: true },
    { path: 'checkedAt', header: 'CHECKED', cell: instantCellAt('checkedAt'), rank: 6 },
    // Show a command only if it fits, because a truncated command cannot be copied.
    { path: 'next', header: 'NEXT', rank: 8, optional: true },
  ],
  footnote: (context) => `times in ${zoneName(context)}`,
})

export const testList = listOf('destination', 'destinations', 'No destinations.', {
  columns: [
    { path: 'delivered', header: 'DELIVERED', cell: (row): Cell => deliveredCell(row['delivered'] === true), rank: 1 },
    { path: 'destination', header: 'DESTINATION', flex: 16, wraps: true, rank: 2 },
    { path: 'problem', header: 'PROBLEM', flex: 24, wraps: true, rank: 3, optional: true },
  ],
  csvPaths: ['kind', 'destination', 'delivered', 'problem'],
})

function deliveredCell(isDelivered: boolean): Cell {
  return isDelivered ? { text: 'yes', tone: 'good' } : { text: 'no', tone: 'bad' }
}
