import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { explainMismatch } from '../../src/signing/explain.ts'
import { type SigningInput, sign } from '../../src/signing/signature.ts'

const SECRET = 'c2VjcmV0LWtleS0xMjM0'
const URL = 'https://partner.example.com/partners/acme/giftcards/redeem?test=1'
const BODY = '{"cardNumber": "ABCDE-12345678-WXYZ", "holder": "Zoë", "tags": [1, 2]}\r\n'

const request: SigningInput = { body: Buffer.from(BODY), url: URL, secret: SECRET }

const mac = (text: string, key: string | Buffer = SECRET, hash = 'sha256') =>
  createHmac(hash, key).update(text).digest('hex')

const mistakes = (given: string, signed = request) => explainMismatch(given, signed)?.mistakes

describe('explainMismatch finds single mistakes', () => {
  const right = mac(BODY + URL)
  test.each<[string, string]>([
    [mac(BODY), 'only the body was signed, without the URL'],
    [mac(`${BODY}.${URL}`), '"." was inserted between the body and the URL'],
    [mac(`${URL}|${BODY}`), 'the URL and "|" were prepended to the body'],
    [mac(BODY.trim() + URL), 'the body was signed without the trailing line break'],
    [mac(BODY.replace('\r\n', '\n') + URL), 'the body was signed with LF line breaks instead of CR LF'],
    [Buffer.from(right, 'hex').toString('base64url'), 'the signature is encoded in base64 instead of hexadecimal'],
    [Buffer.from(right).toString('base64'), 'the signature is encoded in hexadecimal and then in base64'],
    [`X-Partner-Signature: ${right}`, 'the signature begins with "X-Partner-Signature: "'],
    [`${right}\n`, 'there is whitespace around the signature'],
  ])('explainMismatch explains the signature %.12s…: %s', (given, mistake) =>
    expect(mistakes(given)).toEqual([mistake]),
  )
})

describe('explainMismatch with unusual secrets and bodies', () => {
  test("explainMismatch detects whitespace around the verifier's copy of the secret", () =>
    expect(mistakes(mac(BODY + URL), { ...request, secret: ` ${SECRET}\n` })).toEqual([
      'the secret was used without the surrounding whitespace',
    ]))

  test('explainMismatch accepts a body that is not text', () => {
    const body = Buffer.from([0xff, 0xfe, 0x0a])
    const given = createHmac('sha256', SECRET).update(body.subarray(0, 2)).update(URL).digest('hex')
    expect(mistakes(given, { ...request, body })).toEqual(['the body was signed without the trailing line break'])
  })
})

test('explainMismatch reports two mistakes of different kinds', () => {
  expect(mistakes(mac(URL.replace('?test=1', '') + BODY))).toEqual([
    'the URL was prepended to the body',
    'the URL was signed without its query',
  ])
  expect(mistakes(mac(BODY.trim(), SECRET).toUpperCase())).toEqual([
    'only the body was signed, without the URL',
    'the body was signed without the trailing line break',
    'the signature is in upper case',
  ])
})

test('explainMismatch returns null for a correct signature and for one that matches no common mistake', () => {
  expect(explainMismatch(sign(request.body, request.url, request.secret), request)).toBeNull()
  for (const given of [mac('something else'), '', 'abc', 'é'.repeat(64), createHash('md5').digest('hex')])
    expect(explainMismatch(given, request)).toBeNull()
})

test('an explanation never contains the secret', () => {
  const secret = ' s3cr3t-Wert '
  const found = explainMismatch(mac(BODY + URL, secret.trim()), { ...request, secret })
  expect(found?.mistakes).toHaveLength(1)
  expect(JSON.stringify(found)).not.toContain('s3cr3t')
})

