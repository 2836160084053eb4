import { formatCount } from '../../../base/counted.ts'
import { type Html, html } from '../../../base/html.ts'
import type { Counts, Due } from '../printed/output.ts'
import { ABSENT, formatAmount, formatSaleCount, formatTakings, type Headline, THIS_MACHINE } from '../words.ts'

export function renderTiles({ totals, takings, seated, sales, salesCents, due, open }: Headline): Html {
  const taken = takings && (formatTakings(takings, '\n') || '0')
  const lacksTotal = takings?.some(({ withoutTotal }) => withoutTotal > 0) ?? false
  const salesWords = sales && salesCents !== null ? `${formatAmount(salesCents, null)} in total` : ''
  const amounts = due?.map(({ currency, dueCents }) => formatAmount(dueCents, currency))
  return html`<dl class="tiles">
${[
  renderTile('Covers', totals?.covers ?? null, coverWords(totals), (totals?.withoutPeople ?? 0) > 0),
  renderTile('Takings', taken, takings?.map(formatSaleCount).join('; '), lacksTotal),
  renderTile('No-shows', totals?.noShows ?? null, noShowWords(totals)),
  renderTile('Seated without a sale', seated),
  renderTile('Sales without a booking', sales, salesWords),
  renderTile('Deposits due', amounts ? amounts.join('\n') || '0' : null, dueWords(due ?? []), (due?.length ?? 0) > 0),
  renderTile('Open operations', open, `on ${THIS_MACHINE}`),
]}</dl>`
}

/**
 * Renders a large figure. A `null` value is shown as missing. `look` highlights the figure; by default, any number
 * above 0 is highlighted.
 */
function renderTile(label: string, value: string | number | null, sub = '', look = Number(value) > 0): Html {
  const kind = value === null ? ' absent' : look ? ' look' : ''
  const text = value === null ? null : String(value)
  const shown = (text ?? ABSENT).split('\n').map((line, at) => (at === 0 ? line : html`<br>${line}`))
  const long = (text ?? '').length > 9 ? ' long' : ''
  return html`<div class="tile${kind}"><dt>${label}</dt><dd class="value${long}">${shown}</dd>${
    sub === '' ? null : html`<dd class="sub">${sub}</dd>`
  }</div>
`
}

function coverWords(totals: Counts | null): string {
  if (totals === null) return ''
  const { bookings, withoutPeople } = totals
  return formatCount(bookings, 'booking') + (withoutPeople > 0 ? `, ${withoutPeople} of unknown size` : '')
}

function noShowWords(totals: Counts | null): string {
  const { noShows = 0, noShowPeople = 0, cancelled = 0 } = totals ?? {}
  return [noShows > 0 ? `${noShowPeople} people` : '', cancelled > 0 ? `${cancelled} cancelled` : '']
    .filter((one) => one !== '')
    .join('; ')
}

function dueWords(due: readonly Due[]): string {
  if (due.length === 0) return ''
  const bookings = due.reduce((sum, one) => sum + one.bookings, 0)
  const noShows = due.filter(({ noShowDueCents }) => noShowDueCents > 0)
  const of = noShows.map(({ currency, noShowDueCents }) => formatAmount(noShowDueCents, currency)).join(', ')
  return formatCount(bookings, 'booking') + (of === '' ? '' : `; no-shows owe ${of}`)
}
