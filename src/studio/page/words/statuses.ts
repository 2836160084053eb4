import { bdi, type Html, html } from '../../../base/html.ts'
import type { Status } from '../../../sandbox/venue/venue.ts'

/** The signs of statuses: colour is never all that tells them apart. */
const SIGNS: Readonly<Record<string, string>> = {
  Unconfirmed: '○',
  CONFIRMED: '●',
  ARRIVED: '►',
  SEATED: '■',
  FINISHED: '✓',
  NOSHOW: '✕',
  CANCELLED: '⊘',
}

/** The class of a status, which has its colour; `other` for one that a venue has made itself. */
export function statusClass({ code }: Status): string {
  return code in SIGNS ? code.toLowerCase() : 'other'
}

/** The sign of a status, for the eye. */
export function statusSign({ code }: Status): Html {
  return html`<span class="sign" aria-hidden="true">${SIGNS[code] ?? '◆'}</span>`
}

/** The sign and the name of a status. */
export function statusWords(status: Status): Html {
  return html`${statusSign(status)} ${bdi(status.name)}`
}
