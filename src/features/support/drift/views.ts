import type { JsonObject } from '../../../base/json/exact.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { ListView } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { textAt } from '../../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = {
  contradicted: 'bad',
  'unknown-member': 'warn',
  'not-seen': 'dim',
  confirmed: 'good',
}

/** The list view of `drift`: `{endpoint, member, basis, verdict, expected, seen, times, source, accepted}`. */
export const driftList = listOf('entry', 'entries', 'Nothing that was seen differs from the contract.', {
  columns: [
    { path: 'verdict', header: 'VERDICT', cell: verdictCell, rank: 5 },
    { path: 'endpoint', header: 'ENDPOINT', flex: 18, rank: 2 },
    { path: 'member', header: 'MEMBER', rank: 1 },
    { path: 'expected', header: 'EXPECTED', flex: 18, rank: 4 },
    { path: 'seen', header: 'SEEN', cell: seenCell, flex: 22, rank: 3 },
    { path: 'basis', header: 'BASIS', rank: 6 },
    { path: 'source', header: 'FROM', cell: sourceCell, rank: 7, optional: true },
  ],
  csvPaths: ['endpoint', 'member', 'basis', 'verdict', 'expected', 'seen', 'times', 'source', 'accepted'],
})

/** The list view of `drift accept`: `{kind, where, documented, accepted}`. */
export const correctionList: ListView = {
  columns: [
    { path: 'where', header: 'WHERE', rank: 1 },
    { path: 'documented', header: 'CONTRACT', flex: 16, rank: 3 },
    { path: 'accepted', header: 'ACCEPTED', flex: 16, rank: 2 },
  ],
  csvPaths: ['kind', 'where', 'documented', 'accepted'],
  empty: 'The last run of drift found no differences that can be accepted.',
  one: 'correction',
  many: 'corrections',
}

/**
 * Returns the cell for the SEEN column. Marks an unknown member with `new:`, because a narrow table has no VERDICT
 * column.
 */
function seenCell(entry: JsonObject): Cell {
  const seen = textAt(entry, 'seen')
  return entry['verdict'] === 'unknown-member' ? `new: ${seen}` : seen
}

/** Returns the cell for the FROM column. It is empty for `run`, which is the most common source. */
function sourceCell(entry: JsonObject): Cell {
  const source = textAt(entry, 'source')
  return source === 'run' ? '' : source
}

function verdictCell(entry: JsonObject): Cell {
  return entry['accepted'] === true ? { text: 'accepted', tone: 'good' } : toned(textAt(entry, 'verdict'), TONES)
}
