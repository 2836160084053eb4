import type { Entry } from '../help-text.ts'

// Helpers that write roff, the language of manual pages.

/** The maximum length of a line of roff source. */
const WIDTH = 78

/** The version and date shown on every manual page. */
export interface Origin {
  readonly version: string
  /**
   * The date of the last commit, such as `2026-11-22`, which is the same in every clone. Empty if git is not available.
   */
  readonly date: string
}

/** A section of a manual page: its heading, and its text as roff. */
export type Section = readonly [heading: string, roff: string]

/** Returns a complete manual page as roff. */
export function page(
  { name, section }: { readonly name: string; readonly section: 1 | 7 },
  summary: string,
  parts: readonly Section[],
  { version, date }: Origin,
): string {
  const sections = parts.filter(([, roff]) => roff !== '').map(([heading, roff]) => `.SH ${heading}\n${roff}`)
  const head = `.TH ${name.toUpperCase()} ${section} "${date}" "partner ${version}" "partner manual"\n.nh\n.ad l`
  const line = summary.replace(/\.$/, '')
  return `${[head, `.SH NAME\n${escaped(name)} \\-\n${running(line)}`, ...sections].join('\n')}\n`
}

/**
 * Escapes text for roff, so that it is printed literally. Hyphens stay ordinary hyphens, so that readers can paste
 * commands.
 */
export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^([.'])/gm, '\\&$1')
}

/** Escapes running text for roff and wraps the source lines. */
export function running(text: string): string {
  const lines = ['']
  for (const word of escaped(text).split(/\s+/)) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => line.replace(/^([.'])/, '\\&$1')).join('\n')
}

/** Formats a command line as roff. */
export function command(line: string): string {
  return `.B ${escaped(line).replaceAll('"', '\\(dq')}`
}

/** Formats running text as paragraphs. */
export function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => running(paragraph))
    .join('\n.PP\n')
}

/** Formats a list of terms and descriptions. */
export function entries(rows: readonly Entry[]): string {
  return rows.map(([left, right]) => `.TP\n${command(left.trim())}\n${running(right)}`).join('\n')
}

/** Formats commands as roff so that users can paste them. */
export function examples(text: string): string {
  const lines = text.split('\n\n').filter((line) => line.trim() !== '')
  return lines.map((line) => `.nf\n${escaped(line.trim())}\n.fi`).join('\n.PP\n')
}
