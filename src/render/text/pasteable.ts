import type { Ruler } from './width.ts'

/** A command of ours with its words, up to where the sentence goes on. */
const COMMAND =
  /\bpartner(?: (?!(?:a|also|and|as|before|does|first|for|has|if|in|is|lists|of|on|or|prints|shows|so|that|then|to|until|when|which|with)(?:[ ;)]|$))(?:"[^"]*"|'[^']*'|[^\s;,()"']+(?:,[^\s;,()"']+)*))+/g

/** Letters and signs of IDs, paths, URLs and command lines. */
const PLAIN = /^[\w .,:;=@%+~/?&#'"`()[\]{}$!*-]+$/
/** What stands before our own lines: at the start of a row it could pass for one. */
const LABEL = /(?:error|next|request|service|warning):/i

/**
 * Breaks our own text into rows of at most so many columns, at spaces. What a person copies stays in one piece: IDs, paths, URLs
 * and commands of ours; one that is longer than a row is left to the terminal, which gives it back whole.
 */
export function wrapPasteable(text: string, columns: number, ruler: Ruler): string[] {
  if (ruler.width(text) <= columns) return [text]
  const rows: string[] = []
  let row = ''
  for (const piece of piecesOf(text)) {
    const longer = row === '' ? piece : `${row} ${piece}`
    if (ruler.width(longer) <= columns) {
      row = longer
      continue
    }
    if (row !== '') rows.push(row)
    row = piece
    if (ruler.width(piece) <= columns || isPasteable(piece)) continue
    const broken = ruler.wrap(piece, columns)
    rows.push(...broken.slice(0, -1))
    row = broken.at(-1) ?? ''
  }
  return row === '' && rows.length > 0 ? rows : [...rows, row]
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  const addWords = (words: string) => {
    for (const word of words.split(' ')) if (word !== '') pieces.push(word)
  }
  for (const { 0: command, index } of text.matchAll(COMMAND)) {
    addWords(text.slice(from, index))
    // A sign behind a command, or a bracket or quote around it, belongs to it.
    const sign = /^["'`?!:;,.)]+/.exec(text.slice(index + command.length))?.[0] ?? ''
    const isOpened = index > from && !/\s/.test(text[index - 1] ?? ' ')
    const before = isOpened ? (pieces.pop() ?? '') : ''
    pieces.push(before + command + sign)
    from = index + command.length + sign.length
  }
  addWords(text.slice(from))
  return pieces
}

function isPasteable(piece: string): boolean {
  return PLAIN.test(piece) && !LABEL.test(piece)
}
