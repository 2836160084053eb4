/** The width that a column needs and its priority. */
export interface Demand {
  readonly natural: number
  /** The width down to which the column can shrink, or `natural` if it cannot shrink. */
  readonly least: number
  /** The column's rank. The column with the highest rank is hidden first. */
  readonly rank: number
  /**
   * A firm column shrinks only after all other columns have shrunk and those ranked above this value have been hidden.
   * Absent if the column is not firm.
   */
  readonly firm?: number | undefined
  /** Whether the column is never hidden. */
  readonly isRequested?: boolean | undefined
}

/**
 * Returns the widths of all columns, with `null` for hidden ones. Returns only `null` if even the requested columns and
 * the most important one do not fit.
 */
export function fitColumns(demands: readonly Demand[], available: number, gap: number): (number | null)[] | null {
  const softened = new Set<number>()
  const demandOf = (index: number): Demand => demands[index] ?? { natural: 0, least: 0, rank: 0 }
  const isFirm = (index: number) => demandOf(index).firm !== undefined && !softened.has(index)
  const widthsOf = (places: readonly number[]) => {
    const shownDemands = places.map((index) => {
      const demand = demandOf(index)
      return isFirm(index) ? { ...demand, least: demand.natural } : demand
    })
    return shrink(shownDemands, available - gap * (places.length - 1))
  }
  const turnOf = (index: number) => (isFirm(index) ? (demandOf(index).firm ?? 0) + 0.5 : demandOf(index).rank)
  let shown = [...demands.keys()]
  while (!widthsOf(shown)) {
    const inTurn = shown.toSorted((a, b) => turnOf(b) - turnOf(a) || b - a)
    const yielding = inTurn.find((index) => isFirm(index) || (!demandOf(index).isRequested && shown.length > 1))
    if (yielding === undefined) return null
    if (isFirm(yielding)) softened.add(yielding)
    else shown = shown.filter((index) => index !== yielding)
  }
  // Restore the hidden columns that fit now, most important first. Once a firm column has shrunk, do not restore less
  // important columns, because it would have to shrink further.
  const lowest = Math.min(...[...softened].map((index) => demandOf(index).firm ?? 0))
  const hidden = [...demands.keys()].filter((index) => !shown.includes(index) && demandOf(index).rank <= lowest)
  for (const index of hidden.toSorted((a, b) => demandOf(a).rank - demandOf(b).rank || a - b)) {
    const more = [...shown, index].toSorted((a, b) => a - b)
    if (widthsOf(more)) shown = more
  }
  const widths = widthsOf(shown) ?? []
  return demands.map((_, index) => widths[shown.indexOf(index)] ?? null)
}

/**
 * Returns widths that make all columns fit, or `null` if that is impossible. Columns wider than two fifths of the
 * screen shrink first, then the others, starting with the highest rank. Firm columns shrink last. Among equals, the
 * column with the largest ratio of width to minimum width shrinks next.
 */
function shrink(demands: readonly Demand[], available: number): number[] | null {
  if (sum(demands.map((demand) => demand.least)) > available) return null
  const widths = demands.map((demand) => demand.natural)
  for (let excess = sum(widths) - available; excess > 0; excess--) {
    const yields = demands.map(({ least, firm }, index) => {
      const width = widths[index] ?? 0
      return { ratio: width > least ? width / Math.max(least, 1) : 0, firm: firm !== undefined }
    })
    const isOnlyFirmLeft = yields.every(({ ratio, firm }) => ratio === 0 || firm)
    const slack = yields.map(({ ratio, firm }) => (firm && !isOnlyFirmLeft ? 0 : ratio))
    const wide = slack.map((one, index) => ((widths[index] ?? 0) > (available * 2) / 5 ? one : 0))
    const rank = Math.max(...demands.filter((_, index) => (slack[index] ?? 0) > 0).map((demand) => demand.rank))
    const inTurn = wide.some((one) => one > 0)
      ? wide
      : slack.map((one, index) => (demands[index]?.rank === rank ? one : 0))
    const widest = inTurn.indexOf(Math.max(...inTurn))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
