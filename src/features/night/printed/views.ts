import type { JsonObject } from '../../../base/json/exact.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { CardView, Column, TableSection } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'
import {
  countOmitted,
  describeGroupNight,
  describeNight,
  firstRows,
  formatAmount,
  formatTakings,
  formatTime,
  groupHeadline,
  groupLines,
  type Headline,
  venueHeadline,
  venueLines,
} from '../words.ts'
import type { NightReport, VenueNight } from './output.ts'

const BAR_WIDTH = 24

export type NightPage = { readonly record: JsonObject; readonly card: CardView }

/** Returns the card for a venue. Long lists are truncated. */
export function venueNightPage(venue: VenueNight): NightPage {
  const { timezone, services, hours } = venue
  const most = Math.max(1, ...(services ?? []).map(({ covers }) => covers))
  const lists = [
    truncateList('Seated without a sale', venue.seatedWithoutSale, [
      ...BOOKING,
      { path: 'tables', header: 'TABLES', flex: 6, rank: 5, optional: true },
      { path: 'status', header: 'STATUS', flex: 8, rank: 6 },
    ]),
    truncateList('Sales without a booking', venue.salesWithoutBooking, [
      { path: 'saleId', header: 'SALE', rank: 1 },
      { path: 'closedAt', header: 'CLOSED', cell: (one) => formatTime(textAt(one, 'closedAt'), timezone), rank: 2 },
      { path: 'totalCents', header: 'TOTAL', align: 'right', cell: (one) => centsCell(one, 'totalCents'), rank: 3 },
      { path: 'status', header: 'STATUS', flex: 6, rank: 4 },
      { path: 'pos', header: 'POS', flex: 8, rank: 5, optional: true },
      { path: 'staff', header: 'STAFF', flex: 8, rank: 6, optional: true },
    ]),
    truncateList('Deposits due, by booking', venue.owing, [
      ...BOOKING,
      { path: 'dueCents', header: 'DUE', align: 'right', cell: (one) => centsCell(one, 'dueCents'), rank: 3 },
      { path: 'status', header: 'STATUS', flex: 8, rank: 6 },
    ]),
    truncateList('Open operations on this machine', venue.openOperations, OPERATION),
  ]
  return {
    record: { figures: venueLines(venue), services, hours, ...recordOf(lists) },
    card: {
      title: titleOf(venue.source, describeNight(venue)),
      sections: [
        figures,
        {
          heading: 'Covers by service',
          path: 'services',
          covers: ['bookings', 'cancelled', 'withoutPeople', 'noShowPeople'],
          columns: [
            {
              path: 'service',
              header: 'SERVICE',
              flex: 10,
              rank: 1,
              cell: (one) => textAt(one, 'service') || '(none)',
            },
            { path: 'covers', header: 'COVERS', align: 'right', rank: 2 },
            { path: 'bookings', header: 'BOOKINGS', align: 'right', rank: 4 },
            { path: 'noShows', header: 'NO-SHOWS', align: 'right', cell: highlightPositive('noShows'), rank: 3 },
            { path: 'cancelled', header: 'CANCELLED', align: 'right', rank: 5 },
            {
              path: 'bar',
              header: 'SHARE',
              cell: (one) => drawBar(numberAt(one, 'covers') / most, BAR_WIDTH),
              rank: 6,
            },
          ],
        },
        { heading: null, fields: [{ label: 'By hour', paths: ['hours'], cell: () => drawSparkline(hours ?? []) }] },
        ...lists.map(({ section }) => section),
      ],
    },
  }
}

