import { formatCount } from '../../../base/counted.ts'
import { bdi, type Html, html } from '../../../base/html.ts'
import { DAY } from '../../../sandbox/venue/time.ts'
import { findClosureReason, SECTIONS, STATUSES, TABLES } from '../../../sandbox/venue/venue.ts'
import { SLOT_MINUTES, SLOTS_AN_HOUR } from '../grid-style.ts'
import type { Scene } from '../scene.ts'
import { viewForm } from '../sections/form.ts'
import { statusClass, statusSign, statusWords } from '../words/statuses.ts'
import { commandHint } from '../words/texts.ts'
import { clockText, dayText, dayWords } from '../words/times.ts'
import { type GridPlace, type GridRow, layOut } from './layout.ts'
import { type DiaryDay, readDay } from './read.ts'

/** Renders a day's bookings as a grid of tables and times or, on narrow screens, as a list. */
export function diaryLive(scene: Scene): Html {
  const { state, venue, day, view } = scene
  const read = readDay(state.diary(), venue.id, day)
  const tableIds = TABLES.map(({ id }) => id)
  const grid = layOut(read.bookings, tableIds)
  const closed = findClosureReason(day)
  const left = read.count - read.bookings.length
  return html`<p class="day"><strong>${dayWords(day)}</strong>${day === scene.today ? html` <span class="tag">today</span>` : null} &middot; ${formatCount(read.count, 'booking', 'bookings')}, ${formatCount(read.guests, 'guest', 'guests')}${closed === null ? null : html` &middot; <strong class="warn">${closed}</strong>`}</p>
${legend(read)}
${left > 0 ? html`<p class="note">${formatCount(left, 'later booking is', 'later bookings are')} not shown: <code>partner bookings list --date ${dayText(day)}</code></p>` : null}
<div class="grid" tabindex="0" role="region" aria-label="Tables by time" data-scroll="grid">${board(scene, grid)}</div>
<p class="after"><a href="${view.href({}, 'journal')}">Skip past the bookings</a></p>
${commandHint(`bookings list --date ${dayText(day)}`)}`
}

/** Renders links to other days and to other venues. */
export function diaryDays(scene: Scene): Html {
  const { view, day, today, state, venue } = scene
  const to = (other: number, text: string, label: string) =>
    html`<a class="button" data-asks href="${view.href({ day: other === today ? '' : dayText(other), booking: '' }, 'diary')}" aria-label="${label}">${text}</a>`
  const venues = state.store.venues.map(
    ({ id, name }, at) =>
      html`<a class="button" data-asks href="${view.href({ venue: at === 0 ? '' : id, booking: '' }, 'diary')}"${id === venue.id ? html` aria-current="true"` : null}>${bdi(name)}</a>`,
  )
  const chosen = viewForm(
    scene,
    ['day', 'booking'],
    html`<div class="field"><label for="day">Day</label><input id="day" name="day" type="date" value="${dayText(day)}"></div><button>Go</button>`,
    'Another day',
  )
  return html`<nav class="days" aria-label="Days">${to(day - 1, '← Previous', 'Previous day')}${to(today, 'Today', 'Today')}${to(day + 1, 'Next →', 'Next day')}</nav>${chosen}${venues.length > 1 ? html`<nav class="days" aria-label="Venues">${venues}</nav>` : null}`
}

function legend({ bookings }: DiaryDay): Html {
  const counts = new Map<string, number>()
  for (const { document } of bookings) counts.set(document.status.code, (counts.get(document.status.code) ?? 0) + 1)
  const items = STATUSES.filter(({ code }) => counts.has(code)).map(
    (status) =>
      html`<li class="${statusClass(status)}">${statusWords(status)} <b>${counts.get(status.code) ?? 0}</b></li>`,
  )
  return html`<ul class="legend" aria-label="Legend">${items}</ul>`
}

function board(scene: Scene, { firstHour, hours, rows, places }: ReturnType<typeof layOut>): Html {
  const last = rows.at(-1)
  const count = last ? last.row + last.tall - 1 : 1
  const heads = Array.from(
    { length: hours },
    (_none, at) =>
      html`<div class="hour c${at * SLOTS_AN_HOUR} s${SLOTS_AN_HOUR} r1" aria-hidden="true">${clockText((firstHour + at) * 3_600_000)}</div>`,
  )
  const lines = Array.from(
    { length: hours },
    (_none, at) => html`<div class="line c${at * SLOTS_AN_HOUR} r1 t${count}" aria-hidden="true"></div>`,
  )
  return html`<div class="board hours${hours} rows${count}">${heads}${lines}${rows.map((row, at) => rowHead(row, rows[at - 1]))}${nowLine(scene, firstHour, hours, count)}
<ol class="bookings" role="list">${places.map((place) => bookingItem(scene, place))}</ol></div>${places.length === 0 ? html`<p class="empty">There are no bookings for this day.</p>` : null}`
}

function rowHead({ tableId, row, tall }: GridRow, before: GridRow | undefined): Html {
  const table = TABLES.find(({ id }) => id === tableId)
  if (!table)
    return html`<div class="stripe r${row} t${tall}" aria-hidden="true"></div><div class="table unseated r${row} t${tall}" aria-hidden="true"><b>No table</b></div>`
  const section = SECTIONS.find(({ id }) => id === table.sectionId)
  const isFirst = TABLES.find(({ id }) => id === before?.tableId)?.sectionId !== table.sectionId
  const name = isFirst && section ? html` <small>${bdi(section.name)}</small>` : null
  return html`<div class="stripe${isFirst ? ' first' : ''} r${row} t${tall}" aria-hidden="true"></div><div class="table r${row} t${tall}" aria-hidden="true"><b>${table.name}</b> <span>${table.capacity}</span>${name}</div>`
}

function nowLine({ day, local }: Scene, firstHour: number, hours: number, count: number): Html | null {
  const slot = Math.floor((local - day * DAY) / 60_000 / SLOT_MINUTES) - firstHour * SLOTS_AN_HOUR
  if (slot < 0 || slot >= hours * SLOTS_AN_HOUR) return null
  return html`<div class="now c${slot} r1 t${count}" aria-hidden="true"></div>`
}

function bookingItem({ view }: Scene, { booking, row, column, slots, again }: GridPlace): Html {
  const { document, guest, fromMinute, toMinute } = booking
  const place = `c${column} s${slots} r${row}`
  const tables = document.tables.map(({ tableName }) => tableName).join(', ')
  const id = again ? null : html` id="to-${document.bookingId}"`
  const hidden = again ? html` aria-hidden="true" tabindex="-1"` : null
  return html`<li class="booking ${statusClass(document.status)} ${place}${again ? ' again' : ''}"><a${id} data-asks href="${view.href({ booking: document.bookingId }, 'details')}"${hidden}><span class="when">${clockText(fromMinute * 60_000)}&ndash;${clockText(toMinute * 60_000)}</span> ${statusSign(document.status)} <span class="who">${guest === '' ? html`<i>no name</i>` : bdi(guest)}</span> <span class="people">&times;${document.people}<span class="quiet"> guests</span></span> <span class="where">${tables === '' ? 'no table' : tables}</span> <span class="status">${bdi(document.status.name)}</span></a></li>`
}
