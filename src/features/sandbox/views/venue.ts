import type { CardView, ListView } from '../../../terminal/render/view.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'

/** What a program needs to use a running sandbox: `{baseUrl, apiKey, keys, partnerName, …}`. Its keys open nothing else. */
export const sandboxFacts: ListView = {
  columns: [
    { path: 'baseUrl', header: 'BASE URL', rank: 1 },
    { path: 'apiKey', header: 'API KEY', rank: 2 },
    { path: 'partnerName', header: 'PARTNER NAME', rank: 3 },
    { path: 'signatureHeader', header: 'SIGNATURE HEADER', rank: 5 },
    { path: 'signingSecret', header: 'SIGNING SECRET', rank: 4 },
    { path: 'locationId', header: 'LOCATION ID', rank: 6 },
  ],
  csvPaths: pathsIn(`baseUrl apiKey keys.unknownApp keys.unlinkedVenue partnerName signatureHeader signingSecret
    locationId timezone`),
  empty: 'No sandbox.',
  one: 'sandbox',
  many: 'sandboxes',
}

/** What `sandbox seed` wrote: `{bookings, customers, giftcards, seconds}`. */
export const seededCard: CardView = {
  title: (result) => {
    const counts = [
      counted(result['bookings'], 'booking', 'bookings'),
      counted(result['customers'], 'customer', 'customers'),
      counted(result['giftcards'], 'gift card', 'gift cards'),
    ]
    const written = counts.filter((text) => !text.startsWith('0 '))
    const text = `Seeded ${joined(written, ', ') || 'nothing'}`
    return [{ text, tone: 'good' }, `in ${textAt(result, 'seconds')} s`]
  },
  sections: [
    {
      heading: null,
      fields: [{ label: '', paths: ['bookings', 'customers', 'giftcards', 'seconds'], cell: () => '' }],
    },
  ],
}

/** The same as a row. */
export const seededList: ListView = {
  columns: [
    { path: 'bookings', header: 'BOOKINGS', align: 'right' },
    { path: 'customers', header: 'CUSTOMERS', align: 'right' },
    { path: 'giftcards', header: 'GIFT CARDS', align: 'right' },
    { path: 'seconds', header: 'SECONDS', align: 'right' },
  ],
  csvPaths: ['bookings', 'customers', 'giftcards', 'seconds'],
  empty: 'Nothing was seeded.',
  one: 'seeding',
  many: 'seedings',
}

/** Whether there was a sandbox to reset: `{reset, existed}`; `reset` is its data directory. */
export const resetCard: CardView = {
  title: (answer) =>
    answer['existed'] === true
      ? [{ text: 'The sandbox is empty', tone: 'good' }, 'the next command makes a new venue']
      : ['There was no sandbox to reset'],
  sections: [{ heading: null, fields: [{ label: 'Data', paths: ['reset', 'existed'] }] }],
}

/** The same as a row. */
export const resetList: ListView = {
  columns: [
    { path: 'reset', header: 'DATA', flex: 20 },
    { path: 'existed', header: 'EXISTED' },
  ],
  csvPaths: ['reset', 'existed'],
  empty: 'Nothing was reset.',
  one: 'venue',
  many: 'venues',
}
