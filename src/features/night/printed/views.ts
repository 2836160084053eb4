import { type JsonObject, jsonObjects } from '../../../base/json/exact.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { CardView, Column, ListView, TableSection } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'

const BAR = 24

/** The page of a venue: `{name, when, figures, services, hours, seated, sales, owing, operations, more}`. */
export function venueNightCard(page: JsonObject): CardView {
  const most = Math.max(1, ...jsonObjects(page['services']).map((one) => numberAt(one, 'covers')))
  return {
    title: () => [
      { text: textAt(page, 'name'), tone: 'strong' },
      { text: textAt(page, 'when'), tone: 'dim' },
    ],
    sections: [
      figures,
      {
        heading: 'Covers by service',
        path: 'services',
        covers: ['bookings', 'cancelled', 'withoutPeople', 'noShowPeople'],
        columns: [
          { path: 'service', header: 'SERVICE', flex: 10, rank: 1, cell: (one) => textAt(one, 'service') || '(none)' },
          { path: 'covers', header: 'COVERS', align: 'right', rank: 2 },
          { path: 'bookings', header: 'BOOKINGS', align: 'right', rank: 4 },
          { path: 'noShows', header: 'NO-SHOWS', align: 'right', cell: warned('noShows'), rank: 3 },
          { path: 'cancelled', header: 'CANCELLED', align: 'right', rank: 5 },
          { path: 'bar', header: 'SHARE', cell: (one) => bar(numberAt(one, 'covers') / most, BAR), rank: 6 },
        ],
      },
      {
        heading: null,
        fields: [
          {
            label: 'By hour',
            paths: ['hours', 'name', 'when', 'more'],
            cell: ({ hours }) => sparks(jsonObjects(hours)),
          },
        ],
      },
      listed(page, 'seated', 'Seated without a sale', [
        ...BOOKING,
        { path: 'tables', header: 'TABLES', flex: 6, rank: 5, optional: true },
        { path: 'status', header: 'STATUS', flex: 8, rank: 6 },
      ]),
      listed(page, 'sales', 'Sales without a booking', [
        { path: 'saleId', header: 'SALE', rank: 1 },
        { path: 'time', header: 'CLOSED', rank: 2 },
        { path: 'total', header: 'TOTAL', align: 'right', rank: 3 },
        { path: 'status', header: 'STATUS', flex: 6, rank: 4 },
        { path: 'pos', header: 'POS', flex: 8, rank: 5, optional: true },
        { path: 'staff', header: 'STAFF', flex: 8, rank: 6, optional: true },
      ]),
      listed(page, 'owing', 'Deposits due, by booking', [
        ...BOOKING,
        { path: 'due', header: 'DUE', align: 'right', rank: 3 },
        { path: 'status', header: 'STATUS', flex: 8, rank: 6 },
      ]),
      listed(page, 'operations', 'Open operations of this machine', OPERATION),
    ],
  }
}

/** The page of the group: `{when, figures, venues, operations, more}`. */
export function groupNightCard(page: JsonObject): CardView {
  const venues = jsonObjects(page['venues']).filter(({ isTotal }) => isTotal !== true)
  const most = Math.max(1, ...venues.map((one) => numberAt(one, 'covers')))
  return {
    title: () => [
      { text: 'All venues', tone: 'strong' },
      { text: textAt(page, 'when'), tone: 'dim' },
    ],
    sections: [
      figures,
      { heading: null, fields: [{ label: '', paths: ['when', 'more'], cell: () => '' }] },
      {
        heading: 'Venues',
        path: 'venues',
        covers: ['isTotal'],
        columns: [
          { path: 'venue', header: 'VENUE', flex: 10, cell: venueCell, rank: 1 },
          { path: 'covers', header: 'COVERS', align: 'right', cell: known('covers'), rank: 2 },
          { path: 'takings', header: 'TAKINGS', align: 'right', cell: known('takings'), rank: 4 },
          { path: 'noShows', header: 'NO-SHOWS', align: 'right', cell: known('noShows'), rank: 3 },
          { path: 'seatedWithoutSale', header: 'NO SALE', align: 'right', cell: known('seatedWithoutSale'), rank: 5 },
          {
            path: 'salesWithoutBooking',
            header: 'NO BOOKING',
            align: 'right',
            cell: known('salesWithoutBooking'),
            rank: 6,
          },
          { path: 'depositsDue', header: 'DEPOSITS DUE', align: 'right', cell: known('depositsDue'), rank: 8 },
          { path: 'openOperations', header: 'OPEN', align: 'right', cell: warned('openOperations'), rank: 6 },
          { path: 'bookings', header: 'BOOKINGS', align: 'right', cell: known('bookings'), rank: 9 },
          {
            path: 'bar',
            header: 'SHARE',
            cell: (one) => (one['isTotal'] === true ? '' : bar(numberAt(one, 'covers') / most, BAR / 2)),
            rank: 7,
          },
        ],
      },
      listed(page, 'operations', 'Open operations of other profiles of this machine', OPERATION),
    ],
  }
}

