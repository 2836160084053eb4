/** Measures the width of text in terminal columns. The text must be {@link terminalSafe}. */
export interface Ruler {
  width(text: string): number
  /** Truncates text that is too wide and appends `…`. Never splits a grapheme. */
  truncate(text: string, columns: number): string
  /** Breaks text into one or more pieces of at most `columns` columns. Breaks it at spaces if possible. */
  wrap(text: string, columns: number): string[]
}

/** Matches text whose width in columns equals its length in UTF-16 units, because its characters never combine. */
const SIMPLE = new RegExp(
  `^[${[
    String.raw`\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0482`,
    String.raw`\u048a-\u052f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20a0-\u20c0`,
    String.raw`\u{1f32d}-\u{1f335}\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3cf}-\u{1f3d3}\u{1f3e0}-\u{1f3f0}`,
    String.raw`\u{1f400}-\u{1f43e}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f550}-\u{1f567}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}`,
    String.raw`\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}\u{1f947}-\u{1f9ff}`,
  ].join('')}]*$`,
  'u',
)

type Measure = (text: string) => number
type Split = (text: string) => Iterable<string>

const lengthOf: Measure = (text) => text.length
const SIMPLE_RULER = rulerOf(lengthOf, (text) => text)

const MAX_CACHED_WIDTHS = 1000
const MAX_CACHED_LENGTH = 100

let complete: Ruler | undefined

/**
 * Returns a ruler for the given strings. Loads the slow library for emoji and wide letters only if a string needs it.
 */
export async function openRuler(texts: Iterable<string>): Promise<Ruler> {
  for (const text of texts)
    if (!SIMPLE.test(text)) {
      complete ??= await completeRuler()
      return complete
    }
  return SIMPLE_RULER
}

async function completeRuler(): Promise<Ruler> {
  const { default: stringWidth } = await import('string-width')
  const segmenter = new Intl.Segmenter()
  // Cache the widths, because many rows contain the same names.
  const known = new Map<string, number>()
  const measure = (text: string) => {
    let width = known.get(text)
    if (width === undefined) {
      width = stringWidth(text)
      if (known.size === MAX_CACHED_WIDTHS) known.clear()
      if (text.length <= MAX_CACHED_LENGTH) known.set(text, width)
    }
    return width
  }
  return rulerOf(
    (text) => (SIMPLE.test(text) ? text.length : measure(text)),
    (text) => (SIMPLE.test(text) ? text : segments(segmenter, text)),
  )
}

function* segments(segmenter: Intl.Segmenter, text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment
}

function rulerOf(width: Measure, split: Split): Ruler {
  const head = (text: string, columns: number): string => {
    let kept = ''
    let used = 0
    for (const grapheme of split(text)) {
      used += width(grapheme)
      if (used > columns) break
      kept += grapheme
    }
    return kept
  }
  const broken = (word: string, columns: number): string[] => {
    const pieces: string[] = []
    let rest = word
    while (width(rest) > columns) {
      const piece = head(rest, columns) || [...rest].slice(0, 1).join('')
      pieces.push(piece)
      rest = rest.slice(piece.length)
    }
    return [...pieces, rest]
  }
  return {
    width,
    truncate: (text, columns) => {
      if (width(text) <= columns) return text
      return columns < 1 ? '' : `${head(text, columns - 1).trimEnd()}…`
    },
    wrap: (text, wanted) => {
      const columns = Math.max(wanted, 2)
      if (width(text) <= columns) return [text]
      return wrapPieces(text.split(/(?<=\S) +(?=\S)/), columns, width, (word) => broken(word, columns))
    },
  }
}

/** Joins pieces into rows of at most `columns` columns. `broken` splits a piece that is wider than a row. */
export function wrapPieces(
  pieces: readonly string[],
  columns: number,
  width: Measure,
  broken: (piece: string) => readonly string[],
): string[] {
  const rows: string[] = []
  let row = ''
  for (const piece of pieces) {
    const longer = row === '' ? piece : `${row} ${piece}`
    if (width(longer) <= columns) {
      row = longer
      continue
    }
    if (row !== '') rows.push(row)
    const parts = width(piece) <= columns ? [piece] : broken(piece)
    rows.push(...parts.slice(0, -1))
    row = parts.at(-1) ?? ''
  }
  return row === '' && rows.length > 0 ? rows : [...rows, row]
}
