import type { JsonObject } from '../../base/json/exact.ts'
import { type Cell, type Tone, toned } from '../../terminal/render/text/tone.ts'
import type { ViewContext } from '../../terminal/render/view.ts'
import { listOf } from '../shared/views/list.ts'
import { distance, utcSeconds, zoneName } from '../shared/views/moments.ts'
import { joined, textAt } from '../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = { service: 'good', operations: 'warn', journal: 'dim', copy: 'dim' }

export const timelineList = listOf('entry', 'entries', 'No entries.', {
  columns: [
    { path: 'local', header: 'VENUE TIME', rank: 2, optional: true },
    { path: 'at', header: 'UTC', cell: utcCell, rank: 1 },
    // A narrow table hides the ODD column, so this column marks odd entries with `!`. The explanations are printed to
    // stderr.
    { path: 'text', header: 'WHAT', cell: whatCell, flex: 20, wraps: true, shrinksAfterRank: 4, rank: 3 },
    { path: 'where', header: 'FROM', cell: fromCell, flex: 12, wraps: true, rank: 5 },
    { path: 'oddity', header: 'ODD', cell: oddCell, flex: 14, rank: 6, optional: true },
  ],
  csvPaths: ['at', 'local', 'future', 'kind', 'source', 'where', 'subject', 'text', 'oddity'],
  footnote: (context) => (context.timezone === null ? null : `venue times are in ${zoneName(context)}`),
})

/** Formats an entry's time in UTC. If it also has a local time, omits the year, or the date if both dates are equal. */
function utcCell(entry: JsonObject): string {
  const utc = utcSeconds(textAt(entry, 'at'))
  const local = textAt(entry, 'local')
  if (local === '') return utc
  return utc.slice(local.startsWith(utc.slice(0, DAY.length)) ? DAY.length + 1 : YEAR.length)
}

const [DAY, YEAR] = ['yyyy-MM-dd', 'yyyy-'] as const

function whatCell(entry: JsonObject, context: ViewContext): Cell {
  const away = entry['future'] === true ? distance(entry['at'], context) : ''
  const text = joined([textAt(entry, 'text'), away === '' ? '' : `(${away})`], ' ')
  return textAt(entry, 'oddity') === '' ? text : { text: `! ${text}`, tone: 'bad' }
}

function fromCell(entry: JsonObject): Cell {
  const source = textAt(entry, 'source')
  const where = textAt(entry, 'where')
  if (where === '') return toned(source, TONES)
  return source === 'service' ? `service, ${where}` : where
}

function oddCell(entry: JsonObject): Cell {
  return { text: textAt(entry, 'oddity'), tone: 'bad' }
}
