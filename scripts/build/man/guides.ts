import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lexer, type Token, type Tokens } from 'marked'
import { GUIDES } from '../../../src/base/failure/guides.ts'
import { inline, titleOf } from '../guide-text.ts'
import { entries, escaped, running, type Section } from './roff.ts'

// The guides of docs/ as pages of section 7 of `man`.

/** A guide as a page: `partner-money`, its title, and its sections. */
export interface GuidePage {
  readonly name: string
  readonly title: string
  readonly parts: readonly Section[]
  /** The page of docs/ as it is. */
  readonly markdown: string
}

/** All guides as pages. */
export function guidePages(root: string): readonly GuidePage[] {
  return GUIDES.map((guide) => {
    const markdown = readFileSync(join(root, 'docs', `${guide}.md`), 'utf8')
    return { name: `partner-${guide}`, title: titleOf(markdown), parts: partsOf(markdown), markdown }
  })
}

/** A page of a command leads to no more guides than this. */
const MOST = 3

/** The guides that are about a command or topic: that of its own name first, then those that show it most often. */
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

/** What stands above the first heading of a page, and below each. */
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

/** A heading needs no paragraph below it, and neither do two in a row. */
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
      throw new Error(`docs/ has ${token.type}, which a page of man cannot show yet: ${token.raw.slice(0, 60)}`)
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

/** A row is what its first cell names; of more than two, each further cell stands behind its title. */
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
