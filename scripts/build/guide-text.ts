import Table from 'cli-table3'
import { lexer, type Token, type Tokens } from 'marked'
import { guideCommand, isGuide } from '../../src/base/failure/guides.ts'
import { paragraphs, rows as tableOfRows } from './help-text.ts'

const WIDTH = 80

/**
 * Converts a page in docs/ to plain text that is 80 columns wide. Keeps the line breaks of commands and output, so that
 * users can paste them.
 */
export function guideText(markdown: string): string {
  return `${lexer(markdown)
    .map(blockText)
    .filter((block) => block !== '')
    .join('\n\n')}\n`
}

/** Returns a docs/ page's title, which is its first heading. */
export function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? ''
}

function blockText(token: Token): string {
  switch (token.type) {
    case 'heading':
      return headingText(token as Tokens.Heading)
    case 'paragraph':
      return paragraphs(inline(token.tokens), '')
    case 'code':
      return indented((token as Tokens.Code).text, 4)
    case 'list':
      return listText(token as Tokens.List)
    case 'table':
      return tableText(token as Tokens.Table)
    case 'blockquote':
      return indented((token.tokens ?? []).map(blockText).join('\n\n'), 4)
    case 'space':
    case 'hr':
    case 'html':
      return ''
    default:
      throw new Error(
        `docs/ has ${token.type}, which a guide in the terminal cannot show yet: ${token.raw.slice(0, 60)}`,
      )
  }
}

/**
 * Writes the title and the section headings in capitals, as on other help pages, and leaves deeper headings as they
 * are.
 */
function headingText({ depth, tokens }: Tokens.Heading): string {
  const text = inline(tokens)
  return depth < 3 ? text.toUpperCase() : text
}

function listText({ items, ordered, start }: Tokens.List): string {
  return items
    .map((item, at) => {
      const mark = ordered ? `${Number(start) + at}. ` : '- '
      const text = item.tokens.map((token) =>
        token.type === 'text' ? paragraphs(inline(token.tokens), '') : blockText(token),
      )
      return reflowed(text.join('\n'), mark)
    })
    .join('\n')
}

/** Wraps a list item and indents its lines after the bullet. */
function reflowed(text: string, mark: string): string {
  const [first = '', ...rest] = text.includes('\n    ')
    ? text.split('\n')
    : paragraphs(text.replaceAll('\n', ' '), ' '.repeat(mark.length + 2))
        .split('\n')
        .map((line) => line.slice(mark.length + 2))
  return [
    `  ${mark}${first}`,
    ...rest.map((line) => (line === '' ? '' : `${' '.repeat(mark.length + 2)}${line}`)),
  ].join('\n')
}

/**
 * Formats a table without borders. If the table is too wide, narrows and wraps its widest columns, but never breaks a
 * word.
 */
function tableText({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inline(tokens)))
  const hasTitles = cells[0]?.some((title) => title !== '') ?? false
  const shown = hasTitles ? cells : cells.slice(1)
  if (header.length === 2) return tableOfRows(shown.map(([left = '', right = '']) => [left, right]))
  const widest = (pieces: readonly string[]) => Math.max(0, ...pieces.map(({ length }) => length)) + 2
  const column = (at: number) => cells.map((row) => row[at] ?? '')
  const widths = header.map((_, at) => widest(column(at)))
  const least = header.map((_, at) => widest(column(at).flatMap((text) => text.split(' '))))
  const canGive = (at: number) => (widths[at] ?? 0) - (least[at] ?? 0) > 0
  while (widths.reduce((sum, width) => sum + width, 2) > WIDTH && header.some((_, at) => canGive(at))) {
    const most = Math.max(...widths.filter((_, at) => canGive(at)))
    const giving = widths.findIndex((width, at) => width === most && canGive(at))
    widths[giving] = most - 1
  }
  const blank = ['top', 'bottom', 'left', 'right', 'mid', 'middle'].flatMap((side) =>
    [side, `${side}-left`, `${side}-mid`, `${side}-right`].map((name) => [name, ''] as const),
  )
  const table = new Table({
    chars: Object.fromEntries(blank),
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
    colWidths: widths,
    wordWrap: true,
    head: [],
  })
  table.push(...shown)
  return indented(table.toString(), 2)
}

function indented(text: string, by: number): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `${' '.repeat(by)}${line.trimEnd()}`))
    .join('\n')
}

/**
 * Returns running text without its Markdown markup. Replaces a link to another page in docs/ with the command that
 * shows that page.
 */
export function inline(tokens: readonly Token[] | undefined): string {
  return (tokens ?? []).map(inlineText).join('').replaceAll('\n', ' ')
}

function inlineText(token: Token): string {
  if (token.type === 'link') return linkText(token as Tokens.Link)
  if (token.type === 'br') return '\n'
  if ('tokens' in token && token.tokens !== undefined) return inline(token.tokens)
  return decoded('text' in token ? String(token.text) : token.raw)
}

function linkText({ href, tokens }: Tokens.Link): string {
  const text = inline(tokens)
  const [page = '', section] = href.split('#')
  if (/^https?:/.test(href)) return text === href ? text : `${text} (${href})`
  const name = page.replace(/\.md$/, '')
  if (isGuide(name)) return text === page ? guideCommand(name) : `${text} (${guideCommand(name)})`
  return section !== undefined && page === '' ? text : `${text} (docs/${page.replace(/^\.\.\//, '')})`
}

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
