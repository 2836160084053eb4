import { findSuggestedCommands } from '../../../base/failure/suggested.ts'
import { type Ruler, wrapPieces } from './width.ts'

const WHOLE =
  /(?<=^|[\s(=])(?:"[^"]*"|'[^']*'(?=$|[\s;,.)?!:]))|\b(?:mkdir(?: -p)?|chmod \d+|rm|del|sqlite3) (?:"[^"]*"|'[^']*'|[^\s;]+)/g

const IS_WINDOWS = process.platform === 'win32'
const PLAIN = IS_WINDOWS ? /^[\w .,:;=@%+~/?&#'"`()[\]{}$!*\\-]+$/ : /^[\w .,:;=@%+~/?&#'"`()[\]{}$!*-]+$/
/** Matches text in any script that looks like a path, a quoted string or a command. */
const PLAIN_IN_ANY_SCRIPT = IS_WINDOWS
  ? /^(?=partner |.*[/\\'"])[\p{L}\p{N}\p{M} -~]+$/u
  : /^(?=partner |.*[/'"])[\p{L}\p{N}\p{M} -~]+$/u
/** Matches the labels of partner's own lines. Other text must not imitate them at the start of a row. */
const LABEL = /(?:error|next|request|service|warning):/i

/** Wraps partner's own text. Never breaks an ID, path, URL or command, so that users can copy it. */
export function wrapPasteable(text: string, columns: number, ruler: Ruler): string[] {
  if (ruler.width(text) <= columns) return [text]
  const broken = (piece: string) => (isPasteable(piece) ? [piece] : ruler.wrap(piece, columns))
  return wrapPieces(piecesOf(text), columns, ruler.width, broken)
}

function wholeParts(text: string): { readonly from: number; readonly to: number }[] {
  const others = [...text.matchAll(WHOLE)].map(({ 0: found, index }) => ({ from: index, to: index + found.length }))
  let end = 0
  return [...findSuggestedCommands(text), ...others]
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .filter(({ from, to }) => {
      if (from < end) return false
      end = to
      return true
    })
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  const addWords = (words: string) => {
    for (const word of words.split(' ')) if (word !== '') pieces.push(word)
  }
  for (const part of wholeParts(text)) {
    addWords(text.slice(from, part.from))
    // Do not separate a command or path from adjacent punctuation, brackets and quotes.
    const sign = /^["'`?!:;,.)]+/.exec(text.slice(part.to))?.[0] ?? ''
    const isOpened = part.from > from && !/\s/.test(text[part.from - 1] ?? ' ')
    const before = isOpened ? (pieces.pop() ?? '') : ''
    pieces.push(before + text.slice(part.from, part.to) + sign)
    from = part.to + sign.length
  }
  addWords(text.slice(from))
  return pieces
}

function isPasteable(piece: string): boolean {
  return (PLAIN.test(piece) || PLAIN_IN_ANY_SCRIPT.test(piece)) && !LABEL.test(piece)
}
