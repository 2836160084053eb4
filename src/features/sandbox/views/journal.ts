import type { JsonObject } from '../../../base/json/exact.ts'
import type { Screen } from '../../../terminal/render/screen.ts'
import { terminalSafe } from '../../../terminal/render/text/safe-text.ts'
import { type Cell, cellText, cellTone, paint, type Tone } from '../../../terminal/render/text/tone.ts'
import { listOf } from '../../shared/views/list.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { joined, textAt } from '../../shared/views/wording.ts'
import { SANDBOX_TIMES } from './row.ts'

export const journalList = listOf('request', 'requests', 'No requests yet.', {
  columns: [
    { path: 'at', header: 'AT', cell: (entry) => utcSeconds(textAt(entry, 'at')).slice('2026-'.length), rank: 5 },
    { path: 'status', header: 'STATUS', cell: statusCell, rank: 1 },
    { path: 'method', header: 'METHOD', rank: 3 },
    { path: 'path', header: 'PATH', cell: targetText, flex: 20, rank: 2 },
    { path: 'note', header: 'WHY', cell: noteCell, flex: 14, shrinksAfterRank: 5, rank: 4, optional: true },
    { path: 'endpoint', header: 'ENDPOINT', rank: 6 },
    // Always show one decimal place, so that the decimal points align.
    { path: 'ms', header: 'MS', align: 'right', cell: (one) => textAt(one, 'ms').replace(/^\d+$/, '$&.0'), rank: 7 },
    { path: 'faults', header: 'FAULTS', cell: faultsText, rank: 8, optional: true },
  ],
  csvPaths: pathsIn('at method path query endpoint status ms note faults request.headers request.body response.body'),
  footnote: () => `${SANDBOX_TIMES}; -o json includes headers and bodies`,
})

/** Formats a request as a log line that is safe to print on a terminal. The line ends with a newline. */
export function journalLine(entry: JsonObject, screen: Screen): string {
  const status = statusCell(entry)
  const parts = [
    paint('dim', utcSeconds(textAt(entry, 'at')), screen),
    paint(cellTone(status), cellText(status), screen),
    terminalSafe(joined([textAt(entry, 'method'), targetText(entry)], ' ')),
    paint('dim', `${textAt(entry, 'ms')} ms`, screen),
    paint(cellTone(noteCell(entry)), terminalSafe(cellText(noteCell(entry))), screen),
  ]
  return `${joined(parts, '  ')}\n`
}

function statusCell(entry: JsonObject): Cell {
  const status = textAt(entry, 'status')
  if (status === '') return { text: 'none', tone: 'bad' }
  const tone: Tone | null = status >= '500' ? 'bad' : status >= '400' ? 'warn' : null
  return tone ? { text: status, tone } : status
}

function targetText(entry: JsonObject): string {
  return joined([textAt(entry, 'path'), textAt(entry, 'query')], '?')
}

function noteCell(entry: JsonObject): Cell {
  const note = textAt(entry, 'note')
  return note === '' ? '' : { text: note, tone: 'warn' }
}

function faultsText(entry: JsonObject): string {
  const { faults } = entry
  return Array.isArray(faults) ? faults.join(', ') : ''
}
