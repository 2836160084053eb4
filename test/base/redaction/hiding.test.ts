import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openHiding } from '../../../src/base/redaction/hiding.ts'
import { HIDDEN } from '../../../src/base/redaction/redaction.ts'

/**
 * Hides secrets in a body that arrives in chunks of the given lengths. The last length applies to all remaining chunks.
 */
function hidden(body: string, secrets: readonly string[], lengths: readonly number[]): string {
  const hiding = openHiding(secrets)
  if (hiding === null) return body
  const bytes = Buffer.from(body)
  const parts: Uint8Array[] = []
  for (let from = 0, turn = 0; from < bytes.length; turn++) {
    const length = lengths[Math.min(turn, lengths.length - 1)] ?? 1
    parts.push(Buffer.from(hiding.push(bytes.subarray(from, from + length))))
    from += length
  }
  parts.push(hiding.end())
  return Buffer.concat(parts).toString()
}

const WAYS: readonly ((char: string) => string)[] = [
  (char) => JSON.stringify(char).slice(1, -1),
  (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  (char) => `\\\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  (char) => encodeURIComponent(char).replace(/^[^%]$/, (plain) => `%${plain.charCodeAt(0).toString(16)}`),
]

const key = fc
  .string({ unit: fc.constantFrom(...'aAbB19_-%+/="\\'), minLength: 6, maxLength: 40 })
  .filter((secret) => !secret.includes('\\\\'))
const lengths = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 20 })

test('openHiding hides a secret however it is escaped and wherever the chunk boundaries fall', () => {
  const body = fc.tuple(key, fc.array(fc.nat(3), { minLength: 40, maxLength: 40 })).map(([secret, ways]) => {
    return { secret, written: [...secret].map((char, at) => WAYS[ways[at] ?? 0]?.(char)).join('') }
  })
  fc.assert(
    fc.property(body, lengths, ({ secret, written }, cuts) => {
      const around = (text: string) => `[{"a":"x\\u00e9 ${text}|","people":2},{"${text}":null}]`
      expect(hidden(around(written), [secret, 'another-secret-of-the-session'], cuts)).toBe(around(HIDDEN))
    }),
    { numRuns: 500 },
  )
})

test('openHiding passes each chunk on immediately and unchanged if the body contains no secrets', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abAB1\\u06%"é'), maxLength: 300 }), lengths, (body, cuts) => {
      expect(hidden(body, ['zz9-not-in-any-body'], cuts)).toBe(Buffer.from(body).toString())
    }),
  )
  const chunk = Buffer.from('{"a":"10% \\u00e9 k-live"}')
  expect(openHiding(['k-live-1234567890'])?.push(chunk)).toBe(chunk)
})

test('openHiding finds a secret of typical key length anywhere in a large chunk', () => {
  const secrets = ['sk_live_0123456789abcdef', 'a-signing-secret-of-the-session']
  const filler = 'sk_live_0123456789abcde,a-signing-secret-of-the-sessio;'.repeat(2000)
  for (const at of [0, 1, 5000, 70_001, filler.length])
    for (const secret of secrets) {
      const body = (text: string) => `${filler.slice(0, at)}${text}${filler.slice(at)}`
      expect(hidden(body(secret), secrets, [200_000])).toBe(body(HIDDEN))
    }
})

test('openHiding turns a number that contains a secret into a string, so that the JSON stays valid', () => {
  const body = '{"a":12345678,"b":"call 12345678, now","c":[-912345678.5, 1234567],"d":"\\"12345678"}'
  for (const length of [1, 2, 3, 7, 11, 500])
    expect(JSON.parse(hidden(body, ['12345678', 'abc12345'], [length]))).toEqual({
      a: HIDDEN,
      b: `call ${HIDDEN}, now`,
      c: [HIDDEN, 1234567],
      d: `"${HIDDEN}`,
    })
  expect(hidden('id 12345678, "x"', ['12345678'], [4])).toBe(`id ${HIDDEN}, "x"`)
  expect(hidden('[1, 2345, 6]', ['2345, 6'], [4])).toBe('[1, 2345, 6]')
})
