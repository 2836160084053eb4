/** The candidate that someone who typed `text` most likely meant; null when none is near. */
export function nearest(text: string, candidates: readonly string[]): string | null {
  const typed = text.toLowerCase()
  let best: { candidate: string; distance: number } | null = null
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate.toLowerCase())
    if (!best || distance < best.distance) best = { candidate, distance }
  }
  return best && best.distance <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : null
}

/** How many letters must be changed, added, left out, or swapped with a neighbour, to turn one text into the other. */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) {
      const at = (r: number, c: number) => (r === row ? line[c] : rows[r]?.[c]) ?? 0
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let least = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        least = Math.min(least, at(row - 2, column - 2) + 1)
      line.push(least)
    }
    rows.push(line)
  }
  return rows[a.length]?.[b.length] ?? 0
}
