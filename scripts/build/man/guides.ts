import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { GUIDES } from '../../../src/base/failure/guides.ts'
import { inline, titleOf } from '../guide-text.ts'
import { entries, escaped, running, type Section } from './roff.ts'

// Converts the guides in docs/ to manual pages, which are in section 7 of the manual.

/** A guide that becomes a manual page. The page has a name such as `partner-money`. */
export interface GuidePage {
  readonly name: string
  readonly title: string
  readonly parts: readonly Section[]
  /** The guide's Markdown source. */
  readonly markdown: string
}

export function guidePages(root: string): readonly GuidePage[] {
  return GUIDES.map((guide) => {
    const markdown = readFileSync(join(root, 'docs', `${guide}.md`), 'utf8')
    return { name: `partner-${guide}`, title: titleOf(markdown), parts: partsOf(markdown), markdown }
  })
}

/** The maximum number of guides that a command's manual page mentions. */
const MOST = 3

/**
 * Returns the guides to mention for a command or topic. The guide of the same name comes first, then the guides that
 * mention the command most often.
 */
export function guidesFor(words: string, guides: readonly GuidePage[]): string[] {
  const own = `partner-${words.split(' ')[0]}`
  const times = ({ name, markdown }: GuidePage) =>
    name === own ? Number.POSITIVE_INFINITY : markdown.split(new RegExp(`partner ${words}(?![\\w-])`)).length - 1
  return guides
    .map((guide) => [guide.name, times(guide)] as const)
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => (a === b ? 0 : b - a))
    .slice(0, MOST)
    .map(([name]) => name)
}

/** Splits a page into sections. The text above the first heading is the description. */
function partsOf(markdown: string): Section[] {
  const parts: [heading: string, blocks: string[]][] = [['DESCRIPTION', []]]
  for (const token of lexer(markdown)) {
    if (token.type === 'heading' && token.depth === 1) continue
    if (token.type === 'heading' && token.depth === 2)
      parts.push([escaped(inline(token.tokens).toUpperCase()).replaceAll('"', '\\(dq'), []])
    else parts.at(-1)?.[1].push(block(token))
  }
  return parts.map(([heading, blocks]) => [heading, tidied(blocks)])
}

/** Removes a paragraph macro that follows a heading or another paragraph macro. */
function tidied(blocks: readonly string[]): string {
  return blocks
    .filter((text) => text !== '')
    .join('\n')
    .replace(/^\.PP\n/, '')
    .replace(/^(\.SS .*)\n\.PP$/gm, '$1')
}

function block(token: Token): string {
  switch (token.type) {
    case 'heading':
      return `.SS ${escaped(inline(token.tokens)).replaceAll('"', '\\(dq')}`
    case 'paragraph':
    case 'text':
      return `.PP\n${running(inline(token.tokens))}`
    case 'code':
      return `.PP\n.nf\n${escaped((token as Tokens.Code).text)}\n.fi`
    case 'list':
      return list(token as Tokens.List)
    case 'table':
      return table(token as Tokens.Table)
    case 'blockquote':
      return `.RS\n${tidied((token.tokens ?? []).map(block))}\n.RE`
    case 'space':
    case 'hr':
    case 'html':
      return ''
    default:
      throw new Error(`docs/ has ${token.type}, which a manual page cannot show yet: ${token.raw.slice(0, 60)}`)
  }
}

function list({ items, ordered, start }: Tokens.List): string {
  return items
    .map(({ tokens }, at) => {
      const mark = ordered ? `${Number(start) + at}. 4` : '\\(bu 2'
      const [first, ...rest] = tokens
      const text = first === undefined ? '' : running(inline('tokens' in first ? first.tokens : []))
      const below = rest.map(block).filter((one) => one !== '')
      return [`.IP ${mark}`, text, ...(below.length > 0 ? ['.RS', tidied(below), '.RE'] : [])].join('\n')
    })
    .join('\n')
}

/**
 * Formats each row of a table as a list entry that starts with the first cell. In tables with more than two columns,
 * each further cell is preceded by its column's title.
 */
function table({ header, rows }: Tokens.Table): string {
  const titles = header.map(({ tokens }) => inline(tokens))
  return entries(
    rows.map((row) => {
      const [left = '', ...cells] = row.map(({ tokens }) => inline(tokens))
      const named = cells.map((cell, at) => (cells.length < 2 || cell === '' ? cell : `${titles[at + 1]}: ${cell}`))
      return [left, named.filter((cell) => cell !== '').join('; ')]
    }),
  )
}
