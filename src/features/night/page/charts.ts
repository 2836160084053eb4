import { type Html, html } from '../../../base/html.ts'

const CHART_HEIGHT = 132
const TOP = 18
const BOTTOM = 20
/** The maximum number of columns that all have a label. In a larger chart, every second column has one. */
const MAX_LABELS = 14
const MIN_COLUMNS = 9
const HOURS = 24

/** Renders a bar that visualizes an adjacent figure. `share` and `marked` are fractions from 0 to 1. */
export function renderBar(share: number, marked = 0): Html {
  const wide = percent(share)
  const more = marked > 0 ? html`<rect class="mark" x="${wide}%" width="${percent(marked)}%" height="100%"/>` : null
  return html`<svg class="bar" aria-hidden="true" focusable="false"><rect class="fill" width="${wide}%" height="100%" rx="2"/>${more}</svg>`
}

/** Renders a chart with one column per hour, including hours without covers between the first and the last. */
export function renderHourChart(
  hours: readonly { readonly hour: string; readonly covers: number }[],
  id: string,
): Html {
  const columns = withGaps(hours)
  const most = Math.max(1, ...columns.map(({ covers }) => covers))
  const room = CHART_HEIGHT - TOP - BOTTOM
  const step = 100 / Math.max(columns.length, MIN_COLUMNS)
  const busiest = columns.reduce((best, one) => (one.covers > best.covers ? one : best), { hour: '', covers: -1 })
  const drawn = columns.map(({ hour, covers }, at) => {
    const height = Math.round((covers / most) * room)
    const middle = (at + 0.5) * step
    const isLabelled = columns.length <= MAX_LABELS || at % 2 === 0
    return html`<rect class="fill" x="${fixed(at * step + step * 0.14)}%" y="${TOP + room - height}" width="${fixed(step * 0.72)}%" height="${height}" rx="2"/>${
      covers > 0
        ? html`<text class="count" x="${fixed(middle)}%" y="${TOP + room - height - 5}">${covers}</text>`
        : null
    }${isLabelled ? html`<text x="${fixed(middle)}%" y="${CHART_HEIGHT - 5}">${hour}</text>` : null}`
  })
  return html`<svg class="columns" role="img" aria-labelledby="${id}-t ${id}-d" height="${CHART_HEIGHT}" width="100%">
<title id="${id}-t">Covers by hour</title>
<desc id="${id}-d">${hours.map(({ hour, covers }) => `${hour}:00: ${covers}`).join(', ')}. The busiest hour is ${busiest.hour}:00.</desc>
<line x1="0" x2="100%" y1="${TOP + room + 0.5}" y2="${TOP + room + 0.5}"/>
${drawn}
</svg>`
}

function withGaps(hours: readonly { readonly hour: string; readonly covers: number }[]) {
  const covers = new Map(hours.map((one) => [Number(one.hour), one.covers]))
  const first = Number(hours[0]?.hour ?? 0)
  const last = Number(hours.at(-1)?.hour ?? 0)
  const count = ((last - first + HOURS) % HOURS) + 1
  return Array.from({ length: count }, (_, at) => {
    const hour = (first + at) % HOURS
    return { hour: String(hour).padStart(2, '0'), covers: covers.get(hour) ?? 0 }
  })
}

function percent(share: number): string {
  return fixed(Math.min(1, Math.max(0, share)) * 100)
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100)
}
