import type { JsonObject } from '../../../base/json/exact.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { textAt } from '../../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = { passed: 'good', failed: 'bad' }

const statusCell = (one: JsonObject): Cell => toned(textAt(one, 'status'), TONES)

export const itemList = listOf('item', 'items', 'No items.', {
  columns: [
    { path: 'id', header: 'ITEM', rank: 1 },
    { path: 'status', header: 'STATUS', cell: statusCell, rank: 2 },
    { path: 'name', header: 'NAME', flex: 20, rank: 3 },
  ],
  csvPaths: pathsIn('id status name mend'),
  card: {
    title: (one) => [{ text: textAt(one, 'name'), tone: 'strong' }, statusCell(one)],
    sections: onlyFields([
      { label: 'Item', paths: ['id', 'name', 'status'] },
      {
        label: 'How to fix it',
        paths: ['mend', 'evidence'],
        cell: (one) => (textAt(one, 'status') === 'failed' ? textAt(one, 'mend') : ''),
      },
    ]),
  },
})

export const knownItemList = listOf('item', 'items', 'No items.', {
  columns: [
    { path: 'id', header: 'ITEM', rank: 1 },
    { path: 'name', header: 'NAME', flex: 24, rank: 2 },
  ],
  csvPaths: pathsIn('id name mend'),
})

export const verdictViews: Views = {
  card: {
    title: () => [
      { text: 'The signature is correct', tone: 'strong' },
      { text: 'valid', tone: 'good' },
    ],
    sections: onlyFields([
      { label: 'File', paths: ['file', 'valid'] },
      { label: 'Integration', paths: ['name'] },
      { label: 'Created', paths: ['madeAt'] },
      {
        label: 'Items',
        paths: ['passed', 'failed'],
        cell: (one) => `${textAt(one, 'passed')} passed, ${textAt(one, 'failed')} failed`,
      },
      { label: 'Key', paths: ['publicKey', 'isKnownKey'] },
    ]),
  },
  list: listOf('result', 'results', 'Nothing was checked.', {
    columns: [
      { path: 'file', header: 'FILE' },
      { path: 'valid', header: 'VALID' },
      { path: 'passed', header: 'PASSED', align: 'right' },
      { path: 'failed', header: 'FAILED', align: 'right' },
    ],
    csvPaths: pathsIn('file valid publicKey isKnownKey madeAt name passed failed'),
  }),
}
