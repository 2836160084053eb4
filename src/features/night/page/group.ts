import { bdi, type Html, type HtmlValue, html } from '../../../base/html.ts'
import type { NightReport, VenueNight } from '../printed/output.ts'
import { ABSENT, describeGroupNight, formatAmount, formatTakings, groupHeadline } from '../words.ts'
import { renderBar } from './charts.ts'
import { number, type PageColumn, renderTable } from './table.ts'
import { renderTiles } from './tiles.ts'
import { OPERATIONS, renderBlock, renderList } from './venue.ts'

/** Renders the section that summarizes all venues. `idOf` returns the HTML ID of a venue's own section. */
export function renderGroup(report: NightReport, idOf: (source: string) => string): Html {
  const { group, venues } = report
  return html`<section class="page" id="group" aria-labelledby="group-name">
<header><h2 id="group-name">All venues</h2><p class="when">${describeGroupNight(report)}</p></header>
${renderTiles(groupHeadline(group))}
${renderBlock('Venues compared', renderTable('Venues compared', columnsOf(venues, idOf), venues))}
${renderMissing(report)}
${renderList('Open operations of other profiles on this machine', group.elsewhere, OPERATIONS)}
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
      cell: ({ totals }) => (totals ? renderBar(totals.covers / most, totals.noShowPeople / most) : null),
    },
    number('Covers', ({ totals }) => totals?.covers ?? renderAbsent()),
    number('Takings', ({ takings }) => (takings === null ? renderAbsent() : formatTakings([takings]) || 0)),
    number('No-shows', ({ totals }) => renderCount(totals?.noShows)),
    number('Seated, no sale', ({ seatedWithoutSale }) => renderCount(seatedWithoutSale?.length)),
    number('Sales, no booking', ({ salesWithoutBooking }) => renderCount(salesWithoutBooking?.length)),
    number('Deposits due', ({ depositsDue }) =>
      depositsDue === null
        ? renderAbsent()
        : depositsDue.map(
            ({ currency, dueCents }, at) => html`${at === 0 ? null : html`<br>`}${formatAmount(dueCents, currency)}`,
          ),
    ),
    number('Open', ({ openOperations }) => renderCount(openOperations.length)),
  ]
}

function renderCount(value: number | undefined): HtmlValue {
  if (value === undefined) return renderAbsent()
  return value > 0 ? html`<span class="warn">${value}</span>` : 0
}

function renderAbsent(): Html {
  return html`<span class="soft" title="${ABSENT}">&ndash;<span class="gone"> ${ABSENT}</span></span>`
}

function renderMissing({ group, venues }: NightReport): Html | null {
  const behind = venues.filter((one) => one.behind.length > 0)
  const lines = [
    ...group.missing.map(({ source, resource }) => html`<li>${resource} of ${bdi(source)}: ${ABSENT}</li>`),
    ...behind.map(
      (one) => html`<li>${one.behind.join(' and ')} of ${bdi(one.source)}: the copy ends before the night does</li>`,
    ),
  ]
  if (lines.length === 0) return null
  return renderBlock('Missing from the figures', html`<ul class="lacks">${lines}</ul>`)
}
