import type { Views } from '../../../terminal/output/many/venue.ts'
import { genericCardView } from '../../../terminal/render/generic-views.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { textAt } from '../../shared/views/wording.ts'
import { countColumns, countsText, rowsOf } from './row.ts'

export const factsViews: Views = {
  card: genericCardView,
  list: listOf('sandbox', 'sandboxes', 'No sandbox.', {
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
  }),
}

const SEEDED = ['bookings', 'customers', 'giftcards'] as const

export const seededViews: Views = {
  card: {
    title: (result) => {
      const text = `Seeded ${countsText(result, SEEDED) || 'nothing'}`
      return [{ text, tone: 'good' }, `in ${textAt(result, 'seconds')} s`]
    },
    sections: onlyFields([{ label: '', paths: [...SEEDED, 'seconds'], cell: () => '' }]),
  },
  list: rowsOf('seeding', 'Nothing was seeded.', [
    ...countColumns(SEEDED),
    { path: 'seconds', header: 'SECONDS', align: 'right' },
  ]),
}

export const resetViews: Views = {
  card: {
    title: ({ existed }) =>
      existed === true
        ? [{ text: 'The sandbox is empty', tone: 'good' }, 'the next command creates a new venue']
        : ['Nothing was reset, because the sandbox did not exist'],
    sections: onlyFields([{ label: 'Data', paths: ['reset', 'existed'] }]),
  },
  list: rowsOf('venue', 'Nothing was reset.', [
    { path: 'reset', header: 'DATA', flex: 20 },
    { path: 'existed', header: 'EXISTED' },
  ]),
}
