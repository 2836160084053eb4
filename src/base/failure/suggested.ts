import { shellWord } from './shell-word.ts'

/** A command of partner that a sentence suggests. */
export interface Suggested {
  /** Where it starts in the sentence, at `partner`. */
  readonly from: number
  /** Where it ends: the first character after it. */
  readonly to: number
  /** Its words after `partner`, without the quotes of the shell. */
  readonly words: readonly string[]
}

/**
 * Writes a command of partner for a sentence, with every value quoted for the shell: suggest`giftcards get ${card}`.
 * In the sentence, a command ends at `;`, `,`, a bracket or the end.
 */
export function suggest(words: TemplateStringsArray, ...values: readonly string[]): string {
  return `partner ${words.map((text, at) => text + (at < values.length ? shellWord(values[at] ?? '') : '')).join('')}`
}

/** Words that continue the sentence after a command, and are never a part of it. */
const SENTENCE =
  'a|also|and|as|before|does|first|for|has|if|in|is|lists|of|on|or|prints|shows|so|that|then|to|until|when|which|with'
const PIECE = String.raw`"[^"]*"|'[^']*'|\\.|[^\s;,()"'\\]|,(?=[^\s;,()"'])`
// A word after a flag is its value, whatever it is.
const WORD = String.raw`(?:(?<= --?(?!help )[\w-]+ )|(?!(?:${SENTENCE})(?:[ ;)]|$)))(?:${PIECE})+`
// What the service says is quoted in our sentences, and a command in it is none of ours.
const COMMAND = new RegExp(String.raw`(?<=^|[\s(=])"[^"]*"|\bpartner(?: ${WORD})+`, 'g')

/** Finds the commands of partner in a sentence of ours. */
export function suggestedIn(text: string): Suggested[] {
  return [...text.matchAll(COMMAND)].flatMap(({ 0: found, index }) => {
    if (found.startsWith('"')) return []
    const command = found.replace(/[?!:.]+$/, '')
    return [{ from: index, to: index + command.length, words: shellWords(command).slice(1) }]
  })
}

/** Splits a command as a shell does, and removes its quotes. */
function shellWords(command: string): string[] {
  return (command.match(new RegExp(`(?:${PIECE})+`, 'g')) ?? []).map((word) =>
    word.replace(new RegExp(PIECE, 'g'), (piece) =>
      /^["']/.test(piece) ? piece.slice(1, -1) : piece.replace(/^\\(?=.)/, ''),
    ),
  )
}
