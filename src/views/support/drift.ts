import type { JsonObject } from '../../json/exact.ts'
import { type Cell, type Tone, toned } from '../../render/text/tone.ts'
import type { ListView } from '../../render/view.ts'
import { textAt } from '../wording.ts'

const TONES: Readonly<Record<string, Tone>> = {
  contradicted: 'bad',
  'unknown-member': 'warn',
  'not-seen': 'dim',
  confirmed: 'good',
}

/**
 * How answers compare with the contract: `{endpoint, member, basis, verdict, expected, seen, times, source, accepted}`. Nothing of it
 * is a value of an answer.
 */
export const driftList: ListView = {
  columns: [
    { path: 'verdict', header: 'VERDICT', cell: verdictCell, rank: 2 },
    { path: 'endpoint', header: 'ENDPOINT', rank: 3 },
    { path: 'member', header: 'MEMBER', rank: 1 },
    { path: 'expected', header: 'EXPECTED', flex: 12, rank: 5 },
    { path: 'seen', header: 'SEEN', flex: 12, rank: 4 },
    { path: 'basis', header: 'BASIS', rank: 6 },
    { path: 'source', header: 'FROM', rank: 7, optional: true },
  ],
  csvPaths: ['endpoint', 'member', 'basis', 'verdict', 'expected', 'seen', 'times', 'source', 'accepted'],
  empty: 'Nothing that was seen differs from the contract.',
  one: 'entry',
  many: 'entries',
}

/** What `drift accept` has the client follow: `{kind, where, documented, accepted}`. */
export const correctionList: ListView = {
  columns: [
    { path: 'where', header: 'WHERE', rank: 1 },
    { path: 'documented', header: 'CONTRACT', flex: 16, rank: 3 },
    { path: 'accepted', header: 'FOLLOWED', flex: 16, rank: 2 },
  ],
  csvPaths: ['kind', 'where', 'documented', 'accepted'],
  empty: 'The last run of drift shows nothing that can be followed.',
  one: 'correction',
  many: 'corrections',
}

function verdictCell(entry: JsonObject): Cell {
  const verdict = textAt(entry, 'verdict')
  return entry['accepted'] === true ? { text: 'accepted', tone: 'good' } : toned(verdict, TONES)
}
