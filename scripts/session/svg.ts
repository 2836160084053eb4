import type { Painted } from './screen.ts'

const LETTER = 8.43
const LINE = 19
const MARGIN = 16

const COLOURS: Readonly<Record<number, string>> = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
}

/** Draws terminal output as an SVG picture in which text can be selected. */
export function svgOf(lines: readonly (readonly Painted[])[], columns: number): string {
  let last = lines.length
  while (last > 0 && lines[last - 1]?.every(({ text }) => text.trim() === '')) last--
  const shown = lines.slice(0, last)
  const [width, height] = [Math.ceil(columns * LETTER + 2 * MARGIN), shown.length * LINE + 2 * MARGIN]
  const rows = shown.map((line, at) => {
    const spans = line.map(({ text, styles }) => `<tspan${attributes(styles)}>${escaped(text)}</tspan>`).join('')
    return `<text style="white-space: pre" x="${MARGIN}" y="${MARGIN + (at + 0.8) * LINE}">${spans}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="partner at a terminal">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${rows.join('\n')}
</g>
</svg>
`
}

function attributes(styles: readonly number[]): string {
  const colour = styles.map((style) => COLOURS[style]).find((one) => one !== undefined)
  return [
    styles.includes(1) ? ' font-weight="bold"' : '',
    styles.includes(2) ? ' fill-opacity="0.6"' : '',
    colour === undefined ? '' : ` fill="${colour}"`,
  ].join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
