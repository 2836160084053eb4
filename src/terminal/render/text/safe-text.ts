/**
 * Escapes characters that a terminal would interpret, hide or reorder, such as control characters and invisible
 * characters.
 */

/**
 * Matches the characters that are escaped. Variation selectors and joiners are not escaped if they are part of a valid
 * letter or emoji sequence.
 */
const SUSPECT_CHARACTERS = [
  String.raw`\u0000-\u001f\u007f-\u009f`, // controls
  String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`, // bidirectional marks, overrides, isolates
  String.raw`\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\ufeff`, // zero-width
  String.raw`\u115f\u1160\u17b4\u17b5\u3164\uffa0`, // letters without a shape
  String.raw`\u2028\u2029\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}`, // line separators, invisible format
  String.raw`\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0000}-\u{e0fff}`, // variation selectors, tags
  String.raw`\ud800-\udfff`, // lone surrogates
].join('')

const SUSPECT = new RegExp(`[${SUSPECT_CHARACTERS}]`, 'u')
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' }

/**
 * Returns text on one line, with suspect characters escaped, for example as `\n` or `\u001b`. Joiners inside an emoji
 * are not escaped.
 */
export function terminalSafe(text: string): string {
  if (PRINTABLE_ASCII.test(text) || !SUSPECT.test(text)) return text
  return text.replace(wholeOrSuspect(), (found) => (isSingleSuspect(found) ? visible(found) : found))
}

/** Removes suspect characters. Tabs and line breaks become spaces, so that the words on both sides stay apart. */
export function withoutSuspects(text: string): string {
  if (PRINTABLE_ASCII.test(text) || !SUSPECT.test(text)) return text
  return text.replace(wholeOrSuspect(), (found) =>
    isSingleSuspect(found) ? (/[\t\n\r\u2028\u2029]/.test(found) ? ' ' : '') : found,
  )
}

const NO_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\p{Surrogate}/gu

/** Makes text safe for a file. Escapes lone surrogates and control characters, but not tabs and line breaks. */
export function fileSafe(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(NO_TEXT, escaped)
}

/** Splits text into lines, each of which is safe for a terminal. */
export function terminalSafeLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map(terminalSafe)
}

/** Escapes suspect characters in JSON as `\uXXXX`. Line feeds and tabs are unchanged. */
export function jsonTerminalSafe(json: string): string {
  if (!SUSPECT.test(json)) return json
  return json
    .replace(/\r\n?/g, '\n')
    .replace(wholeOrSuspect(), (found) =>
      isSingleSuspect(found) && found !== '\n' && found !== '\t' ? escaped(found) : found,
    )
}

let pattern: RegExp | undefined

/**
 * Matches either a valid sequence, which is not escaped, or a suspect character. The rules for joiners are in RFC 5892,
 * Appendix A.1 and A.2.
 */
function wholeOrSuspect(): RegExp {
  if (pattern) return pattern
  const picture = String.raw`\p{Extended_Pictographic}(?:[\ufe0e\ufe0f]|\p{Emoji_Modifier})?`
  const keptWhole = [
    String.raw`\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`,
    `${picture}(?:\\u200d${picture})*`,
    String.raw`[\p{Emoji}\p{S}][\ufe0e\ufe0f]`,
    String.raw`\p{Ideographic}[\ufe00-\ufe02\u{e0100}-\u{e01ef}]`,
    String.raw`\p{Script=Mongolian}[\u180b-\u180d\u180f]`,
    String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2][\u200c\u200d]`,
    String.raw`\p{Script=Arabic}\u200c(?=\p{Script=Arabic})`,
  ]
  pattern = new RegExp(`${keptWhole.join('|')}|[${SUSPECT_CHARACTERS}]`, 'gu')
  return pattern
}

function isSingleSuspect(found: string): boolean {
  return found.length <= 2 && [...found].length === 1 && SUSPECT.test(found)
}

function visible(character: string): string {
  const named = NAMED[character]
  if (named) return named
  return character.length === 1 ? escaped(character) : `\\u{${character.codePointAt(0)?.toString(16)}}`
}

function escaped(character: string): string {
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
