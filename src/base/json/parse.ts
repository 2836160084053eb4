import { attempt } from '../attempt.ts'

/** The default maximum nesting depth, in levels. Code that walks a parsed value might recurse once per level. */
export const MAX_DEPTH = 256

/**
 * Thrown for JSON that is nested too deeply. The message is a clause ("it is nested …") that fits into a longer
 * message.
 */
export class TooDeepError extends SyntaxError {
  override readonly name = 'TooDeepError'

  /** The position, counted from 1, at which the nesting exceeds the limit; `null` if unknown. */
  readonly place: { readonly line: number; readonly col: number } | null

  constructor(maxDepth: number, place: TooDeepError['place'] = null) {
    super(`it is nested more than ${maxDepth} levels deep`)
    this.place = place
  }
}

/**
 * Parses JSON from outside this process. Throws SyntaxError, or {@link TooDeepError} if it has more than `maxDepth`
 * levels.
 */
// biome-ignore lint/suspicious/noExplicitAny: the same type as JSON.parse.
export function parseJson(text: string, maxDepth: number = MAX_DEPTH): any {
  refuseTooDeep(text, maxDepth)
  return JSON.parse(text)
}

/** Parses JSON like {@link parseJson}, but returns `null` if the text is not JSON or is nested too deeply. */
// biome-ignore lint/suspicious/noExplicitAny: the same type as JSON.parse.
export function parseJsonOrNull(text: string): any {
  return attempt(() => parseJson(text), null)
}

/**
 * Checks the nesting depth before the text is parsed, so that code that walks the value cannot overflow the stack.
 * Throws {@link TooDeepError}.
 */
export function refuseTooDeep(text: string, maxDepth: number = MAX_DEPTH): void {
  // Text this short cannot contain more than `maxDepth` pairs of brackets.
  if (text.length <= 2 * maxDepth || !hasMore(text, maxDepth)) return
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22 /* " */) at = findStringEnd(text, at) - 1
    else if (code === 0x5b /* [ */ || code === 0x7b /* { */) {
      if (++depth > maxDepth) throw new TooDeepError(maxDepth)
    } else if (code === 0x5d || code === 0x7d) depth--
  }
}

/**
 * Returns whether a text has more than `brackets` opening brackets, counting those inside strings. Much faster than a
 * full scan.
 */
function hasMore(text: string, brackets: number): boolean {
  let left = brackets
  for (const bracket of '{[')
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return true
  return false
}

/**
 * Returns the index after the string that begins at `from`, or the length of the text if the closing quote is missing.
 */
export function findStringEnd(text: string, from: number): number {
  let quote = text.indexOf('"', from + 1)
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote < 0 ? text.length : quote + 1
}

/** Returns whether a quote is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, quote: number): boolean {
  let at = quote - 1
  while (text.charCodeAt(at) === 0x5c) at--
  return (quote - at) % 2 === 0
}
