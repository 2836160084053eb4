/** A piece of text in a single style. */
export interface Painted {
  readonly text: string
  /** The active parameters of the escape code `ESC [ … m`: 1 is bold, 2 is dim, and 31 to 36 are colours. */
  readonly styles: readonly number[]
}

/** Maps each escape code that resets styles to the styles that it resets. */
const ENDS: Readonly<Record<number, (style: number) => boolean>> = {
  0: () => true,
  22: (style) => style === 1 || style === 2,
  39: (style) => style >= 30 && style <= 37,
}

const ESCAPE = '\u001b'
const TOKEN = new RegExp(`${ESCAPE}\\[(\\d*(?:;\\d+)*)([A-Za-z])|\\r\\n|\\n|\\r|[^${ESCAPE}\\r\\n]+`, 'g')

/**
 * Returns the lines that a terminal shows after some output. The output can contain styles and can erase its current
 * line. Throws if it contains any other escape code.
 */
export function screenLines(output: string): Painted[][] {
  const lines: Painted[][] = [[]]
  let styles: number[] = []
  for (const [token, numbers = '', kind] of output.matchAll(TOKEN)) {
    const line = lines[lines.length - 1] as Painted[]
    if (kind === 'm') {
      for (const style of (numbers || '0').split(';').map(Number)) {
        const ends = ENDS[style]
        styles = ends ? styles.filter((one) => !ends(one)) : [...styles, style]
      }
    } else if (kind === 'K' || token === '\r') line.length = 0
    else if (kind !== undefined) throw new Error(`the session contains the escape code ${JSON.stringify(token)}`)
    else if (token === '\n' || token === '\r\n') lines.push([])
    else line.push({ text: token, styles })
  }
  return lines
}
