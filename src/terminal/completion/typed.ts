/** The word that is being typed, as far as the cursor. */
export interface Typed {
  /** What it means so far: without quotes and backslashes. */
  readonly value: string
  /** The quote that is open at the cursor; '' for none. */
  readonly quote: '' | '"' | "'"
  /** How much of the value stands before the text that the shell puts a completion in place of. In characters. */
  readonly kept: number
}

/** A command line up to the cursor. */
export interface TypedLine {
  /** The words before the one that is typed, the name of the program first. */
  readonly before: readonly string[]
  readonly current: Typed
}

const NOTHING: Typed = { value: '', quote: '', kept: 0 }

/**
 * Splits a line as bash does. Nothing in it is expanded: a word with a `$` is not what the program will get, and is left alone.
 * @param breaks the characters, beside blanks, that begin a new word for readline (COMP_WORDBREAKS).
 */
export function readLine(line: string, breaks: string): TypedLine {
  const before: string[] = []
  let at = 0
  for (;;) {
    while (/\s/.test(line[at] ?? '')) at++
    const { word, end } = readWord(line, at, breaks)
    if (end >= line.length) return { before, current: word }
    before.push(word.value)
    at = end
  }
}

/** A single word as it stands on the line, in quotes or not. */
export function readTyped(raw: string): Typed {
  return raw === '' ? NOTHING : readWord(raw, 0, '', true).word
}

function readWord(line: string, from: number, breaks: string, isWhole = false): { word: Typed; end: number } {
  let value = ''
  let quote: Typed['quote'] = ''
  let opened = 0
  let kept = 0
  let at = from
  for (; at < line.length; at++) {
    const letter = line[at] as string
    if (letter === '\\' && quote !== "'") {
      const next = line[at + 1]
      // In double quotes, a backslash before any other character stands for itself.
      if (next !== undefined && (quote === '' || '"\\$`'.includes(next))) {
        value += next
        at++
      } else if (next !== undefined) value += letter
    } else if (quote !== '') {
      if (letter === quote) quote = ''
      else value += letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      opened = value.length
    } else if (/\s/.test(letter) && !isWhole) break
    else {
      value += letter
      // An @ begins a word, too, but stays a part of it.
      if (breaks.includes(letter)) kept = value.length - (letter === '@' ? 1 : 0)
    }
  }
  return { word: { value, quote, kept: quote === '' ? kept : opened }, end: at }
}
