import { isUtf8 } from 'node:buffer'

const MAY_BE_CODED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|[A-Za-z0-9+/_-]{12}/i

/** What stands in a text once what hides its letters is taken off. */
export function decodings(text: string): string[] {
  if (!MAY_BE_CODED.test(text)) return []
  const unescaped = text.replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  const decoded = [unescaped, decodeUrls(text), decodeBase64(text)]
  return decoded.filter((one) => one !== '' && one !== text)
}

/** With a limit, as a long word without escapes would be looked through from each of its letters on. */
const ESCAPED = /[^\s"'<>%]{0,80}(?:%[0-9a-f]{2}[^\s"'<>%]{0,80})+/gi

/** Those words of a text that have escapes of a URL, without them. */
function decodeUrls(text: string): string {
  const words = [...text.matchAll(ESCAPED)].map(([word]) => word)
  return [...new Set(words)]
    .map((word) => word.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString()))
    .join('\n')
}

const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g

/** What stands in a text in base64, where that is text again. */
function decodeBase64(text: string): string {
  const found = new Set<string>()
  for (const [run] of text.matchAll(BASE64)) {
    const bytes = Buffer.from(run, 'base64')
    // Most runs are words, and no base64.
    if (isUtf8(bytes)) found.add(bytes.toString())
  }
  return [...found].join('\n')
}
