import { bdi, type Html, html } from '../../base/html.ts'
import { bookingDetails } from './day/booking.ts'
import { diaryDays, diaryLive } from './day/diary.ts'
import type { Scene } from './scene.ts'
import { cardsCommand, cardsLive, cardsSearch } from './sections/cards.ts'
import { clockForms, clockLive } from './sections/clock.ts'
import { deliveriesLive, deliveriesSearch } from './sections/deliveries.ts'
import { faultForm, faultsLive } from './sections/faults.ts'
import { journalCommand, journalLive, journalSearch } from './sections/journal.ts'
import { sameAs } from './words/texts.ts'

/** The parts of the page that are drawn anew while somebody looks: when something has changed, or they look at something else. */
const PARTS = {
  days: diaryDays,
  diary: diaryLive,
  'journal-search': journalSearch,
  journal: journalLive,
  'deliveries-search': deliveriesSearch,
  deliveries: deliveriesLive,
  'cards-search': cardsSearch,
  cards: cardsLive,
  faults: faultsLive,
  'fault-form': faultForm,
  clock: clockLive,
  'clock-forms': clockForms,
  details: (scene: Scene) => bookingDetails(scene) ?? html``,
} as const satisfies Readonly<Record<string, (scene: Scene) => Html>>

/** The name of such a part. */
export type PartName = keyof typeof PARTS

/** Draws some parts alone; names that there are not are left out. */
export function drawParts(scene: Scene, names: readonly string[]): string {
  const known = (Object.keys(PARTS) as PartName[]).filter((name) => names.includes(name))
  return known.map((name) => part(scene, name).text).join('\n')
}

/** Draws the whole page. */
export function drawPage(scene: Scene): string {
  const { view, venue } = scene
  const diary = section('diary', 'Diary', html`${part(scene, 'days')}${part(scene, 'diary')}`)
  const wide = [
    section('journal', 'Journal', html`${part(scene, 'journal-search')}${part(scene, 'journal')}${journalCommand()}`),
    section(
      'deliveries',
      'Deliveries',
      html`${part(scene, 'deliveries-search')}${part(scene, 'deliveries')}${sameAs('sandbox deliveries', 'webhooks list')}`,
    ),
  ]
  const narrow = [
    section('cards', 'Gift cards', html`${part(scene, 'cards-search')}${part(scene, 'cards')}${cardsCommand()}`),
    section(
      'faults',
      'Faults',
      html`${part(scene, 'faults')}${part(scene, 'fault-form')}${sameAs('sandbox faults add', 'sandbox faults list', 'sandbox faults clear')}`,
    ),
    section(
      'clock',
      'Clock',
      html`${part(scene, 'clock')}${part(scene, 'clock-forms')}${sameAs('sandbox clock', 'sandbox clock advance', 'sandbox clock set', 'sandbox clock reset')}`,
    ),
  ]
  const names = [
    ['diary', 'Diary'],
    ['journal', 'Journal'],
    ['deliveries', 'Deliveries'],
    ['cards', 'Gift cards'],
    ['faults', 'Faults'],
    ['clock', 'Clock'],
  ] as const
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${venue.name}: sandbox</title>
<link rel="icon" href="${view.under('icon.svg')}">
${['page.css', 'diary.css', 'places.css'].map((name) => html`<link rel="stylesheet" href="${view.under(name)}">`)}
<script type="module" src="${view.under('start.js')}"></script>
</head>
<body>
<a class="skip" href="#journal">Skip to the journal</a>
<header class="top"><div><h1>${bdi(venue.name)}</h1><p class="soft">A sandbox: nothing here is real.</p></div>
<nav aria-label="Sections"><ul>${names.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<p class="state" id="state" role="status" aria-live="polite"></p></header>
<main>${diary}<div>${wide}</div><div>${narrow}</div></main>
<dialog id="details" aria-labelledby="details-title"${view.chosen.booking === '' ? null : html` open`}>${part(scene, 'details')}</dialog>
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}

function section(id: string, name: string, content: Html): Html {
  return html`<section id="${id}" aria-labelledby="${id}-name"><h2 id="${id}-name">${name}</h2>
${content}
</section>
`
}

function part(scene: Scene, name: PartName): Html {
  return html`<div data-live="${name}">${PARTS[name](scene)}</div>`
}
