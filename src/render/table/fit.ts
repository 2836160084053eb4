/** How much of the screen a column asks for. */
export interface Demand {
  /** The width of its widest text, header included. */
  readonly natural: number
  /** The width to which it may shrink; the same as `natural` when it is shown whole or not at all. */
  readonly least: number
  /** The column with the highest rank is left out first. */
  readonly rank: number
}

/**
 * Fits columns on a screen: the width of each, or null for one that is left out. Flexible columns shrink first, then columns are
 * left out. One column always stays, cut if need be.
 */
export function fitColumns(demands: readonly Demand[], available: number, gap: number): (number | null)[] {
  const shown = demands.map((_, index) => index)
  while (shown.length > 1) {
    const widths = shrink(
      shown.map((index) => demandAt(demands, index)),
      available - gap * (shown.length - 1),
    )
    if (widths) return demands.map((_, index) => widths[shown.indexOf(index)] ?? null)
    shown.splice(indexOfHighestRank(demands, shown), 1)
  }
  return demands.map((demand, index) => (shown.includes(index) ? Math.min(demand.natural, available) : null))
}

/** Widths that fit; null when not even the least do. A column whose least width is twice another's keeps about twice as much. */
function shrink(demands: readonly Demand[], available: number): number[] | null {
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
