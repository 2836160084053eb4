import { formatCount } from '../../../base/counted.ts'
import { bdi, html } from '../../../base/html.ts'
import { htmlPage } from '../../../base/html-page.ts'
import type { NightReport } from '../printed/output.ts'
import { describeGroupNight, formatDay } from '../words.ts'
import { renderGroup } from './group.ts'
import { STYLE } from './style.ts'
import { renderVenue } from './venue.ts'

/** Renders a report as one HTML page without scripts or external resources. All interpolated text is escaped. */
export function renderNightPage(report: NightReport, version: string): string {
  const { venues, group, madeAt } = report
  const ids = new Map(venues.map(({ source }, at) => [source, `venue-${at + 1}`]))
  const idOf = (source: string) => ids.get(source) ?? 'group'
  const isGroup = venues.length > 1
  const title = `Night of ${isGroup ? describeGroupNight(report) : formatDay(group.date ?? venues[0]?.date ?? '')}`
  const links = venues.map(({ source }) => html`<li><a href="#${idOf(source)}">${bdi(source)}</a></li>`)
  const body = html`<header class="top"><h1>${title}</h1>
<p class="when">Generated ${madeAt.slice(0, 'yyyy-MM-ddTHH:mm'.length).replace('T', ' ')} UTC from a copy of ${formatCount(venues.length, 'venue')}; open operations are from the machine that generated the report.</p>
${isGroup ? html`<nav aria-label="Venues"><ul><li><a href="#group">All venues</a></li>${links}</ul></nav>` : null}
</header>
<main>
${isGroup ? renderGroup(report, idOf) : null}${venues.map((venue) => renderVenue(venue, idOf(venue.source)))}</main>
<footer class="foot"><p>partner ${version}. The SQL of each figure: partner report night --sql.</p></footer>
`
  return htmlPage(title, STYLE, body)
}
