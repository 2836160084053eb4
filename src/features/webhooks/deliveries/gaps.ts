import type { JsonObject } from '../../../base/json/exact.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { ViewContext } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { instantCell, instantCellAt, zoneName } from '../../shared/views/moments.ts'
import { textAt } from '../../shared/views/wording.ts'
import { EVENT_WIDTH } from './lists.ts'

const TONES: Readonly<Record<string, Tone>> = { missing: 'bad', extra: 'warn', late: 'warn', duplicate: 'dim' }

export const gapList = listOf('gap', 'gaps', 'No gaps.', {
  columns: [
    { path: 'class', header: 'CLASS', cell: (gap) => toned(textAt(gap, 'class'), TONES), rank: 2 },
    { path: 'event', header: 'EVENT', rank: 3 },
    { path: 'subject', header: 'SUBJECT', rank: 1 },
    { path: 'changed', header: 'WHEN', cell: whenText, rank: 5 },
    { path: 'lateSeconds', header: 'LATE', cell: lateText, align: 'right', rank: 6, optional: true },
    { path: 'line', header: 'LINE', align: 'right', rank: 7, optional: true },
    { path: 'repaired', header: 'REPAIR', cell: repairCell, flex: 8, rank: 4, optional: true },
  ],
  csvPaths: [
    ...['class', 'event', 'subject', 'changedAfter', 'changed'],
    ...['delivered', 'lateSeconds', 'line', 'repaired', 'answer'],
  ],
  footnote: (context) => `times in ${zoneName(context)}`,
})

export const gapHourList = listOf('row', 'rows', 'No changes and no deliveries.', {
  columns: [
    { path: 'hour', header: 'HOUR', cell: instantCellAt('hour'), rank: 1 },
    { path: 'event', header: 'EVENT', minWidth: EVENT_WIDTH, rank: 2 },
    { path: 'changes', header: 'CHANGES', align: 'right', rank: 7 },
    { path: 'deliveries', header: 'DELIVERED', align: 'right', rank: 8 },
    { path: 'missing', header: 'MISSING', align: 'right', cell: countCell('missing'), rank: 3 },
    { path: 'extra', header: 'EXTRA', align: 'right', cell: countCell('extra'), rank: 4 },
    { path: 'late', header: 'LATE', align: 'right', cell: countCell('late'), rank: 5 },
    { path: 'duplicate', header: 'DUPLICATE', align: 'right', cell: countCell('duplicate'), rank: 6 },
  ],
  footnote: (context) => `times in ${zoneName(context)}`,
})

/** Formats the time of the change. If no change caused the delivery, formats the delivery's time of arrival instead. */
function whenText({ changed, delivered }: JsonObject, context: ViewContext): string {
  return instantCell(changed ?? delivered, context)
}

function lateText({ lateSeconds }: JsonObject): string {
  const isLate = typeof lateSeconds === 'number' && lateSeconds >= 0 && Number.isSafeInteger(lateSeconds)
  return isLate ? formatDuration(lateSeconds * 1000) : plainText(lateSeconds)
}

function repairCell(gap: JsonObject): Cell {
  const { repaired } = gap
  if (typeof repaired !== 'boolean') return textAt(gap, 'repaired')
  return repaired ? { text: 'sent', tone: 'good' } : { text: textAt(gap, 'answer'), tone: 'bad' }
}

function countCell(member: string): (one: JsonObject) => Cell {
  return (one) => {
    const text = textAt(one, member)
    const tone = text === '0' ? 'dim' : TONES[member]
    return tone ? { text, tone } : text
  }
}
