import type { Mistake } from './variant.ts'

/** The largest body that is tried as rewritten JSON: 1 MiB. */
const MAX_JSON_BYTES = 1024 ** 2

/** Lists what usually happens to a body between sending and signing. */
export function listBodyMistakes(body: Uint8Array): Mistake[] {
  // latin1 keeps every byte as it is, whatever the encoding of the body.
  const text = Buffer.from(body).toString('latin1')
  const unix = text.replaceAll('\r\n', '\n')
  const changed: [string, string][] = [
    ['the body was signed with a line break added at its end', `${text}\n`],
    ['the body was signed with a line break (CR LF) added at its end', `${text}\r\n`],
    ['the body was signed without the line break at its end', text.replace(/\r?\n$/, '')],
    ['the body was signed with LF line breaks in place of CR LF', unix],
    ['the body was signed with CR LF line breaks in place of LF', unix.replaceAll('\n', '\r\n')],
    [
      'the body was signed without the white space around it',
      text.replace(/^[\t\n\r ]+/, '').replace(/[\t\n\r ]+$/, ''),
    ],
  ]
  return [
    ...changed.map(([mistake, bytes]): Mistake => [mistake, Buffer.from(bytes, 'latin1')]),
    ...listJsonMistakes(body),
  ]
}

/** Lists ways to parse the body and write it again, as code does that gets only the parsed body from its framework. */
function listJsonMistakes(body: Uint8Array): Mistake[] {
  if (body.length > MAX_JSON_BYTES) return []
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    const spaced = JSON.stringify(value, null, 1)
      .replace(/,\n\s*/g, ', ')
      .replace(/\n\s*/g, '')
    const again = 'the body was parsed and written again before it was signed'
    return [
      [`${again}, without white space`, JSON.stringify(value)],
      [`${again}, indented by 2`, JSON.stringify(value, null, 2)],
      [`${again}, indented by 4`, JSON.stringify(value, null, 4)],
      [`${again}, with spaces after commas and colons`, spaced],
      [`${again}, with spaces after commas and colons and non-ASCII letters escaped`, escapeNonAscii(spaced)],
      [`${again}, with non-ASCII letters escaped`, escapeNonAscii(JSON.stringify(value))],
    ]
  } catch {
    return []
  }
}

function escapeNonAscii(text: string): string {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
