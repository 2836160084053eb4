import { createHmac, createSecretKey } from 'node:crypto'
import { countBodies } from './body-mistakes.ts'
import { listSecretChanges, type OtherSecret } from './secret-mistakes.ts'
import type { SigningInput } from './signature.ts'
import { listUrlChanges, normalizeUrl } from './url-mistakes.ts'
import { type Change, type Count, type Counted, type Mistake, makePairs, makeSingles, type Variant } from './variant.ts'

/** Explains a wrong signature by listing the mistakes that would produce it. */
export interface Explanation {
  /** A clause for each mistake. No clause contains the secret. */
  readonly mistakes: readonly string[]
  /** The correction as one line without a full stop. It does not contain the secret. */
  readonly correction: string
}

/**
 * The maximum body size for which pairs of mistakes are tried. There are thousands of pairs, so a larger body would
 * take too long.
 */
export const MAX_PAIR_BYTES = 64 * 1024

/** The supported hash functions, by digest length in bytes. */
const HASHES: Readonly<Record<number, string>> = { 20: 'sha1', 32: 'sha256', 64: 'sha512' }

type Texts = Readonly<Record<'secrets' | 'urls' | 'bodies', Counted<Variant>>>
type Signable = Texts & { readonly layouts: Counted<Layout> }

/** All combinations of up to two mistakes in the layout, the secret, the URL and the body. */
const SPREADS = listSpreads()

/**
 * Finds one or two common mistakes that explain a wrong signature, such as parts in the wrong order, a line break,
 * rewritten JSON, or a changed URL or secret. Also tries the secrets in `others`, other encodings and other hash
 * functions. Returns `null` if no mistake explains the signature or if it is correct. Source: Authentication, "HMAC
 * signature (partner inbound endpoints)".
 */
export function explainMismatch(given: string, signed: SigningInput, others: readonly OtherSecret[] = []) {
  const readings = readWrittenForms(given).flatMap(({ digest, mistakes }) => {
    const hash = HASHES[digest.length]
    return hash === undefined ? [] : [{ digest, hash, mistakes: [...mistakes, ...wrongHash(hash)] }]
  })
  if (readings.length === 0) return null
  const mayHaveTwo = signed.body.length <= MAX_PAIR_BYTES
  const signable = toSignable(signed, others, mayHaveTwo)
  for (const spread of SPREADS) {
    if (!mayHaveTwo && spread.sum === 2) break
    for (const { digest, hash, mistakes } of readings) {
      const found = findMistakes(digest, hash, spread, signable)
      if (found !== null) return explain([...found, ...mistakes])
    }
  }
  return null
}

function toSignable({ body, url, secret }: SigningInput, others: readonly OtherSecret[], thorough: boolean): Signable {
  return {
    layouts: (count) => [[RIGHT_LAYOUT], WRONG_LAYOUTS, []][count] ?? [],
    secrets: countChanges(Buffer.from(secret).toString('latin1'), listSecretChanges(others)),
    urls: countChanges(url, listUrlChanges(url), [normalizeUrl(url)]),
    bodies: countBodies(body, thorough),
  }
}

/**
 * Groups the variants of a text by their number of mistakes. Each change in `late` combines several mistakes, so it
 * counts as two and is tried last.
 */
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
    // Creates each key only once, because creating it for each HMAC would take most of the time.
    key: createSecretKey(text, 'latin1'),
  }))
  const urls = [...signable.urls(spread.urls)].map(({ text, mistakes }) => ({ mistakes, bytes: Buffer.from(text) }))
  for (const body of signable.bodies(spread.bodies)) {
    const bytes = Buffer.from(body.text, 'latin1')
    for (const layout of signable.layouts(spread.layouts))
      for (const secret of secrets)
        for (const url of urls) {
          const hmac = createHmac(hash, secret.key)
          for (const part of layout.parts(bytes, url.bytes)) hmac.update(part)
          if (hmac.digest().equals(digest))
            return [...layout.mistakes, ...secret.mistakes, ...body.mistakes, ...url.mistakes]
        }
  }
  return null
}

