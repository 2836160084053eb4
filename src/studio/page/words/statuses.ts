import { bdi, type Html, html } from '../../../base/html.ts'
import type { Status } from '../../../sandbox/venue/venue.ts'

/** The look of a status: a class, which has its colour, and a sign, as colour is never all there is. */
interface Look {
  readonly className: string
  readonly sign: string
}

const LOOKS: Readonly<Record<string, Look>> = {
  Unconfirmed: { className: 'unconfirmed', sign: '○' },
  CONFIRMED: { className: 'confirmed', sign: '●' },
  ARRIVED: { className: 'arrived', sign: '►' },
  SEATED: { className: 'seated', sign: '■' },
  FINISHED: { className: 'finished', sign: '✓' },
  NOSHOW: { className: 'noshow', sign: '✕' },
  CANCELLED: { className: 'cancelled', sign: '⊘' },
}
const OTHER: Look = { className: 'other', sign: '◆' }

/** The class of a status that a venue may have made itself. */
export function statusClass({ code }: Status): string {
  return (LOOKS[code] ?? OTHER).className
}

/** The sign of a status, for the eye. */
export function statusSign({ code }: Status): Html {
  return html`<span class="sign" aria-hidden="true">${(LOOKS[code] ?? OTHER).sign}</span>`
}

/** The sign and the name of a status. */
export function statusWords(status: Status): Html {
  return html`${statusSign(status)} ${bdi(status.name)}`
}
