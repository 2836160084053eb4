import { isUtf8 } from 'node:buffer'

const MAY_BE_CODED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|[A-Za-z0-9+/_-]{12}/i

/** Returns a text without JSON escapes, URL escapes and base64. Only forms that differ from the text. */
export function decodings(text: string): string[] {
  if (!MAY_BE_CODED.test(text)) return []
  const unescaped = text.replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return [unescaped, decodeUrls(text), decodeBase64(text)].filter((one) => one !== '' && one !== text)
}

/** Limited, as a long word without escapes would take quadratic time. */
const ESCAPED = /[^\s"'<>%]{0,80}(?:%[0-9a-f]{2}[^\s"'<>%]{0,80})+/gi

/** Decodes the words of a text that have URL escapes. */
function decodeUrls(text: string): string {
  const words = [...text.matchAll(ESCAPED)].map(([word]) => word)
  return [...new Set(words)]
    .map((word) => word.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()))
    .join('\n')
}

const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g

/** Decodes base64 that contains text. */
function decodeBase64(text: string): string {
  const found = new Set<string>()
  for (const [run] of text.matchAll(BASE64)) {
    const bytes = Buffer.from(run, 'base64')
    // Most runs are words, not base64.
    if (isUtf8(bytes)) found.add(bytes.toString())
  }
  return [...found].join('\n')
}
