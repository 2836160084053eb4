/** The width that a column needs. */
export interface Demand {
  readonly natural: number
  /** The width to which it may shrink; `natural` if it is shown whole or not at all. */
  readonly least: number
  /** The column with the highest rank is left out first. */
  readonly rank: number
  /** It shrinks only after columns with a higher rank than this are left out, and after all others have shrunk. */
  readonly firm?: number | undefined
  /** Never left out. */
  readonly asked?: boolean | undefined
}

/** The width of each column, or null if it is left out. Null if not even the asked and most important columns fit. */
export function fitColumns(demands: readonly Demand[], available: number, gap: number): (number | null)[] | null {
  const softened = new Set<number>()
  const demandOf = (index: number): Demand => demands[index] ?? { natural: 0, least: 0, rank: 0 }
  const isFirm = (index: number) => demandOf(index).firm !== undefined && !softened.has(index)
  const widthsOf = (places: readonly number[]) => {
    const wanted = places.map((index) => {
      const demand = demandOf(index)
      return isFirm(index) ? { ...demand, least: demand.natural } : demand
    })
    return shrink(wanted, available - gap * (places.length - 1))
  }
  const turnOf = (index: number) => (isFirm(index) ? (demandOf(index).firm ?? 0) + 0.5 : demandOf(index).rank)
  let shown = [...demands.keys()]
  while (!widthsOf(shown)) {
    const inTurn = shown.toSorted((a, b) => turnOf(b) - turnOf(a) || b - a)
    const yielding = inTurn.find((index) => isFirm(index) || (!demandOf(index).asked && shown.length > 1))
    if (yielding === undefined) return null
    if (isFirm(yielding)) softened.add(yielding)
    else shown = shown.filter((index) => index !== yielding)
  }
  // Puts columns back that still fit, the most important ones first. Columns less important than a shrunk firm one stay
  // out, because it would shrink further.
  const lowest = Math.min(...[...softened].map((index) => demandOf(index).firm ?? 0))
  const leftOut = [...demands.keys()].filter((index) => !shown.includes(index) && demandOf(index).rank <= lowest)
  for (const index of leftOut.toSorted((a, b) => demandOf(a).rank - demandOf(b).rank || a - b)) {
    const more = [...shown, index].toSorted((a, b) => a - b)
    if (widthsOf(more)) shown = more
  }
  const widths = widthsOf(shown) ?? []
  return demands.map((_, index) => widths[shown.indexOf(index)] ?? null)
}

/**
 * Widths that fit, or null. First columns wider than two fifths of the screen shrink, then those with the highest rank,
 * firm ones last. A column with twice the least width of another keeps about twice as much.
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
