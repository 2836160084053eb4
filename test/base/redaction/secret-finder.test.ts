import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SecretFinder, type Span } from '../../../src/base/redaction/secret-finder.ts'
import { WrittenSecret } from '../../../src/base/redaction/written-secret.ts'

/** Finds secrets by trying each secret at every position. */
function findSlowly(text: Buffer, secrets: readonly string[]): Span[] {
  const written = secrets.map((secret) => new WrittenSecret(secret))
  const found: Span[] = []
  for (let start = 0; start < text.length; start++) {
    const end = Math.max(...written.map((secret) => secret.endAt(text, start)))
    if (end <= start) continue
    found.push({ start, end })
    start = end - 1
  }
  return found
}

const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

const WAYS: readonly ((char: string) => string)[] = [
  (char) => char,
  (char) => JSON.stringify(char).slice(1, -1),
  (char) => JSON.stringify(JSON.stringify(char).slice(1, -1)).slice(1, -1),
  (char) => `\\u${hex(char.charCodeAt(0), 4)}`,
  (char) => `\\\\u${hex(char.charCodeAt(0), 4).toUpperCase()}`,
  (char) => [...Buffer.from(char)].map((byte) => `%${hex(byte, 2).toUpperCase()}`).join(''),
  (char) => [...Buffer.from(char)].map((byte) => `%25${hex(byte, 2)}`).join(''),
]

const secret = fc.string({ unit: fc.constantFrom(...'abAB19_-%+/="\\\né\u20ac'), minLength: 6, maxLength: 12 })
const noise = fc.string({ unit: fc.constantFrom(...'abAB196%\\u02"nez/ é'), maxLength: 12 })

test.each([
  ['secrets with characters that JSON escapes', secret],
  ['keys of letters and digits', fc.string({ unit: fc.constantFrom(...'abAB19_'), minLength: 6, maxLength: 12 })],
])('SecretFinder finds the same spans as a search at every position: %s', (_name, secretOf) => {
  const secretsAndPieces = fc.array(secretOf, { minLength: 1, maxLength: 3 }).chain((secrets) => {
    const ways = fc.array(fc.nat(WAYS.length - 1), { minLength: 12, maxLength: 12 })
    const cut = fc.tuple(fc.constantFrom(...secrets), ways, fc.integer({ min: 3, max: 12 }))
    const written = cut.map(([one, how, length]) =>
      [...one]
        .slice(0, length)
        .map((char, at) => WAYS[how[at] ?? 0]?.(char))
        .join(''),
    )
    return fc.tuple(fc.constant(secrets), fc.array(fc.oneof(noise, written), { maxLength: 8 }))
  })
  fc.assert(
    fc.property(secretsAndPieces, ([secrets, pieces]) => {
      const text = Buffer.from(pieces.join(''))
      expect(new SecretFinder(secrets).find(text)).toEqual(findSlowly(text, secrets))
    }),
    { numRuns: 1000, seed: 27 },
  )
})
