/** Measures text in terminal columns. The texts are {@link terminalSafe}: no controls, no escape sequences. */
export interface Ruler {
  width(text: string): number
  /** The text, or as much of it as fits with `…` behind it; a grapheme is never split. */
  truncate(text: string, columns: number): string
  /** The text in pieces of at most that many columns, broken at spaces where it can be. At least one piece. */
  wrap(text: string, columns: number): string[]
}

/** Letters and signs that take one column each and never join: no need to load anything to measure them. */
const SIMPLE =
  /^[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20c0]*$/

type Measure = (text: string) => number
/** The graphemes of a text, in order. */
type Split = (text: string) => Iterable<string>

/**
 * Opens a ruler. What measures emoji, wide and combining characters costs about 10 ms, so it is loaded only when needed.
 * @param texts all that will be measured; null when that is not known yet.
 */
export async function openRuler(texts: Iterable<string> | null): Promise<Ruler> {
  if (texts && everySimple(texts))
    return rulerOf(
      (text) => text.length,
      (text) => text,
    )
  const { default: stringWidth } = await import('string-width')
  const segmenter = new Intl.Segmenter()
  return rulerOf(
    (text) => (SIMPLE.test(text) ? text.length : stringWidth(text)),
    (text) => (SIMPLE.test(text) ? text : segments(segmenter, text)),
  )
}

function everySimple(texts: Iterable<string>): boolean {
  for (const text of texts) if (!SIMPLE.test(text)) return false
  return true
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
  return {
    width,
    truncate: (text, columns) => {
      if (width(text) <= columns) return text
      return columns < 1 ? '' : `${head(text, columns - 1).trimEnd()}…`
    },
    wrap: (text, columns) => wrapped(text, Math.max(columns, 2), width, head),
  }
}

function wrapped(
  text: string,
  columns: number,
  width: Measure,
  head: (text: string, columns: number) => string,
): string[] {
  if (width(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/(?<=\S) +(?=\S)/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (width(longer) <= columns) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (width(line) > columns) {
      const piece = head(line, columns) || [...line].slice(0, 1).join('')
      lines.push(piece)
      line = line.slice(piece.length)
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}
