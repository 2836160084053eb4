import { bdi, type Html, html } from '../../../base/html.ts'
import type { Status } from '../../../sandbox/venue/venue.ts'

/** Symbols for booking statuses, so that users do not have to rely on colours. */
const SIGNS: Readonly<Record<string, string>> = {
  Unconfirmed: '○',
  CONFIRMED: '●',
  ARRIVED: '►',
  SEATED: '■',
  FINISHED: '✓',
  NOSHOW: '✕',
  CANCELLED: '⊘',
}

/** Returns the CSS class that gives a status its colour. For the venue's custom statuses, the class is `other`. */
export function statusClass({ code }: Status): string {
  return code in SIGNS ? code.toLowerCase() : 'other'
}

export function statusSign({ code }: Status): Html {
  return html`<span class="sign" aria-hidden="true">${SIGNS[code] ?? '◆'}</span>`
}

export function statusWords(status: Status): Html {
  return html`${statusSign(status)} ${bdi(status.name)}`
}
