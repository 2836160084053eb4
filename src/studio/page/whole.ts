import { bdi, type Html, html } from '../../base/html.ts'
import { bookingDetails } from './day/booking.ts'
import { diaryDays, diaryLive } from './day/diary.ts'
import type { Scene } from './scene.ts'
import { cardsLive, cardsSearch } from './sections/cards.ts'
import { clockForms, clockLive } from './sections/clock.ts'
import { deliveriesLive, deliveriesSearch } from './sections/deliveries.ts'
import { faultForm, faultsLive } from './sections/faults.ts'
import { journalLive, journalSearch } from './sections/journal.ts'
import { commandHint } from './words/texts.ts'

/** The parts of the page that are rendered again if the data or the view changes. */
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

export type PartName = keyof typeof PARTS

/** Renders parts of the page by name. Ignores unknown names. */
export function renderParts(scene: Scene, names: readonly string[]): string {
  const known = (Object.keys(PARTS) as PartName[]).filter((name) => names.includes(name))
  return known.map((name) => part(scene, name).text).join('\n')
}

type Section = readonly [id: string, name: string, parts: readonly PartName[], commands: readonly string[]]

/** The page's sections. `commands` are the equivalent terminal commands. */
const SECTIONS: readonly Section[] = [
  ['diary', 'Diary', ['days', 'diary'], []],
  ['journal', 'Journal', ['journal-search', 'journal'], ['sandbox journal']],
  ['deliveries', 'Deliveries', ['deliveries-search', 'deliveries'], ['sandbox deliveries', 'webhooks list']],
  ['cards', 'Gift cards', ['cards-search', 'cards'], ['giftcards list', 'giftcards get NUMBER']],
  ['faults', 'Faults', ['faults', 'fault-form'], ['add', 'list', 'clear'].map((verb) => `sandbox faults ${verb}`)],
  [
    'clock',
    'Clock',
    ['clock', 'clock-forms'],
    ['', ' advance', ' set', ' reset'].map((verb) => `sandbox clock${verb}`),
  ],
]

export function renderPage(scene: Scene): string {
  const { view, venue } = scene
  const [diary = null, journal = null, deliveries = null, ...narrow] = SECTIONS.map((one) => section(scene, one))
  const page = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${venue.name}: sandbox</title>
<link rel="icon" href="${view.urlOf('icon.svg')}">
${['page.css', 'diary.css', 'places.css'].map((name) => html`<link rel="stylesheet" href="${view.urlOf(name)}">`)}
<script type="module" src="${view.urlOf('start.js')}"></script>
</head>
<body>
<a class="skip" href="#journal">Skip to the journal</a>
<header class="top"><div><h1>${bdi(venue.name)}</h1><p class="soft">A sandbox: nothing here is real.</p></div>
<nav aria-label="Sections"><ul>${SECTIONS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<p class="state" id="state" role="status" aria-live="polite"></p></header>
<main>${diary}<div>${journal}${deliveries}</div><div>${narrow}</div></main>
<dialog id="details" aria-labelledby="details-title"${view.chosen.booking === '' ? null : html` open`}>${part(scene, 'details')}</dialog>
</body>
</html>
`
  return `<!doctype html>\n${page.text}`
}

function section(scene: Scene, [id, name, parts, commands]: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-name"><h2 id="${id}-name">${name}</h2>
${parts.map((one) => part(scene, one))}${commands.length === 0 ? null : commandHint(...commands)}
</section>
`
}

function part(scene: Scene, name: PartName): Html {
  return html`<div data-live="${name}">${PARTS[name](scene)}</div>`
}
