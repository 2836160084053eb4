import { expect, test } from 'vitest'
import { HIDDEN, hideSecrets, maskSecret, redactBody, redactHeaders } from '../../../src/base/redaction/redaction.ts'

test.each([
  ['sk_live_abcdef1234', '••••1234'],
  ['123456789012', '••••9012'],
  ['12345678901', '••••'],
  ['abc', '••••'],
  ['', '••••'],
  ['long-enough-secret-\x1b[m', '••••'],
])('maskSecret shows the secret %j as %s', (secret, shown) => expect(maskSecret(secret)).toBe(shown))

test('redactHeaders hides only credential headers and the headers that the caller names', () => {
  const headers = { 'x-api-key': 'a', cookie: 'b', 'x-security-token': 'c', 'x-partner-signature': 'd', accept: '*/*' }
  expect(redactHeaders(headers, ['x-partner-signature'])).toEqual({
    'x-api-key': HIDDEN,
    cookie: HIDDEN,
    'x-security-token': HIDDEN,
    'x-partner-signature': HIDDEN,
    accept: '*/*',
  })
})

test("redactHeaders uses the caller's function to hide values", () => {
  expect(redactHeaders({ authorization: 'Bearer abcdefgh1234' }, [], maskSecret)).toEqual({ authorization: '••••1234' })
})

test.each([
  ['{"securityKey": "one", "event": "two"}', `{"securityKey": "${HIDDEN}", "event": "two"}`],
  ['{"API_KEY":12345678}', `{"API_KEY":"${HIDDEN}"}`],
  ['{"password":"a \\"quoted\\" one"}', `{"password":"${HIDDEN}"}`],
  ['{"securityToken":["a ] complaint","another"],"a":1}', `{"securityToken":"${HIDDEN}","a":1}`],
  ['{"password":{"old":"one","new":2}}', `{"password":"${HIDDEN}"}`],
  ['{"password":["cut off in the mid', `{"password":"${HIDDEN}"`],
  ['{"securityToken":"cut off in the mid', `{"securityToken":"${HIDDEN}"`],
  ['{"cardNumber":"GIFT1-00000100-AAAA"}', '{"cardNumber":"GIFT1-00000100-AAAA"}'],
])('redactBody shows %s as %s', (body, shown) => expect(redactBody(body)).toBe(shown))

test('hideSecrets hides a secret in plain text, in a URL and in JSON', () => {
  const secret = 'line\nbreak "quoted"'
  const text = `${secret}, ${encodeURIComponent(secret)}, ${JSON.stringify(secret)}`
  expect(hideSecrets(text, [secret])).toBe(`${HIDDEN}, ${HIDDEN}, "${HIDDEN}"`)
})

test.each([
  ['JSON', (secret: string) => JSON.stringify(secret).slice(1, -1)],
  ['JSON within JSON', (secret: string) => JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['a URL', encodeURIComponent],
  ['a URL encoded twice', (secret: string) => encodeURIComponent(encodeURIComponent(secret))],
  ['Unicode escapes', (secret: string) => unicodeEscaped(secret)],
  ['Unicode escapes in upper case', (secret: string) => unicodeEscaped(secret).toUpperCase().replaceAll('U', 'u')],
])('hideSecrets hides a secret that is encoded as %s and changes nothing else', (_name, written) => {
  const secret = 'k"ey/1\\é34🍷%x'
  const text = `ü 10% \\u00e9\\n ${written(secret)} 🍷`
  expect(hideSecrets(text, ['another1', secret])).toBe(`ü 10% \\u00e9\\n ${HIDDEN} 🍷`)
  const clean = 'ü k"ey/1 k\\"ey 🍷'
  expect(hideSecrets(clean, [secret])).toBe(clean)
  const bytes = Buffer.from(clean)
  expect(hideSecrets(Buffer.from(text), ['another1', secret])).toBe(hideSecrets(text, ['another1', secret]))
  expect(hideSecrets(bytes, [secret])).toBe(bytes)
})

function unicodeEscaped(text: string): string {
  return Array.from({ length: text.length }, (_none, at) => text.charCodeAt(at).toString(16).padStart(4, '0'))
    .map((unit) => `\\u${unit}`)
    .join('')
}
