import { shortenQuotes } from '../../base/failure/failure.ts'
import type { Screen } from './screen.ts'
import { terminalSafe } from './text/safe-text.ts'
import { paint } from './text/tone.ts'
import type { Column, ListOptions, ListView, ViewContext } from './view.ts'

type ListFacts = { readonly count: number; readonly isWhole: boolean; readonly hidden: readonly Column[] }

/** Returns the lines for stderr after a list: its length and hidden columns, or that it is empty. May return ''. */
export function remarkOn({ format, view, screen, context }: ListOptions, stderr: Screen, facts: ListFacts): string {
  const lines: string[] = []
  const { scope } = view
  const isTable = format === 'table'
  const isEmpty = facts.isWhole && facts.count === 0
  if (isEmpty && (isTable || scope?.isFiltered))
    lines.push(...breakAtSpaces(terminalSafe(emptyLine(view)), stderr.columns))
  const onTerminal = screen.columns !== null && stderr.columns !== null
  if (isTable && facts.count > 0 && (onTerminal || (scope?.words ?? '') !== '')) {
    const footer = footerLine(view, facts, context)
    if (footer !== '') lines.push(...dimmed(terminalSafe(footer), stderr))
  }
  if (isTable && facts.isWhole && scope?.hides !== undefined) lines.push(...dimmed(scope.hides, stderr))
  if (facts.hidden.length > 0)
    lines.push(...dimmed(terminalSafe(hiddenColumnsLine(facts.hidden, view.columns)), stderr))
  return lines.map((line) => `${line}\n`).join('')
}

function emptyLine({ empty, many, scope }: ListView): string {
  const words = shortenQuotes(scope?.words ?? '')
  return `${words === '' ? empty : `No ${many} ${words}.`}${scope?.whenEmpty?.() ?? ''}`
}

/**
 * Returns a line such as `23 bookings on Sun 2026-11-22 (Australia/Sydney)`. The line names the time zone only once.
 */
function footerLine({ one, many, scope, footnote }: ListView, { count, isWhole }: ListFacts, context: ViewContext) {
  const words = shortenQuotes(scope?.words ?? '')
  const notes = (footnote?.(context) ?? '').split(' · ')
  const isNamed = (note: string) =>
    /^times .*in /.test(note) && note.endsWith(zoneOf(context)) && words.includes(`(${zoneOf(context)})`)
  const notNamed = notes.filter((note) => note !== '' && !isNamed(note))
  const counted = `${count} ${[count === 1 ? one : many, words].filter((part) => part !== '').join(' ')}`
  const stopped = count === scope?.limit ? [`stopped at --limit ${count}`] : []
  return [...(isWhole ? [counted, ...stopped] : []), ...notNamed].join(' · ')
}

const zoneOf = ({ timezone }: ViewContext) => timezone ?? 'UTC'

/** Returns a line that names the hidden columns and suggests flags to show them together with the key column. */
function hiddenColumnsLine(hidden: readonly Column[], columns: readonly Column[]): string {
  const names = hidden.map((column) => column.header.toLowerCase()).join(', ')
  const key = columns.find((column) => column.rank === 1) ?? columns[0]
  const paths = new Set([key, ...hidden].flatMap((column) => (column ? [column.path] : [])))
  const flags = `--columns${TIE}${[...paths].join(',')} or -o${TIE}json`
  return `Columns hidden to fit the screen: ${names}. To see them: ${flags}`
}

/** A no-break space. It keeps a flag and its value on one line, so that users can copy them together. */
const TIE = '\u00a0'

function dimmed(line: string, stderr: Screen): string[] {
  return breakAtSpaces(line, stderr.columns).map((part) => paint('dim', part, stderr))
}

function breakAtSpaces(line: string, columns: number | null): string[] {
  const space = columns === null || line.length <= columns ? -1 : line.lastIndexOf(' ', columns)
  if (space <= 0) return [line.replaceAll(TIE, ' ')]
  return [line.slice(0, space).replaceAll(TIE, ' '), ...breakAtSpaces(line.slice(space + 1), columns)]
}