describe('explainMismatch recognizes reserialized JSON', () => {
  const body = '{"total": 25.00, "note": "Zoë & Söhne", "url": "a/b", "ids": [1, 2.5], "more": {}}'
  const signed = { ...request, body: Buffer.from(body) }
  const compact = 'the body was parsed and reserialized without whitespace'

  const numbers = 'the numbers in the JSON body were rewritten (25.00 as 25)'
  const escaped = 'the non-ASCII letters in the JSON body were escaped (\\u00eb)'
  const php = [compact, 'the slashes in the JSON body were escaped (\\/)', escaped, numbers]
  const sorted = 'the members of the JSON body were sorted by name'
  const dotNet = 'special characters in the JSON body were escaped as in .NET (\\u002B)'

  test.each<[string, string, string[]]>([
    ['JavaScript', JSON.stringify(JSON.parse(body)), [compact, numbers]],
    ['PHP', '{"total":25,"note":"Zo\\u00eb & S\\u00f6hne","url":"a\\/b","ids":[1,2.5],"more":{}}', php],
    [
      'Python, sorted',
      '{"ids": [1, 2.5], "more": {}, "note": "Zo\\u00eb & S\\u00f6hne", "total": 25.0, "url": "a/b"}',
      [sorted, escaped, numbers.replace('as 25)', 'as 25.0)')],
    ],
    [
      '.NET',
      '{"total":25.00,"note":"Zo\\u00EB \\u0026 S\\u00F6hne","url":"a/b","ids":[1,2.5],"more":{}}',
      [compact, dotNet],
    ],
  ])('explainMismatch recognizes JSON as serialized by %s', (_language, written, named) => {
    expect(mistakes(mac(written + URL), signed)).toEqual(named)
  })

  test('explainMismatch recognizes reserialized JSON even if there is another mistake', () =>
    expect(mistakes(mac(URL + JSON.stringify(JSON.parse(body))), signed)).toHaveLength(3))

  test('explainMismatch accepts a body that is invalid JSON, is too deeply nested or is a single value', () => {
    for (const text of ['{"a":}', '{"a":1}}', '['.repeat(50_000) + ']'.repeat(50_000), '"x"', '12'])
      expect(mistakes(mac(`${URL}${text}`), { ...request, body: Buffer.from(text) })).toEqual([
        'the URL was prepended to the body',
      ])
  })
})

test.each([
  ['http://h.example/Zoë?a=b c', 'http://h.example/Zo%C3%AB?a=b%20c', 'with invalid URL characters percent-encoded'],
  ['http://h.example/x?t=19:30&u=a/b', 'http://h.example/x?t=19%3A30&u=a%2Fb', 'with its query values percent-encoded'],
  ['http://h.example/x?t=19%3A30', 'http%3A%2F%2Fh.example%2Fx%3Ft%3D19%253A30', 'percent-encoded as a whole'],
  ['http://h.example/x?b=a%20c', 'http://h.example/x?b=a+c', 'with + instead of spaces in its query'],
  ['http://h.example/x?b=1&a=2', 'http://h.example/x?a=2&b=1', 'with its query parameters sorted'],
  ['http://h.example/x', 'http://h.example/x?', 'with an empty query (a trailing question mark)'],
  ['http://h.example/x?a#top', 'http://h.example/x?a', 'without its fragment'],
  ['http://h.example/a/../b c', 'http://h.example/b%20c', 'after a URL library had normalized it'],
  ['HTTP://h.example', 'http://h.example', 'with its scheme in lower case'],
])('explainMismatch explains that the URL %s was signed as %s', (url, signed, how) => {
  expect(mistakes(mac(BODY + signed), { ...request, url })).toEqual([`the URL was signed ${how}`])
})

test('explainMismatch recognizes an empty body that was signed as {} or null', () => {
  const empty = { ...request, body: Buffer.alloc(0) }
  expect(mistakes(mac(`{}${URL}`), empty)).toEqual(['the body was signed as {}, although it is empty'])
  expect(mistakes(mac(`${URL}null`), empty)).toEqual([
    'the URL was prepended to the body',
    'the body was signed as null, although it is empty',
  ])
})

test('explainMismatch does not mistake the start of a base64 string for a prefix', () => {
  const given = (key: number) =>
    createHmac('sha256', `${key}`)
      .update(URL + BODY)
      .digest('base64')
  const key = Array.from({ length: 100_000 }, (_, i) => i).find((i) => given(i).startsWith('0x')) ?? 0
  expect(mistakes(given(key), { ...request, secret: `${key}` })).toEqual([
    'the URL was prepended to the body',
    'the signature is encoded in base64 instead of hexadecimal',
  ])
})

test('two mistakes in the URL produce a single correction, which contains the complete URL', () => {
  expect(explainMismatch(mac(BODY + URL.replace('https', 'http').replace('?', '/?')), request)).toEqual({
    mistakes: ['the URL was signed with a slash added to its path', 'the URL was signed with http://'],
    correction: `sign this URL, byte for byte: "${URL}"`,
  })
})

test('explainMismatch can process a body of 16 MiB', () => {
  const body = Buffer.from(JSON.stringify({ notes: 'x'.repeat(16 * 1024 ** 2) }))
  expect(mistakes(createHmac('sha256', SECRET).update(URL).update(body).digest('hex'), { ...request, body })).toEqual([
    'the URL was prepended to the body',
  ])
  expect(explainMismatch(mac('something else'), { ...request, body })).toBeNull()
})
