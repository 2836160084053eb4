import { quoteShellWord } from './shell-word.ts'

/** A partner command suggested in a sentence, with its position there. */
export type SuggestedCommand = { readonly from: number; readonly to: number; readonly words: readonly string[] }

/** Formats a partner command for use in a sentence and quotes values for the shell: suggest`giftcards get ${card}`. */
export function formatCommand(words: TemplateStringsArray, ...values: readonly string[]): string {
  return `partner ${words.map((text, at) => text + (at < values.length ? quoteShellWord(values[at] ?? '') : '')).join('')}`
}

/** Words that end a command and continue the sentence, as `;`, `,` and parentheses also do. */
const SENTENCE =
  'a|also|and|as|before|does|first|for|has|if|in|is|lists|of|on|or|prints|shows|so|that|then|to|until|when|which|with'
const PIECE = String.raw`"[^"]*"|'[^']*'|\\.|[^\s;,()"'\\]|,(?=[^\s;,()"'])`
// The word after a flag is always the flag's value.
const WORD = String.raw`(?:(?<= --?(?!help )[\w-]+ )|(?!(?:${SENTENCE})(?:[ ;)]|$)))(?:${PIECE})+`
// Messages quote the service's words. A command in such a quote is not a suggestion of partner.
const COMMAND = new RegExp(String.raw`(?<=^|[\s(=])"[^"]*"|\bpartner(?: ${WORD})+`, 'g')

export function findSuggestedCommands(text: string): SuggestedCommand[] {
  return [...text.matchAll(COMMAND)].flatMap(({ 0: found, index }) => {
    if (found.startsWith('"')) return []
    const command = found.replace(/[?!:.]+$/, '')
    return [{ from: index, to: index + command.length, words: shellWords(command).slice(1) }]
  })
}

function shellWords(command: string): string[] {
  return (command.match(new RegExp(`(?:${PIECE})+`, 'g')) ?? []).map((word) =>
    word.replace(new RegExp(PIECE, 'g'), (piece) =>
      /^["']/.test(piece) ? piece.slice(1, -1) : piece.replace(/^\\(?=.)/, ''),
    ),
  )
}
