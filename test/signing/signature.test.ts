import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sign } from '../../src/signing/signature.ts'
import { verify } from '../../src/signing/verify.ts'
import { LIMIT_MS } from '../support/limit.ts'
import { skipWithout } from '../support/needs.ts'
import { OPENSSL } from '../support/openssl.ts'

const URL = 'https://partner.example.com/partners/acme/giftcards/redeem'
const CASE_2 = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
const bytes = (text: string) => Buffer.from(text)

describe('sign matches the RFC 4231 test vectors whose key is ASCII text', () => {
  test.each([
    [1, '\x0b'.repeat(20), bytes('Hi There'), 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
    [2, 'Jefe', bytes('what do ya want for nothing?'), CASE_2],
    [
      4,
      String.fromCharCode(...Array.from({ length: 25 }, (_, i) => i + 1)),
      Buffer.alloc(50, 0xcd),
      '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    ],
  ])('sign matches RFC 4231 test case %i', (_case, key, data, expected) => expect(sign(data, '', key)).toBe(expected))

  test('sign matches RFC 4231 test case 2 with its data split between the body and the URL', () =>
    expect(sign(bytes('what do ya want '), 'for nothing?', 'Jefe')).toBe(CASE_2))

  test('the first 128 bits of a signature match RFC 4231 test case 5', () =>
    expect(sign(bytes('Test With Truncation'), '', '\x0c'.repeat(20))).toMatch(/^a3b6167473100ee06e0c796c2955552b/))
})

test('sign computes the same signature as openssl', (context) => {
  skipWithout(context, OPENSSL)
  const directory = mkdtempSync(join(tmpdir(), 'partner-signing-'))
  try {
    const cases: [body: Buffer, url: string, secret: string][] = [
      [bytes('{"cardNumber":"ABCDE-12345678-WXYZ","amount":25.00}'), URL, 'sandbox-signing-secret'],
      [bytes(''), `${URL}?a=1&b=ü`, 'Schlüssel 🔑'],
      [Buffer.from([0xff, 0x00, 0x0d, 0x0a]), URL, 'k'.repeat(131)],
    ]
    for (const [body, url, secret] of cases) {
      const file = join(directory, 'signed')
      writeFileSync(file, Buffer.concat([body, bytes(url)]))
      const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${bytes(secret).toString('hex')}`, file]
      const printed = execFileSync('openssl', args, { encoding: 'utf8', timeout: LIMIT_MS })
      expect(printed.trim().endsWith(`= ${sign(body, url, secret)}`)).toBe(true)
    }
  } finally {
    rmSync(directory, { recursive: true })
  }
})

describe('verify checks signatures', () => {
  const signed = { body: bytes('{"a":1}'), url: URL, secret: 'top-secret' }
  const right = sign(signed.body, signed.url, signed.secret)

  test('verify accepts the correct signature', () => expect(verify(right, signed)).toEqual({ valid: true }))

  test.each([
    ['a signature with one digit changed', right.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'different'],
    ['a signature in upper case', right.toUpperCase(), 'upper-case'],
    ['a wrong signature in upper case', 'AB'.repeat(32), 'upper-case'],
    ['a signature with a digit missing', right.slice(1), 'wrong-length'],
    ['a signature with an extra digit', `${right}0`, 'wrong-length'],
    ['an empty signature', '', 'wrong-length'],
    ['a signature with a trailing line break', `${right}\n`, 'not-hex'],
    ['a signature in base64', Buffer.from(right, 'hex').toString('base64'), 'not-hex'],
    ['a signature with look-alike letters', right.replace(/[0-9a-f]/, 'а'), 'not-hex'],
  ])('verify rejects %s: %s', (_what, given, reason) => {
    const verdict = verify(given, signed)
    expect(verdict).toMatchObject({ valid: false, reason })
    expect(JSON.stringify(verdict)).not.toContain(signed.secret)
    expect(JSON.stringify(verdict)).not.toContain(right)
  })

  test.each([
    ['body', { ...signed, body: bytes('{"a":2}') }],
    ['URL', { ...signed, url: `${URL}/` }],
    ['secret', { ...signed, secret: 'top-secret ' }],
  ])('verify rejects a signature that was made with another %s', (_what, other) => {
    expect(verify(right, other)).toMatchObject({ valid: false, reason: 'different' })
  })
})
