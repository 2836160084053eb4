/** What a column wants of the screen. */
export interface Demand {
  /** Columns of its widest text, header included. */
  readonly natural: number
  /** The fewest columns that it may be shortened to; the same as `natural` when it is shown whole or not at all. */
  readonly least: number
  /** The column with the highest rank is left out first. */
  readonly rank: number
}

/**
 * The width of each column on a screen; null for one that is left out. Flexible columns give way first, then columns are
 * left out. One column always stays, shortened if it must be.
 */
export function fitColumns(demands: readonly Demand[], available: number, gap: number): (number | null)[] {
  const shown = demands.map((_, index) => index)
  while (shown.length > 1) {
    const widths = shrunk(
      shown.map((index) => demandAt(demands, index)),
      available - gap * (shown.length - 1),
    )
    if (widths) return demands.map((_, index) => widths[shown.indexOf(index)] ?? null)
    shown.splice(indexOfHighestRank(demands, shown), 1)
  }
  return demands.map((demand, index) => (shown.includes(index) ? Math.min(demand.natural, available) : null))
}

/** Widths that fit, or null when even the least do not. A column that may shrink to twice as much keeps about twice as much. */
function shrunk(demands: readonly Demand[], available: number): number[] | null {
  if (sum(demands.map((demand) => demand.least)) > available) return null
  const widths = demands.map((demand) => demand.natural)
  for (let excess = sum(widths) - available; excess > 0; excess--) {
    const slack = demands.map(({ least }, index) => {
      const width = widths[index] ?? 0
      return width > least ? width / Math.max(least, 1) : 0
    })
    const widest = slack.indexOf(Math.max(...slack))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function indexOfHighestRank(demands: readonly Demand[], shown: readonly number[]): number {
  const ranks = shown.map((index) => demandAt(demands, index).rank)
  return ranks.lastIndexOf(Math.max(...ranks))
}

function demandAt(demands: readonly Demand[], index: number): Demand {
  return demands[index] ?? { natural: 0, least: 0, rank: 0 }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
