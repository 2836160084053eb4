import { bdi, type Html, html, type Piece } from '../../../base/html.ts'
import type { NightReport, VenueNight } from '../printed/output.ts'
import { ABSENT, amountText, groupHeadline, groupWhenWords, takingsText } from '../words.ts'
import { bar } from './charts.ts'
import { number, type PageColumn, table } from './table.ts'
import { tiles } from './tiles.ts'
import { block, listed, OPERATIONS } from './venue.ts'

/** Renders the section for all venues together. `idOf` returns the ID of a venue's section. */
export function groupPage(report: NightReport, idOf: (source: string) => string): Html {
  const { group, venues } = report
  return html`<section class="page" id="group" aria-labelledby="group-name">
<header><h2 id="group-name">All venues</h2><p class="when">${groupWhenWords(report)}</p></header>
${tiles(groupHeadline(group))}
${block('Venues compared', table('Venues compared', columnsOf(venues, idOf), venues))}
${missingNote(report)}
${listed('Open operations of other profiles on this machine', group.elsewhere, OPERATIONS)}
</section>
`
}

function columnsOf(venues: readonly VenueNight[], idOf: (source: string) => string): readonly PageColumn<VenueNight>[] {
  const most = Math.max(1, ...venues.map(({ totals }) => (totals ? totals.covers + totals.noShowPeople : 0)))
  return [
    { head: 'Venue', kind: 'text', cell: ({ source }) => html`<a href="#${idOf(source)}">${bdi(source)}</a>` },
    {
      head: '',
      kind: 'chart',
      cell: ({ totals }) => (totals ? bar(totals.covers / most, totals.noShowPeople / most) : null),
    },
    number('Covers', ({ totals }) => totals?.covers ?? absent()),
    number('Takings', ({ takings }) => (takings === null ? absent() : takingsText([takings]) || 0)),
    number('No-shows', ({ totals }) => looked(totals?.noShows)),
    number('Seated, no sale', ({ seatedWithoutSale }) => looked(seatedWithoutSale?.length)),
    number('Sales, no booking', ({ salesWithoutBooking }) => looked(salesWithoutBooking?.length)),
    number('Deposits due', ({ depositsDue }) =>
      depositsDue === null
        ? absent()
        : depositsDue.map(
            ({ currency, dueCents }, at) => html`${at === 0 ? null : html`<br>`}${amountText(dueCents, currency)}`,
          ),
    ),
    number('Open', ({ openOperations }) => looked(openOperations.length)),
  ]
}

function looked(value: number | undefined): Piece {
  if (value === undefined) return absent()
  return value > 0 ? html`<span class="warn">${value}</span>` : 0
}

function absent(): Html {
  return html`<span class="soft" title="${ABSENT}">&ndash;<span class="gone"> ${ABSENT}</span></span>`
}

function missingNote({ group, venues }: NightReport): Html | null {
  const behind = venues.filter((one) => one.behind.length > 0)
  const lines = [
    ...group.missing.map(({ source, resource }) => html`<li>${resource} of ${bdi(source)}: ${ABSENT}</li>`),
    ...behind.map(
      (one) => html`<li>${one.behind.join(' and ')} of ${bdi(one.source)}: the copy ends before the night does</li>`,
    ),
  ]
  if (lines.length === 0) return null
  return block('Missing from the figures', html`<ul class="lacks">${lines}</ul>`)
}
