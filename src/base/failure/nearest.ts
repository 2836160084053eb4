/** Returns the candidate that is closest to a mistyped word, or `null` if none is close. Ignores case. */
export function findNearest(
  typed: string,
  candidates: readonly string[],
  mostEdits: number = Math.max(1, Math.floor(typed.length / 3)),
): string | null {
  let best: string | null = null
  let bestDistance = mostEdits + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - typed.length) > mostEdits) continue
    const distance = countEdits(typed.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function countEdits(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : changed
      line.push(Math.min(changed, swapped, (last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    beforeLast = last
    last = line
  }
  return last[b.length] ?? 0
}
