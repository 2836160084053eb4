import type { JsonObject } from '../../../base/json/exact.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { textAt } from '../../shared/views/wording.ts'
import { countColumns, countsText, momentAt, rowsOf } from './row.ts'

export const snapshotList = listOf('snapshot', 'snapshots', 'No snapshots.', {
  columns: [
    { path: 'name', header: 'NAME', rank: 1 },
    { path: 'kind', header: 'KIND', rank: 3 },
    { path: 'clock', header: 'CLOCK', rank: 4, cell: (one) => momentAt(one, 'clock') || 'not readable' },
    { path: 'bytes', header: 'SIZE', align: 'right', rank: 5, cell: sizeText, optional: true },
    { path: 'savedAt', header: 'SAVED', rank: 6, cell: (one) => momentAt(one, 'savedAt'), optional: true },
    { path: 'about', header: 'CONTENT', flex: 20, wraps: true, rank: 2 },
  ],
  csvPaths: pathsIn('name kind about clock bytes savedAt file'),
})

export const savedViews = changedViews('saved')

export const deletedViews = changedViews('deleted')

function changedViews(done: 'saved' | 'deleted'): Views {
  const title = done === 'saved' ? 'Saved' : 'Deleted'
  return {
    card: {
      title: (answer) => [{ text: `${title} ${textAt(answer, 'name')}`, tone: 'good' }],
      sections: onlyFields([{ label: 'File', paths: ['file', 'name'] }]),
    },
    list: rowsOf('snapshot', `Nothing was ${done}.`, [
      { path: 'name', header: 'NAME' },
      { path: 'file', header: 'FILE', flex: 20 },
    ]),
  }
}

const CONTENT = ['bookings', 'customers', 'sales', 'giftcards', 'subscriptions'] as const

export const loadedViews: Views = {
  card: {
    title: (answer) => [{ text: `Loaded ${textAt(answer, 'name')}`, tone: 'good' }],
    sections: onlyFields([
      {
        label: 'Clock',
        paths: ['clock', 'frozen', 'name'],
        cell: (answer) => `${momentAt(answer, 'clock')}, ${answer['frozen'] === true ? 'frozen' : 'running'}`,
      },
      { label: 'Venue', paths: [...CONTENT, 'withoutCredentials'], cell: contentText },
    ]),
  },
  list: rowsOf('snapshot', 'Nothing was loaded.', [
    { path: 'name', header: 'NAME' },
    { path: 'clock', header: 'CLOCK' },
    { path: 'frozen', header: 'FROZEN' },
    ...countColumns(CONTENT),
  ]),
}

function contentText(answer: JsonObject): string {
  return countsText(answer, CONTENT) || 'no records'
}

const KIB = 1024

function sizeText(snapshot: JsonObject): string {
  const bytes = snapshot['bytes']
  if (typeof bytes !== 'number') return ''
  return bytes < 1000 * KIB ? `${Math.max(1, Math.round(bytes / KIB))} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`
}
