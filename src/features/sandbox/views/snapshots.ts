import type { JsonObject } from '../../../base/json/exact.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'
import { rowsOf } from './row.ts'

/** Snapshots: `{name, kind, about, clock, bytes, savedAt, file}`. */
export const snapshotList = rowsOf(
  'snapshot',
  'No snapshots.',
  [
    { path: 'name', header: 'NAME', rank: 1 },
    { path: 'kind', header: 'KIND', rank: 3 },
    { path: 'clock', header: 'CLOCK', rank: 4, cell: (one) => momentAt(one, 'clock') || 'not readable' },
    { path: 'bytes', header: 'SIZE', align: 'right', rank: 5, cell: sizeText, optional: true },
    { path: 'savedAt', header: 'SAVED', rank: 6, cell: (one) => momentAt(one, 'savedAt'), optional: true },
    { path: 'about', header: 'WHAT IS IN IT', flex: 20, wraps: true, rank: 2 },
  ],
  pathsIn('name kind about clock bytes savedAt file'),
)

/** A snapshot that was saved: `{name, file}`. */
export const savedViews = changedViews('saved')

/** A snapshot that was deleted: `{name, file}`. */
export const deletedViews = changedViews('deleted')

function changedViews(done: 'saved' | 'deleted'): Views {
  const title = done === 'saved' ? 'Saved' : 'Deleted'
  return {
    card: {
      title: (answer) => [{ text: `${title} ${textAt(answer, 'name')}`, tone: 'good' }],
      sections: [{ heading: null, fields: [{ label: 'File', paths: ['file', 'name'] }] }],
    },
    list: rowsOf('snapshot', `Nothing was ${done}.`, [
      { path: 'name', header: 'NAME' },
      { path: 'file', header: 'FILE', flex: 20 },
    ]),
  }
}

/**
 * A loaded snapshot: `{name, clock, frozen, bookings, customers, sales, giftcards, subscriptions, withoutCredentials}`.
 */
export const loadedViews: Views = {
  card: {
    title: (answer) => [{ text: `Loaded ${textAt(answer, 'name')}`, tone: 'good' }],
    sections: [
      {
        heading: null,
        fields: [
          {
            label: 'Clock',
            paths: ['clock', 'frozen', 'name'],
            cell: (answer) => `${momentAt(answer, 'clock')}, ${answer['frozen'] === true ? 'frozen' : 'running'}`,
          },
          {
            label: 'Venue',
            paths: ['bookings', 'customers', 'sales', 'giftcards', 'subscriptions', 'withoutCredentials'],
            cell: contentText,
          },
        ],
      },
    ],
  },
  list: rowsOf('snapshot', 'Nothing was loaded.', [
    { path: 'name', header: 'NAME' },
    { path: 'clock', header: 'CLOCK' },
    { path: 'frozen', header: 'FROZEN' },
    { path: 'bookings', header: 'BOOKINGS', align: 'right' },
    { path: 'customers', header: 'CUSTOMERS', align: 'right' },
    { path: 'sales', header: 'SALES', align: 'right' },
    { path: 'giftcards', header: 'GIFT CARDS', align: 'right' },
    { path: 'subscriptions', header: 'SUBSCRIPTIONS', align: 'right' },
  ]),
}

function momentAt(record: JsonObject, path: string): string {
  const at = textAt(record, path)
  return at === '' ? '' : `${utcSeconds(at)} UTC`
}

function contentText(answer: JsonObject): string {
  const counts = [
    counted(answer['bookings'], 'booking', 'bookings'),
    counted(answer['customers'], 'customer', 'customers'),
    counted(answer['sales'], 'sale', 'sales'),
    counted(answer['giftcards'], 'gift card', 'gift cards'),
    counted(answer['subscriptions'], 'subscription', 'subscriptions'),
  ]
  const there = counts.filter((text) => !text.startsWith('0 '))
  return joined(there, ', ') || 'nothing but the venue'
}

const KIB = 1024

function sizeText(snapshot: JsonObject): string {
  const bytes = snapshot['bytes']
  if (typeof bytes !== 'number') return ''
  return bytes < 1000 * KIB ? `${Math.max(1, Math.round(bytes / KIB))} KiB` : `${(bytes / KIB / KIB).toFixed(1)} MiB`
}
