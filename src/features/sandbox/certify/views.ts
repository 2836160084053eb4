import { type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { CardView, CellOf, ListView } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = { passed: 'good', failed: 'bad' }

/** How to mend it; nothing for an item that passed. */
const remedy: CellOf = (one) => (textAt(one, 'status') === 'failed' ? textAt(one, 'mend') : '')

/** What came of each item: `{id, name, status, evidence, mend}`. */
export const itemList: ListView = {
  columns: [
    { path: 'id', header: 'ITEM', rank: 1 },
    { path: 'status', header: 'STATUS', cell: (one) => toned(textAt(one, 'status'), TONES), rank: 2 },
    { path: 'name', header: 'NAME', flex: 20, rank: 3 },
  ],
  csvPaths: ['id', 'status', 'name', 'mend'],
  empty: 'No items.',
  one: 'item',
  many: 'items',
  get card() {
    return itemCard
  },
}

/** One item. */
const itemCard: CardView = {
  title: (one) => [{ text: textAt(one, 'name'), tone: 'strong' }, toned(textAt(one, 'status'), TONES)],
  sections: [
    {
      heading: null,
      fields: [
        { label: 'Item', paths: ['id', 'name', 'status'], cell: (one) => textAt(one, 'id') },
        { label: 'To mend it', paths: ['mend', 'evidence'], cell: remedy },
      ],
    },
  ],
}

/** The items that there are: `{id, name, mend}`. */
export const knownItemList: ListView = {
  columns: [
    { path: 'id', header: 'ITEM', rank: 1 },
    { path: 'name', header: 'NAME', flex: 24, rank: 2 },
  ],
  csvPaths: ['id', 'name', 'mend'],
  empty: 'No items.',
  one: 'item',
  many: 'items',
}

/** What a check of a signed result found: `{valid, file, publicKey, isKnownKey, madeAt, name, passed, failed}`. */
export const verdictCard: CardView = {
  title: () => [
    { text: 'The signature is right', tone: 'strong' },
    { text: 'valid', tone: 'good' },
  ],
  sections: [
    {
      heading: null,
      fields: [
        { label: 'File', paths: ['file', 'valid'], cell: (one) => textAt(one, 'file') },
        { label: 'Integration', paths: ['name'] },
        { label: 'Made', paths: ['madeAt'] },
        {
          label: 'Items',
          paths: ['passed', 'failed'],
          cell: (one) => `${textAt(one, 'passed')} passed, ${textAt(one, 'failed')} failed`,
        },
        { label: 'Key', paths: ['publicKey', 'isKnownKey'], cell: (one) => textAt(one, 'publicKey') },
      ],
    },
  ],
}

/** The same, as a row. */
export const verdictList: ListView = {
  columns: [
    { path: 'file', header: 'FILE' },
    { path: 'valid', header: 'VALID' },
    { path: 'passed', header: 'PASSED', align: 'right' },
    { path: 'failed', header: 'FAILED', align: 'right' },
  ],
  csvPaths: ['file', 'valid', 'publicKey', 'isKnownKey', 'madeAt', 'name', 'passed', 'failed'],
  empty: 'Nothing was checked.',
  one: 'result',
  many: 'results',
}
