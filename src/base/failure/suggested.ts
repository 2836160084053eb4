import { quoteShellWord } from './shell-word.ts'

/** A partner command that a message suggests, with its position in the message. */
export type SuggestedCommand = { readonly from: number; readonly to: number; readonly words: readonly string[] }

/** Formats a partner command for use in a sentence. Quotes the inserted values for the shell. */
export function formatCommand(words: TemplateStringsArray, ...values: readonly string[]): string {
  return `partner ${words.map((text, at) => text + (at < values.length ? quoteShellWord(values[at] ?? '') : '')).join('')}`
}

/**
 * Words that belong to the sentence, not to a command. A suggested command ends before any of them, and before
 * punctuation.
 */
const SENTENCE =
  'a|also|and|as|before|does|first|for|has|if|in|is|lists|of|on|or|prints|shows|so|that|then|to|until|when|which|with'
const PIECE = String.raw`"[^"]*"|'[^']*'|\\.|[^\s;,()"'\\]|,(?=[^\s;,()"'])`
// The word after a flag is always that flag's value, even if it looks like part of the sentence.
const WORD = String.raw`(?:(?<= --?(?!help )[\w-]+ )|(?!(?:${SENTENCE})(?:[ ;)]|$)))(?:${PIECE})+`
// Messages quote the service's words. A command inside such a quotation is not a suggestion from partner.
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
