/** The width of a grid column, in minutes. */
export const SLOT_MINUTES = 5
export const SLOTS_AN_HOUR = 60 / SLOT_MINUTES
/** The maximum number of hours in the grid. It is more than 24, because bookings may last past midnight. */
export const MAX_HOURS = 36
/** The maximum number of rows in the grid. */
export const MAX_ROWS = 700

/**
 * Returns CSS classes for positions in the grid. They replace inline styles, which the page's security policy forbids.
 * For example, `c12` is the thirteenth column, `s6` is six columns wide, `r3` is the third row, and `t2` is two rows
 * tall. `hours15` and `rows40` set the size of the grid.
 */
export function buildGridStyle(): string {
  const columns = counted(0, MAX_HOURS * SLOTS_AN_HOUR, (at) => `.c${at}{grid-column-start:${at + 2}}`)
  const spans = counted(1, MAX_HOURS * SLOTS_AN_HOUR, (slots) => `.s${slots}{grid-column-end:span ${slots}}`)
  const rows = counted(1, MAX_ROWS, (row) => `.r${row}{grid-row-start:${row}}`)
  const heights = counted(1, MAX_ROWS, (count) => `.t${count}{grid-row-end:span ${count}}`)
  const wide = counted(1, MAX_HOURS, (hours) => `.hours${hours}{--hours:${hours};--slots:${hours * SLOTS_AN_HOUR}}`)
  const tall = counted(1, MAX_ROWS, (count) => `.rows${count}{--rows:${count}}`)
  return [columns, spans, rows, heights, wide, tall].map((rules) => `${rules.join('\n')}\n`).join('')
}

function counted(from: number, to: number, rule: (count: number) => string): string[] {
  return Array.from({ length: to - from + 1 }, (_none, at) => rule(from + at))
}
