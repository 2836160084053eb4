/** How much of the screen a column asks for. */
export interface Demand {
  /** The width of its widest text, header included. */
  readonly natural: number
  /** The width to which it may shrink; the same as `natural` when it is shown whole or not at all. */
  readonly least: number
  /** The column with the highest rank is left out first. */
  readonly rank: number
  /** It shrinks only after all columns of a higher rank than this are left out, and after what else can shrink. */
  readonly firm?: number | undefined
  /** True: it is never left out. */
  readonly asked?: boolean | undefined
}

/**
 * Fits columns on a screen: the width of each, or null for one that is left out. Flexible columns shrink first, then columns are
 * left out. Null when not even the columns that must stay fit: the most important one, and those that the user asked for.
 */
export function fitColumns(demands: readonly Demand[], available: number, gap: number): (number | null)[] | null {
  const shown = demands.map((_, index) => index)
  const softened = new Set<number>()
  for (;;) {
    const widths = shrink(
      shown.map((index) => demandAt(demands, index, softened)),
      available - gap * (shown.length - 1),
    )
    if (widths) return withPutBack(demands, shown, softened, available, gap)
    const yielding = nextToYield(demands, shown, softened)
    if (yielding === null) return null
    if (demands[yielding]?.firm !== undefined && !softened.has(yielding)) softened.add(yielding)
    else shown.splice(shown.indexOf(yielding), 1)
  }
}

/** The widths, with those left out columns that fit after all beside what is left; the most important ones first. */
function withPutBack(
  demands: readonly Demand[],
  fitting: readonly number[],
  softened: ReadonlySet<number>,
  available: number,
  gap: number,
): (number | null)[] {
  let shown = [...fitting]
  const widthsOf = (places: readonly number[]) =>
    shrink(
      places.map((index) => demandAt(demands, index, softened)),
      available - gap * (places.length - 1),
    )
  // What is less important than a firm column that was made to shrink stays out: that column would shrink further.
  const lowest = Math.min(...[...softened].map((index) => demands[index]?.firm ?? 0))
  const leftOut = demands
    .map((_, index) => index)
    .filter((index) => !shown.includes(index) && rankAt(demands, index) <= lowest)
  for (const index of leftOut.toSorted((a, b) => rankAt(demands, a) - rankAt(demands, b) || a - b)) {
    const more = [...shown, index].toSorted((a, b) => a - b)
    if (widthsOf(more)) shown = more
  }
  const widths = widthsOf(shown) ?? []
  return demands.map((_, index) => widths[shown.indexOf(index)] ?? null)
}

/** The column that gives way next: the one with the highest rank that may shrink still, or be left out; null when none may. */
function nextToYield(
  demands: readonly Demand[],
  shown: readonly number[],
  softened: ReadonlySet<number>,
): number | null {
  const isStillFirm = (index: number) => demands[index]?.firm !== undefined && !softened.has(index)
  const turn = (index: number) => (isStillFirm(index) ? (demands[index]?.firm ?? 0) + 0.5 : rankAt(demands, index))
  const byRank = shown.toSorted((a, b) => turn(b) - turn(a) || b - a)
  const mayYield = (index: number) => isStillFirm(index) || (!demands[index]?.asked && shown.length > 1)
  return byRank.find(mayYield) ?? null
}

/**
 * Widths that fit; null when not even the least do. First whatever takes more than two fifths of the screen shrinks, then the
 * columns with the highest rank, firm ones last. Of several, one whose least width is twice another's keeps about twice as much.
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

function demandAt(demands: readonly Demand[], index: number, softened: ReadonlySet<number>): Demand {
  const demand = demands[index] ?? { natural: 0, least: 0, rank: 0 }
  return demand.firm !== undefined && !softened.has(index) ? { ...demand, least: demand.natural } : demand
}

function rankAt(demands: readonly Demand[], index: number): number {
  return demands[index]?.rank ?? 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
