import type { Entry } from '../help-text.ts'

// What pages of `man` are written in.

/** A line of the source of a page is no longer than this. */
const WIDTH = 78

/** What every page says of where it is from. */
export interface Origin {
  readonly version: string
  /** Of the last commit, `2026-11-22`, so that two clones make the same page; empty where there is no git. */
  readonly date: string
}

/** A part of a page: its heading, and its roff. */
export type Section = readonly [heading: string, roff: string]

/** A page of `man`, whole. */
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

/** Text as roff prints it: no escapes, no requests, hyphens that can be pasted. */
export function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/[^\0-\x7f]/gu, (letter) => `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^([.'])/gm, '\\&$1')
}

/** The same for running text, on lines of their source that are not too long. */
export function running(text: string): string {
  const lines = ['']
  for (const word of escaped(text).split(/\s+/)) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > WIDTH) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => line.replace(/^([.'])/, '\\&$1')).join('\n')
}

/** A line to be typed. */
export function command(line: string): string {
  return `.B ${escaped(line).replaceAll('"', '\\(dq')}`
}

/** Paragraphs of running text. */
export function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => running(paragraph))
    .join('\n.PP\n')
}

/** A list of what is named, and what it is. */
export function entries(rows: readonly Entry[]): string {
  return rows.map(([left, right]) => `.TP\n${command(left.trim())}\n${running(right)}`).join('\n')
}

/** Commands as they are pasted. */
export function examples(text: string): string {
  const lines = text.split('\n\n').filter((line) => line.trim() !== '')
  return lines.map((line) => `.nf\n${escaped(line.trim())}\n.fi`).join('\n.PP\n')
}
