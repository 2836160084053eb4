import { createHmac, createSecretKey } from 'node:crypto'
import { countBodies } from './body-mistakes.ts'
import { FORMULA, type Layout, RIGHT_LAYOUT, WRONG_LAYOUTS } from './layouts.ts'
import { listSecretChanges, type OtherSecret } from './secret-mistakes.ts'
import type { SigningInput } from './signature.ts'
import { listUrlChanges, normalizeUrl } from './url-mistakes.ts'
import { type Change, type Count, type Counted, type Mistake, makePairs, makeSingles, type Variant } from './variant.ts'
import { readWrittenForms } from './written-forms.ts'

/** The mistakes that lead to the signature that was given. */
export interface Explanation {
  /** One or more, each as a clause. The secret is in none. */
  readonly mistakes: readonly string[]
  /** What to do in their place: one line without a full stop, and without the secret. */
  readonly correction: string
}

/** The largest body for which two mistakes at once are tried: there are thousands of pairs. */
export const MAX_PAIR_BYTES = 64 * 1024

/** Hashes by the length of their digest, in bytes. */
const HASHES = new Map([
  [20, 'sha1'],
  [32, 'sha256'],
  [64, 'sha512'],
])

/** What can be signed, by the number of mistakes in it. */
interface Signable {
  readonly layouts: Counted<Layout>
  readonly secrets: Counted<Variant>
  readonly urls: Counted<Variant>
  readonly bodies: Counted<Variant>
}

/** How two mistakes can be spread over layout, secret, URL and body. */
const SPREADS = listSpreads()

/**
 * Finds the mistake that explains a signature which does not verify. It makes the usual mistakes and compares the result:
 * parts in the wrong order or left out, line breaks, JSON written again, a slash or query of the URL, the secret decoded, with
 * white space, or another one of `others`. Tries one mistake, then every two. However the signature is written, and with
 * which hash it was made, is found besides. Null when nothing fits, or when the signature is right.
 * Source: Authentication, "HMAC signature (partner inbound endpoints)".
 */
export function explainMismatch(
  given: string,
  signed: SigningInput,
  others: readonly OtherSecret[] = [],
): Explanation | null {
  const readings = readWrittenForms(given).flatMap(({ digest, mistakes }) => {
    const hash = HASHES.get(digest.length)
    return hash === undefined ? [] : [{ digest, hash, mistakes: [...mistakes, ...wrongHash(hash)] }]
  })
  if (readings.length === 0) return null
  const mayHaveTwo = signed.body.length <= MAX_PAIR_BYTES
  const signable = listSignable(signed, others, mayHaveTwo)
  for (const spread of SPREADS) {
    if (!mayHaveTwo && spread.sum === 2) break
    for (const { digest, hash, mistakes } of readings) {
      const found = findMistakes(digest, hash, spread, signable)
      if (found !== null) return explain([...found, ...mistakes])
    }
  }
  return null
}

function listSignable(
  { body, url, secret }: SigningInput,
  others: readonly OtherSecret[],
  thorough: boolean,
): Signable {
  return {
    layouts: (count) => [[RIGHT_LAYOUT], WRONG_LAYOUTS, []][count] ?? [],
    secrets: countChanges(Buffer.from(secret).toString('latin1'), listSecretChanges(others)),
    urls: countChanges(url, listUrlChanges(url), [normalizeUrl(url)]),
    bodies: countBodies(body, thorough),
  }
}

/** Of `late`, what is several mistakes in one: it is tried behind all pairs. */
function countChanges(right: string, changes: readonly Change[], late: readonly Change[] = []): Counted<Variant> {
  const singles = makeSingles(right, changes)
  const pairs = [...makePairs(right, singles, changes), ...makeSingles(right, late)]
  const byCount = [[{ text: right, mistakes: [] }], singles, pairs]
  return (count) => byCount[count] ?? []
}

type Spread = Readonly<Record<keyof Signable | 'sum', Count>>

function listSpreads(): Spread[] {
  const spreads: Spread[] = []
  const counts = [0, 1, 2] as const
  for (const layouts of [0, 1] as const)
    for (const urls of counts)
      for (const bodies of counts)
        for (const secrets of counts) {
          const sum = layouts + secrets + urls + bodies
          if (sum <= 2) spreads.push({ sum: sum as Count, layouts, secrets, urls, bodies })
        }
  return spreads.sort((a, b) => a.sum - b.sum || b.layouts - a.layouts)
}

function findMistakes(digest: Buffer, hash: string, spread: Spread, signable: Signable): Mistake[] | null {
  const secrets = [...signable.secrets(spread.secrets)].map(({ text, mistakes }) => ({
    mistakes,
    // With a plain key, most of the time would go into making it ready, again and again.
    key: createSecretKey(text, 'latin1'),
  }))
  const urls = [...signable.urls(spread.urls)].map(({ text, mistakes }) => ({ mistakes, bytes: Buffer.from(text) }))
  for (const body of signable.bodies(spread.bodies)) {
    const bytes = Buffer.from(body.text, 'latin1')
    for (const layout of signable.layouts(spread.layouts)) {
      for (const secret of secrets) {
        for (const url of urls) {
          const hmac = createHmac(hash, secret.key)
          for (const part of layout.parts(bytes, url.bytes)) hmac.update(part)
          if (hmac.digest().equals(digest))
            return [...layout.mistakes, ...secret.mistakes, ...body.mistakes, ...url.mistakes]
        }
      }
    }
  }
  return null
}

function wrongHash(hash: string): Mistake[] {
  if (hash === 'sha256') return []
  const name = hash.replace('sha', 'SHA-')
  return [{ what: `${name} was used in place of SHA-256`, instead: `use SHA-256: ${FORMULA}` }]
}

function explain(mistakes: readonly Mistake[]): Explanation | null {
  if (mistakes.length === 0) return null
  return {
    mistakes: mistakes.map(({ what }) => what),
    correction: [...new Set(mistakes.map(({ instead }) => instead))].join('; '),
  }
}