export function groupNightPage(report: NightReport): NightPage {
  const { group } = report
  const most = Math.max(1, ...report.venues.map(({ totals }) => totals?.covers ?? 0))
  const elsewhere = truncateList('Open operations of other profiles on this machine', group.elsewhere, OPERATION)
  return {
    record: {
      figures: groupLines(group),
      venues: [
        ...report.venues.map((venue) => venueRow(venue.source, false, venueHeadline(venue))),
        venueRow('all venues', true, groupHeadline(group)),
      ],
      ...recordOf([elsewhere]),
    },
    card: {
      title: titleOf('All venues', describeGroupNight(report)),
      sections: [
        figures,
        {
          heading: 'Venues',
          path: 'venues',
          covers: ['isTotal'],
          columns: [
            { path: 'venue', header: 'VENUE', flex: 10, cell: venueCell, rank: 1 },
            { ...knownColumn('covers', 'COVERS'), rank: 2 },
            { ...knownColumn('takings', 'TAKINGS'), rank: 4 },
            { ...knownColumn('noShows', 'NO-SHOWS'), rank: 3 },
            { ...knownColumn('seated', 'NO SALE'), rank: 5 },
            { ...knownColumn('sales', 'NO BOOKING'), rank: 6 },
            { ...knownColumn('due', 'DEPOSITS DUE'), rank: 8 },
            { path: 'open', header: 'OPEN', align: 'right', cell: highlightPositive('open'), rank: 6 },
            { ...knownColumn('bookings', 'BOOKINGS'), rank: 9 },
            {
              path: 'bar',
              header: 'SHARE',
              cell: (one) => (one['isTotal'] === true ? '' : drawBar(numberAt(one, 'covers') / most, BAR_WIDTH / 2)),
              rank: 7,
            },
          ],
        },
        elsewhere.section,
      ],
    },
  }
}

function titleOf(name: string, when: string): CardView['title'] {
  return () => [strong(name), { text: when, tone: 'dim' }]
}

function strong(text: string): Cell {
  return { text, tone: 'strong' }
}

function venueRow(venue: string, isTotal: boolean, { totals, takings, seated, sales, due, open }: Headline) {
  const { covers = null, bookings = null, noShows = null } = totals ?? {}
  return {
    ...{ venue, isTotal, covers, bookings, noShows, seated, sales, open },
    takings: takings && formatTakings(takings),
    due: due?.map(({ dueCents, currency }) => formatAmount(dueCents, currency)).join(', ') ?? null,
  }
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

/** Truncates a list and adds the number of omitted rows to its heading, but not to its path. */
function truncateList(heading: string, list: readonly JsonObject[] | null, columns: readonly Column[]) {
  const more = countOmitted(list)
  const section: TableSection = {
    heading: more === 0 ? heading : `${heading} (first rows only; ${more} more with -o json)`,
    path: heading,
    columns,
    covers: Object.keys(list?.[0] ?? {}),
  }
  return { section, rows: firstRows(list) }
}

function recordOf(lists: readonly ReturnType<typeof truncateList>[]): JsonObject {
  return Object.fromEntries(lists.map(({ section, rows }) => [section.path, rows]))
}

function centsCell(one: JsonObject, path: string): string {
  const cents = one[path]
  return formatAmount(typeof cents === 'number' ? cents : null, textAt(one, 'currency') || null)
}

function valueCell(line: JsonObject): Cell {
  const text = textAt(line, 'value')
  if (line['kind'] === 'plain' || text === '') return text
  return { text, tone: line['kind'] === 'look' ? 'warn' : 'dim' }
}

function venueCell(one: JsonObject): Cell {
  const text = textAt(one, 'venue')
  return one['isTotal'] === true ? strong(text) : text
}

function highlightPositive(path: string): (one: JsonObject) => Cell {
  return (one) => {
    const text = textAt(one, path)
    return numberAt(one, path) > 0 ? { text, tone: 'warn' } : text
  }
}

function knownColumn(path: string, header: string): Column {
  const cell = (one: JsonObject): Cell => (one[path] === null ? { text: 'no data', tone: 'dim' } : textAt(one, path))
  return { path, header, align: 'right', cell }
}

/** Draws a bar from full and half blocks. `share` is a fraction from 0 to 1. */
function drawBar(share: number, width: number): Cell {
  const halves = Math.round(Math.min(1, Math.max(0, share)) * width * 2)
  const text = '█'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '▌' : '')
  return text === '' ? '' : { text, tone: 'good' }
}

const SPARKS = '▁▂▃▄▅▆▇█'

function drawSparkline(hours: NonNullable<VenueNight['hours']>): string {
  const most = Math.max(1, ...hours.map(({ covers }) => covers))
  return hours
    .map(({ hour, covers }) => {
      const at = covers === 0 ? 0 : Math.ceil((covers / most) * SPARKS.length) - 1
      return `${hour} ${SPARKS[at]} ${covers}`
    })
    .join('  ')
}

function numberAt(one: JsonObject, path: string): number {
  return Number(textAt(one, path)) || 0
}