/** The figures as rows: `{source, date, figure, item, value, unit, note}`. */
export const nightList: ListView = {
  columns: [
    { path: 'source', header: 'VENUE', cell: (row) => textAt(row, 'source') || 'all venues', flex: 10, rank: 2 },
    { path: 'date', header: 'DATE', rank: 5 },
    { path: 'figure', header: 'FIGURE', rank: 1 },
    { path: 'item', header: 'OF', flex: 10, rank: 4 },
    { path: 'value', header: 'VALUE', align: 'right', rank: 3 },
    { path: 'unit', header: 'UNIT', rank: 6 },
    { path: 'note', header: 'NOTE', flex: 12, rank: 7, optional: true },
  ],
  csvPaths: ['source', 'date', 'figure', 'item', 'value', 'unit', 'note'],
  empty: 'No figures.',
  one: 'figure',
  many: 'figures',
}

/** The statement of each figure: `{figure, says, sql, without}`. */
export const nightSqlList: ListView = {
  columns: [
    { path: 'figure', header: 'FIGURE', rank: 1 },
    { path: 'says', header: 'WHAT IT IS', flex: 20, rank: 2 },
    { path: 'sql', header: 'SQL', flex: 20, rank: 3 },
  ],
  csvPaths: ['figure', 'says', 'sql', 'without'],
  empty: 'No figures.',
  one: 'figure',
  many: 'figures',
}

const figures: TableSection = {
  heading: 'Figures',
  path: 'figures',
  covers: ['kind'],
  columns: [
    { path: 'figure', header: 'FIGURE', rank: 1 },
    { path: 'value', header: 'VALUE', flex: 20, cell: valueCell, rank: 2 },
  ],
}

const BOOKING: readonly Column[] = [
  { path: 'bookingId', header: 'BOOKING', rank: 1 },
  { path: 'time', header: 'TIME', rank: 2 },
  { path: 'people', header: 'PEOPLE', align: 'right', rank: 4 },
  { path: 'service', header: 'SERVICE', flex: 8, rank: 7 },
  { path: 'guest', header: 'GUEST', flex: 10, rank: 5, optional: true },
]

const OPERATION: readonly Column[] = [
  { path: 'id', header: 'ID', rank: 1 },
  { path: 'command', header: 'COMMAND', rank: 3 },
  { path: 'target', header: 'TARGET', rank: 2 },
  { path: 'amount', header: 'AMOUNT', align: 'right', rank: 4 },
]

/** A list of a page, and how much of it is left out. */
function listed(page: JsonObject, name: string, heading: string, columns: readonly Column[]): TableSection {
  const more = numberAt(page, `more.${name}`)
  const first = jsonObjects(page[name])[0]
  const others = Object.keys(first ?? {})
  return {
    heading: more === 0 ? heading : `${heading}, the first of them (${more} more: -o json)`,
    path: name,
    columns,
    covers: others,
  }
}

function valueCell(line: JsonObject): Cell {
  const text = textAt(line, 'value')
  if (line['kind'] === 'plain' || text === '') return text
  return { text, tone: line['kind'] === 'look' ? 'warn' : 'dim' }
}

function venueCell(one: JsonObject): Cell {
  const text = textAt(one, 'venue')
  return one['isTotal'] === true ? { text, tone: 'strong' } : text
}

function warned(path: string): (one: JsonObject) => Cell {
  return (one) => {
    const text = textAt(one, path)
    return numberAt(one, path) > 0 ? { text, tone: 'warn' } : text
  }
}

function known(path: string): (one: JsonObject) => Cell {
  return (one) => (one[path] === null ? { text: 'not here', tone: 'dim' } : textAt(one, path))
}

/** A bar of whole and half blocks; `share` is 0 to 1, `width` that of a whole one. */
function bar(share: number, width: number): Cell {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2)
  const text = '█'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '▌' : '')
  return text === '' ? '' : { text, tone: 'good' }
}

const SPARKS = '▁▂▃▄▅▆▇█'

function sparks(hours: readonly JsonObject[]): string {
  const most = Math.max(1, ...hours.map((one) => numberAt(one, 'covers')))
  return hours
    .map((one) => {
      const covers = numberAt(one, 'covers')
      const at = covers === 0 ? 0 : Math.ceil((covers / most) * SPARKS.length) - 1
      return `${textAt(one, 'hour')} ${SPARKS[at]} ${covers}`
    })
    .join('  ')
}

function numberAt(one: JsonObject, path: string): number {
  return Number(textAt(one, path)) || 0
}
