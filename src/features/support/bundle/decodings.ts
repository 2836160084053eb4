import { isUtf8 } from 'node:buffer'

const MAY_BE_CODED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|[A-Za-z0-9+/_-]{12}/i

/**
 * Decodes a text's JSON escapes, URL escapes and base64, each separately. Returns up to three results, omitting those
 * that equal the text.
 */
export function decodings(text: string): string[] {
  if (!MAY_BE_CODED.test(text)) return []
  return [removeEscapes(text), decodeUrls(text), decodeBase64(text)].filter((one) => one !== '' && one !== text)
}

function removeEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/**
 * Matches a word with URL escapes. The pattern limits the lengths of its parts, because otherwise a long word without
 * escapes would take quadratic time.
 */
const ESCAPED = /[^\s"'<>%]{0,80}(?:%[0-9a-f]{2}[^\s"'<>%]{0,80})+/iy
const WORD_BEFORE = /[^\s"'<>%]{0,80}$/

/** Finds the words that contain URL escapes. The search starts at each `%`, so that long text without a `%` is fast. */
function findEscaped(text: string): Set<string> {
  const words = new Set<string>()
  let end = 0
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', Math.max(at + 1, end))) {
    const before = WORD_BEFORE.exec(text.slice(Math.max(end, at - 80), at))?.[0] ?? ''
    ESCAPED.lastIndex = at - before.length
    const word = ESCAPED.exec(text)?.[0]
    if (word === undefined) continue
    words.add(word)
    end = ESCAPED.lastIndex
  }
  return words
}

/** Decodes the words that contain URL escapes. */
function decodeUrls(text: string): string {
  return [...findEscaped(text)]
    .map((word) => word.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()))
    .join('\n')
}

const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g
/** Matches base64 that cannot be UTF-8 text, because its first byte is a continuation byte. */
const NO_TEXT = /^[g-v]/

/** Decodes the base64 strings that contain UTF-8 text. */
function decodeBase64(text: string): string {
  const found = new Set<string>()
  for (const run of text.match(BASE64) ?? []) {
    if (NO_TEXT.test(run)) continue
    const bytes = Buffer.from(run, 'base64')
    // Ordinary words match `BASE64` too, but few of them decode to valid UTF-8.
    if (isUtf8(bytes)) found.add(bytes.toString())
  }
  return [...found].join('\n')
}
