import { counted } from '../../../base/counted.ts'
import { type Html, html } from '../../../base/html.ts'
import type { Counts, Due } from '../printed/output.ts'
import { ABSENT, amountText, type Headline, THIS_MACHINE, takenWords, takingsText } from '../words.ts'

export function tiles({ totals, takings, seated, sales, salesCents, due, open }: Headline): Html {
  const taken = takings && (takingsText(takings, '\n') || '0')
  const lacksTotal = takings?.some(({ withoutTotal }) => withoutTotal > 0) ?? false
  const salesWords = sales && salesCents !== null ? `${amountText(salesCents, null)} in total` : ''
  const amounts = due?.map(({ currency, dueCents }) => amountText(dueCents, currency))
  return html`<dl class="tiles">
${[
  tile('Covers', totals?.covers ?? null, coverWords(totals), (totals?.withoutPeople ?? 0) > 0),
  tile('Takings', taken, takings?.map(takenWords).join('; '), lacksTotal),
  tile('No-shows', totals?.noShows ?? null, noShowWords(totals)),
  tile('Seated without a sale', seated),
  tile('Sales without a booking', sales, salesWords),
  tile('Deposits due', amounts ? amounts.join('\n') || '0' : null, dueWords(due ?? []), (due?.length ?? 0) > 0),
  tile('Open operations', open, `on ${THIS_MACHINE}`),
]}</dl>`
}

/**
 * Renders a large figure; `null` is shown as absent. `look` tells whether the figure needs attention, which by default
 * is the case for any number above 0.
 */
function tile(label: string, value: string | number | null, sub = '', look = Number(value) > 0): Html {
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
  return counted(bookings, 'booking') + (withoutPeople > 0 ? `, ${withoutPeople} of unknown size` : '')
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
  const of = noShows.map(({ currency, noShowDueCents }) => amountText(noShowDueCents, currency)).join(', ')
  return counted(bookings, 'booking') + (of === '' ? '' : `; no-shows owe ${of}`)
}
