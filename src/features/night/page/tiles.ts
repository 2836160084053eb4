import { counted } from '../../../base/counted.ts'
import { type Html, html } from '../../../base/html.ts'
import type { Counts, Due } from '../printed/output.ts'
import { ABSENT, amountText, type Headline, THIS_MACHINE, takenWords, takingsText } from '../words.ts'

interface Tile {
  readonly label: string
  /** Null: the copy does not have it. */
  readonly value: string | null
  readonly sub: string
  readonly look: boolean
}

/** The figures that a page begins with, as tiles. */
export function tiles({ totals, takings, seated, sales, salesCents, due, open }: Headline): Html {
  const all: readonly Tile[] = [
    {
      label: 'Covers',
      value: totals && String(totals.covers),
      sub: totals
        ? counted(totals.bookings, 'booking') +
          (totals.withoutPeople > 0 ? `, ${totals.withoutPeople} without a number of people` : '')
        : '',
      look: (totals?.withoutPeople ?? 0) > 0,
    },
    {
      label: 'Takings',
      value: takings && (takingsText(takings, '\n') || '0'),
      sub: takings === null ? '' : takings.map(takenWords).join('; '),
      look: takings?.some(({ withoutTotal }) => withoutTotal > 0) ?? false,
    },
    {
      label: 'No-shows',
      value: totals && String(totals.noShows),
      sub: totals ? noShowWords(totals) : '',
      look: (totals?.noShows ?? 0) > 0,
    },
    plain('Seated without a sale', seated),
    {
      ...plain('Sales without a booking', sales),
      sub: sales && salesCents !== null ? `${amountText(salesCents, null)} in all` : '',
    },
    {
      label: 'Deposits due',
      value:
        due &&
        (due.length === 0 ? '0' : due.map(({ currency, dueCents }) => amountText(dueCents, currency)).join('\n')),
      sub: due && due.length > 0 ? dueWords(due) : '',
      look: (due?.length ?? 0) > 0,
    },
    { label: 'Open operations', value: String(open), sub: `of ${THIS_MACHINE}`, look: open > 0 },
  ]
  return html`<dl class="tiles">
${all.map(tile)}</dl>`
}

function plain(label: string, count: number | null): Tile {
  return { label, value: count === null ? null : String(count), sub: '', look: (count ?? 0) > 0 }
}

function tile({ label, value, sub, look }: Tile): Html {
  const kind = value === null ? ' absent' : look ? ' look' : ''
  const shown = (value ?? ABSENT).split('\n').map((line, at) => (at === 0 ? line : html`<br>${line}`))
  const long = (value ?? '').length > 9 ? ' long' : ''
  return html`<div class="tile${kind}"><dt>${label}</dt><dd class="value${long}">${shown}</dd>${
    sub === '' ? null : html`<dd class="sub">${sub}</dd>`
  }</div>
`
}

function noShowWords({ noShows, noShowPeople, cancelled }: Counts): string {
  return [noShows > 0 ? `${noShowPeople} people` : '', cancelled > 0 ? `${cancelled} cancelled` : '']
    .filter((one) => one !== '')
    .join('; ')
}

function dueWords(due: readonly Due[]): string {
  const bookings = due.reduce((sum, one) => sum + one.bookings, 0)
  const noShows = due.filter(({ noShowDueCents }) => noShowDueCents > 0)
  const of = noShows.map(({ currency, noShowDueCents }) => amountText(noShowDueCents, currency)).join(', ')
  return counted(bookings, 'booking') + (of === '' ? '' : `; no-shows owe ${of}`)
}