function wrongHash(hash: string): Mistake[] {
  if (hash === 'sha256') return []
  const name = hash.replace('sha', 'SHA-')
  return [{ what: `${name} was used instead of SHA-256`, instead: `use SHA-256: ${FORMULA}` }]
}

function explain(mistakes: readonly Mistake[]): Explanation | null {
  if (mistakes.length === 0) return null
  return {
    mistakes: mistakes.map(({ what }) => what),
    correction: [...new Set(mistakes.map(({ instead }) => instead))].join('; '),
  }
}

/** A decoded signature, with its format mistakes. A format mistake is any difference from lowercase hexadecimal. */
type WrittenForm = { readonly digest: Buffer; readonly mistakes: readonly Mistake[] }

const AS_HEX = 'write the signature as 64 lowercase hexadecimal digits'

function readWrittenForms(given: string): WrittenForm[] {
  const rest = given.trim()
  const around =
    rest === given ? [] : [{ what: 'there is whitespace around the signature', instead: `${AS_HEX} alone` }]
  // Text that looks like a prefix can also be the beginning of a base64 signature.
  const prefix = /^(?:0x|[\w-]{1,40}[=:] ?)(?=.{16})/i.exec(rest)?.[0] ?? ''
  const before = { what: `the signature begins with ${JSON.stringify(prefix)}`, instead: `${AS_HEX} alone` }
  const behind = prefix === '' ? [] : readDigits(rest.slice(prefix.length), [...around, before])
  return [...readDigits(rest, around), ...behind]
}

function readDigits(text: string, mistakes: readonly Mistake[]): WrittenForm[] {
  const upper = { what: 'the signature is in upper case', instead: AS_HEX }
  const isLower = text === text.toLowerCase()
  if (HEX.test(text)) return [{ digest: Buffer.from(text, 'hex'), mistakes: isLower ? mistakes : [...mistakes, upper] }]
  if (!/^[\w+/-]+={0,2}$/.test(text)) return []
  const digest = Buffer.from(text, 'base64')
  const hex = digest.toString('latin1')
  const base64 = (what: string) => ({ what: `the signature is encoded in ${what}`, instead: AS_HEX })
  if (!HEX.test(hex)) return [{ digest, mistakes: [...mistakes, base64('base64 instead of hexadecimal')] }]
  const twice = [...mistakes, base64('hexadecimal and then in base64')]
  return [{ digest: Buffer.from(hex, 'hex'), mistakes: hex === hex.toLowerCase() ? twice : [...twice, upper] }]
}

const HEX = /^(?:[\da-f]{2})+$/i

interface Layout {
  readonly mistakes: readonly Mistake[]
  readonly parts: (body: Buffer, url: Buffer) => readonly (Buffer | string)[]
}

const FORMULA = 'hmac_sha256(secret, body + url)'
const SEPARATORS = [' ', '.', ':', '|', ',', ';', '&', '+', '-', '_', '\0']
const NOTHING = 'put the URL directly after the body, with nothing in between'

const RIGHT_LAYOUT: Layout = { mistakes: [], parts: (body, url) => [body, url] }

const WRONG_LAYOUTS: readonly Layout[] = [
  layout('the URL was prepended to the body', 'put the body first, then the URL', (body, url) => [url, body]),
  layout('only the body was signed, without the URL', 'put the URL after the body', (body) => [body]),
  layout('only the URL was signed, without the body', 'put the body before the URL', (_body, url) => [url]),
  ...SEPARATORS.map((mark) =>
    layout(`${JSON.stringify(mark)} was inserted between the body and the URL`, NOTHING, (body, url) => [
      body,
      mark,
      url,
    ]),
  ),
  // A line break between the body and the URL is the same mistake as a line break added to the body, so it is omitted
  // here.
  ...['\n', '\r\n', ...SEPARATORS].map((mark) =>
    layout(`the URL and ${JSON.stringify(mark)} were prepended to the body`, NOTHING, (body, url) => [url, mark, body]),
  ),
]

function layout(what: string, instead: string, parts: Layout['parts']): Layout {
  return { mistakes: [{ what, instead: `${instead}: ${FORMULA}` }], parts }
}
