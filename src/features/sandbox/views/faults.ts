import type { JsonObject } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { describeEffect } from '../../../sandbox/faults/describe-effect.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, textAt } from '../../shared/views/wording.ts'
import { rowsOf } from './row.ts'

export const faultViews: Views = {
  card: {
    title: (fault) => [{ text: `Fault ${textAt(fault, 'id')}`, tone: 'strong' }, effectText(fault)],
    sections: onlyFields([
      { label: 'Endpoint', paths: ['endpoint', 'id', 'effect'] },
      { label: 'Affects', paths: ['next', 'nth', 'share', 'seed'], cell: timesCell },
      { label: 'Change', paths: ['phase'], cell: phaseText },
      {
        label: 'So far',
        paths: ['fired', 'seen'],
        cell: (fault) => `affected ${textAt(fault, 'fired')} of ${textAt(fault, 'seen')} requests`,
      },
    ]),
  },
  list: listOf('fault', 'faults', 'No faults: the sandbox behaves as the specification says.', {
    columns: [
      { path: 'id', header: 'ID', align: 'right', rank: 1 },
      { path: 'endpoint', header: 'ENDPOINT', flex: 26, rank: 2 },
      { path: 'effect', header: 'FAULT', cell: effectText, flex: 16, rank: 3 },
      { path: 'phase', header: 'CHANGE', cell: phaseText, rank: 6, optional: true },
      { path: 'next', header: 'AFFECTS', cell: timesCell, rank: 4 },
      { path: 'seen', header: 'SEEN', align: 'right', rank: 7 },
      { path: 'fired', header: 'AFFECTED', align: 'right', rank: 5 },
    ],
    csvPaths:
      pathsIn(`id endpoint effect.kind effect.status effect.message effect.ms effect.bytes effect.url effect.times
      phase next share seed nth seen fired`),
  }),
}

export const clearedViews: Views = {
  card: {
    title: (answer) =>
      textAt(answer, 'cleared') === '0'
        ? ['There were no faults']
        : [{ text: `Cleared ${counted(answer['cleared'], 'fault', 'faults')}`, tone: 'good' }],
    sections: onlyFields([{ label: '', paths: ['cleared'], cell: () => '' }]),
  },
  list: rowsOf('answer', 'There were no faults.', [{ path: 'cleared', header: 'CLEARED' }]),
}

function effectText(fault: JsonObject): string {
  return describeEffect((member) => plainText(valueAt(fault, `effect.${member}`)))
}

function phaseText(fault: JsonObject): string {
  const phase = textAt(fault, 'phase')
  if (phase === 'before') return 'not made'
  return phase === 'after' ? 'made' : phase
}

/** Describes which requests the fault affects, or says that the fault is used up. */
function timesCell(fault: JsonObject): Cell {
  const [next, nth, share, seed] = ['next', 'nth', 'share', 'seed'].map((member) => textAt(fault, member))
  const [seen, fired] = [Number(textAt(fault, 'seen')), Number(textAt(fault, 'fired'))]
  if (nth) return seen >= Number(nth) ? { text: `request ${nth}, done`, tone: 'dim' } : `request ${nth}`
  if (next)
    return fired >= Number(next) ? { text: `the next ${next}, done`, tone: 'dim' } : `the next ${Number(next) - fired}`
  if (share) return seed ? `${share}%, seed ${seed}` : `${share}%`
  return 'every request'
}
