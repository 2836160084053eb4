import { type JsonObject, jsonObjects } from '../../base/json/exact.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import { type Cell, type Tone, toned } from '../../terminal/render/text/tone.ts'
import { listOf } from '../shared/views/list.ts'
import { pathsIn } from '../shared/views/paths.ts'
import { joined, textAt } from '../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = {
  same: 'good',
  spelling: 'warn',
  joined: 'warn',
  id: 'warn',
  ambiguous: 'bad',
  missing: 'bad',
  unused: 'dim',
}

/** Lists the table names from the POS next to the service's names. */
export const tableNameList = listOf('name', 'names', 'No names.', {
  columns: [
    { path: 'pos', header: 'POS', rank: 1, flex: 10, shrinksAfterRank: 3 },
    { path: 'service', header: 'SERVICE', cell: serviceCell, rank: 2, flex: 10, shrinksAfterRank: 3 },
    { path: 'section', header: 'SECTION', rank: 5, flex: 10, optional: true },
    { path: 'kind', header: 'DIFFERENCE', cell: differenceCell, rank: 3, flex: 12 },
    { path: 'lines', header: 'LINES', cell: linesCell, rank: 6, flex: 6, optional: true },
    { path: 'next', header: 'NEXT', rank: 4, flex: 20, wraps: true, optional: true },
  ],
  csvPaths: pathsIn('pos service tableId section kind differences doubled candidates parts lines next'),
})

/** Formats the service's name for a table. If no table was chosen, shows the candidates followed by a question mark. */
function serviceCell(row: JsonObject): Cell {
  const service = textAt(row, 'service')
  if (service !== '') return service
  const candidates = jsonObjects(row['candidates'])
  const names = candidates.map((one) => textAt(one, 'name'))
  const isOneName = new Set(names).size === 1 && names.length > 1
  const shown = isOneName
    ? candidates.map((one) => joined([textAt(one, 'name'), textAt(one, 'section')], ' in '))
    : names
  return shown.length > 0 ? { text: `${joined(shown, ', ')}?`, tone: 'dim' } : ''
}

function differenceCell(row: JsonObject): Cell {
  const kind = textAt(row, 'kind')
  const words = kind === 'spelling' ? textsAt(row, 'differences') : [kind === 'unused' ? 'only in the service' : kind]
  if (row['doubled'] !== true) return toned(kind, TONES, joined(words, ', '))
  if (kind === 'same') return { text: 'duplicate', tone: 'warn' }
  return toned(kind, TONES, joined([...words, 'duplicate'], ', '))
}

/** Formats up to three line numbers. If a table is on more lines, shows the first two and the number of lines. */
function linesCell(row: JsonObject): Cell {
  const lines = textsAt(row, 'lines')
  return lines.length > 3 ? `${lines.slice(0, 2).join(', ')}, … (${lines.length})` : lines.join(', ')
}

function textsAt(row: JsonObject, member: string): string[] {
  const value = row[member]
  return Array.isArray(value) ? value.map(plainText) : []
}
