import { expect, test } from 'vitest'
import {
  HIDDEN,
  hideSecrets,
  hideSecretsInBytes,
  maskSecret,
  redactBody,
  redactHeaders,
} from '../../src/redaction/redaction.ts'

test.each([
  ['sk_live_abcdef1234', '••••1234'],
  ['123456789012', '••••9012'],
  ['12345678901', '••••'],
  ['abc', '••••'],
  ['', '••••'],
  ['long-enough-secret-\x1b[m', '••••'],
])('the secret %j is shown as %s', (secret, shown) => expect(maskSecret(secret)).toBe(shown))

test('headers that open something are hidden, those named besides too, and others are left alone', () => {
  const headers = { 'x-api-key': 'a', cookie: 'b', 'x-security-token': 'c', 'x-partner-signature': 'd', accept: '*/*' }
  expect(redactHeaders(headers, ['x-partner-signature'])).toEqual({
    'x-api-key': HIDDEN,
    cookie: HIDDEN,
    'x-security-token': HIDDEN,
    'x-partner-signature': HIDDEN,
    accept: '*/*',
  })
})

test('headers are masked in the way that is asked for', () => {
  expect(redactHeaders({ authorization: 'Bearer abcdefgh1234' }, [], maskSecret)).toEqual({
    authorization: '••••1234',
  })
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
])('the body %s is shown as %s', (body, shown) => expect(redactBody(body)).toBe(shown))

test('a known secret is hidden however a text writes it', () => {
  const secret = 'line\nbreak "quoted"'
  const text = `${secret}, ${encodeURIComponent(secret)}, ${JSON.stringify(secret)}`
  expect(hideSecrets(text, [secret])).toBe(`${HIDDEN}, ${HIDDEN}, "${HIDDEN}"`)
})

test('secrets in text that is encoded already are hidden in every written form, and nothing else changes', () => {
  const secret = 'k"ey/1é34'
  const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret), JSON.stringify(JSON.stringify(secret))]
  for (const form of forms) {
    const text = `{"note":"ü ${form} 🍷"}`
    expect(Buffer.from(hideSecretsInBytes(Buffer.from(text), ['another1', secret])).toString()).toBe(
      hideSecrets(text, [secret]),
    )
    expect(hideSecrets(text, [secret])).not.toContain('ey/1')
  }
  const clean = Buffer.from('{"note":"ü k\\"ey 🍷"}')
  expect(hideSecretsInBytes(clean, [secret])).toBe(clean)
})
