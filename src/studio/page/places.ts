/** The columns of the grid, in minutes. */
export const SLOT_MINUTES = 5
export const SLOTS_AN_HOUR = 60 / SLOT_MINUTES
/** The hours of the longest day, as bookings may last past midnight. */
export const MOST_HOURS = 36
/** Rows of the largest grid. */
export const MOST_ROWS = 700

/**
 * Classes for places in the grid, as the page may not have inline styles. `c12` is the thirteenth column, `s6` six
 * columns wide, `r3` the third row, `t2` two rows tall; `hours15` and `rows40` are the size of the grid.
 */
export function placesStyle(): string {
  const columns = counted(0, MOST_HOURS * SLOTS_AN_HOUR, (at) => `.c${at}{grid-column-start:${at + 2}}`)
  const spans = counted(1, MOST_HOURS * SLOTS_AN_HOUR, (slots) => `.s${slots}{grid-column-end:span ${slots}}`)
  const rows = counted(1, MOST_ROWS, (row) => `.r${row}{grid-row-start:${row}}`)
  const heights = counted(1, MOST_ROWS, (count) => `.t${count}{grid-row-end:span ${count}}`)
  const wide = counted(1, MOST_HOURS, (hours) => `.hours${hours}{--hours:${hours};--slots:${hours * SLOTS_AN_HOUR}}`)
  const tall = counted(1, MOST_ROWS, (count) => `.rows${count}{--rows:${count}}`)
  return [columns, spans, rows, heights, wide, tall].map((rules) => `${rules.join('\n')}\n`).join('')
}

function counted(from: number, to: number, rule: (count: number) => string): string[] {
  return Array.from({ length: to - from + 1 }, (_none, at) => rule(from + at))
}
