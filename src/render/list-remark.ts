import type { Screen } from './screen.ts'
import { terminalSafe } from './text/safe-text.ts'
import { paint } from './text/tone.ts'
import type { Column, ListOptions } from './view.ts'

/** What is known about a list once it is printed. */
interface ListFacts {
  readonly count: number
  /** False when the list broke off. */
  readonly isWhole: boolean
  readonly leftOut: readonly Column[]
}

/** What a person should know about a list: that it is empty, how long it is, what it does not show. Lines for stderr, or ''. */
export function remarkOn({ format, view, screen, context }: ListOptions, stderr: Screen, facts: ListFacts): string {
  const lines: string[] = []
  if (format === 'table' && facts.isWhole && facts.count === 0) lines.push(view.empty)
  if (format === 'table' && facts.count > 0 && screen.columns !== null && stderr.columns !== null) {
    const footnote = view.footnote?.(context) ?? null
    const count = facts.isWhole ? `${facts.count} ${facts.count === 1 ? view.one : view.many}` : null
    const footer = [count, footnote].filter((part) => part !== null).join(' · ')
    if (footer !== '') lines.push(paint('dim', terminalSafe(footer), stderr))
  }
  if (facts.leftOut.length > 0) {
    const line = terminalSafe(leftOutLine(facts.leftOut, view.columns))
    lines.push(...breakAtSpaces(line, stderr.columns).map((part) => paint('dim', part, stderr)))
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** Suggests flags that work as they are: the column that tells the records apart, and those that were left out. */
function leftOutLine(leftOut: readonly Column[], columns: readonly Column[]): string {
  const names = leftOut.map((column) => column.header.toLowerCase()).join(', ')
  const key = columns.find((column) => column.rank === 1) ?? columns[0]
  const paths = new Set([key, ...leftOut].flatMap((column) => (column ? [column.path] : [])))
  return `No room for ${names}: --columns${TIE}${[...paths].join(',')} or -o${TIE}json`
}

/** A space at which lines do not break: a flag that is torn from its value cannot be copied. */
const TIE = '\u00a0'

function breakAtSpaces(line: string, columns: number | null): string[] {
  const space = columns === null || line.length <= columns ? -1 : line.lastIndexOf(' ', columns)
  if (space <= 0) return [line.replaceAll(TIE, ' ')]
  return [line.slice(0, space).replaceAll(TIE, ' '), ...breakAtSpaces(line.slice(space + 1), columns)]
}
