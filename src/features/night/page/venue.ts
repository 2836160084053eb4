import { bdi, type Html, html } from '../../../base/html.ts'
import type { BookingLine, OwingLine, SaleLine, ServiceCounts, VenueNight } from '../printed/output.ts'
import {
  ABSENT,
  countOmitted,
  describeCopies,
  describeNight,
  firstRows,
  formatAmount,
  formatTime,
  NO_GUESTS,
  venueHeadline,
} from '../words.ts'
import { renderBar, renderHourChart } from './charts.ts'
import { number, type PageColumn, renderTable } from './table.ts'
import { renderTiles } from './tiles.ts'

/** Renders a venue's section. `id` becomes its HTML ID. */
export function renderVenue(venue: VenueNight, id: string): Html {
  const { hours, services } = venue
  return html`<section class="page" id="${id}" aria-labelledby="${id}-name">
<header><h2 id="${id}-name">${bdi(venue.source)}</h2><p class="when">${describeNight(venue)}</p>
${renderFreshness(venue)}</header>
${renderTiles(venueHeadline(venue))}
<div class="pair">
${services === null ? null : renderBlock('Covers by service', serviceTable(services))}
${hours === null || hours.length === 0 ? null : renderBlock('Covers by hour', renderHourChart(hours, `${id}-hours`))}
</div>
${renderList('Seated without a sale', venue.seatedWithoutSale, SEATED)}
<div class="pair">
${renderList('Sales without a booking', venue.salesWithoutBooking, salesColumns(venue.timezone))}
${renderList('Deposits due, by booking', venue.owing, OWING)}
</div>
${renderList('Open operations on this machine', venue.openOperations, OPERATIONS)}
</section>
`
}

export function renderBlock(heading: string, content: Html): Html {
  return html`<div class="block"><h3>${heading}</h3>
${content}</div>`
}

export const OPERATIONS: readonly PageColumn<VenueNight['openOperations'][number]>[] = [
  { head: 'Operation', kind: 'text', cell: ({ id }) => id },
  { head: 'Command', kind: 'text', cell: ({ command }) => command },
  { head: 'Target', kind: 'text', cell: ({ target }) => target },
  { head: 'Profile', kind: 'text', cell: ({ profile }) => profile },
  { head: 'Amount', kind: 'number', cell: ({ amount }) => amount },
]

/** Renders the first rows of a list and says how many more there are. Returns `null` for an empty list. */
export function renderList<T>(
  heading: string,
  list: readonly T[] | null,
  columns: readonly PageColumn<T>[],
): Html | null {
  if (list === null || list.length === 0) return null
  const more = countOmitted(list)
  const note = more === 0 ? null : html`<p class="note">and ${more} more: see all with <code>-o json</code></p>`
  return renderBlock(heading, html`${renderTable(heading, columns, firstRows(list))}${note}`)
}

function serviceTable(services: readonly ServiceCounts[]): Html {
  if (services.length === 0) return html`<p class="note">No bookings.</p>`
  const most = Math.max(1, ...services.map(({ covers, noShowPeople }) => covers + noShowPeople))
  const key = services.some(({ noShowPeople }) => noShowPeople > 0)
    ? html`<p class="key"><svg aria-hidden="true"><rect class="fill" width="10" height="10" rx="2"/></svg>covers &#160; <svg aria-hidden="true"><rect class="mark" width="10" height="10" rx="2"/></svg>no-show guests</p>`
    : null
  const columns: readonly PageColumn<ServiceCounts>[] = [
    { head: 'Service', kind: 'text', cell: ({ service }) => service ?? html`<span class="soft">no service</span>` },
    { head: '', kind: 'chart', cell: ({ covers, noShowPeople }) => renderBar(covers / most, noShowPeople / most) },
    { head: 'Covers', kind: 'number', cell: ({ covers }) => covers },
    { head: 'Bookings', kind: 'number', cell: ({ bookings }) => bookings },
    number('No-shows', ({ noShows }) => (noShows > 0 ? html`<span class="warn">${noShows}</span>` : 0)),
  ]
  return html`${renderTable('Covers by service', columns, services, true)}${key}`
}

const BOOKING = [
  { head: 'Booking', kind: 'text', cell: ({ bookingId }) => bookingId },
  { head: 'Time', kind: 'own', cell: ({ time }) => time },
  { head: 'People', kind: 'number', cell: ({ people }) => people },
  { head: 'Guest', kind: 'text', cell: ({ guest }) => guest },
] as const satisfies readonly PageColumn<Omit<BookingLine, 'tables'>>[]

const SEATED: readonly PageColumn<BookingLine>[] = [
  ...BOOKING,
  { head: 'Service', kind: 'text', cell: ({ service }) => service },
  { head: 'Tables', kind: 'text', cell: ({ tables }) => tables },
  { head: 'Status', kind: 'text', cell: ({ status }) => status },
]

const OWING: readonly PageColumn<OwingLine>[] = [
  ...BOOKING,
  { head: 'Due', kind: 'number', cell: ({ dueCents, currency }) => formatAmount(dueCents, currency) },
]

function salesColumns(timezone: string | null): readonly PageColumn<SaleLine>[] {
  return [
    { head: 'Sale', kind: 'text', cell: ({ saleId }) => saleId },
    { head: 'Closed', kind: 'own', cell: ({ closedAt }) => formatTime(closedAt, timezone) },
    { head: 'Till', kind: 'text', cell: ({ pos }) => pos },
    { head: 'Total', kind: 'number', cell: ({ totalCents }) => formatAmount(totalCents, null) },
  ]
}

function renderFreshness(venue: VenueNight): Html {
  const missing = (['bookings', 'sales'] as const).filter((one) => !venue.sync.some(({ resource }) => resource === one))
  const facts = [
    ...describeCopies(venue).map(({ resource, at, isBehind }) => ({
      resource,
      words: at === null ? 'not synced yet' : `up to ${at}${isBehind ? ': before the end of the night' : ''}`,
      look: at === null || isBehind,
    })),
    ...missing.map((resource) => ({ resource, words: ABSENT, look: true })),
    ...(venue.guests === false ? [{ resource: 'guests', words: NO_GUESTS, look: true }] : []),
  ]
  return html`<ul class="facts" aria-label="How far the copy goes">${facts.map(
    ({ resource, words, look }) =>
      html`<li><strong>${resource}</strong> ${look ? html`<span class="warn">${words}</span>` : words}</li>`,
  )}</ul>`
}
