import { createHmac } from 'node:crypto'
import type { SigningInput } from '../../src/signing/signature.ts'

/** The inputs to a signature, each of which a signer can get wrong. */
export interface Making {
  readonly urlFirst?: boolean
  readonly url: string
  readonly body: MadeBody
  readonly key: Buffer
  readonly hash?: string
  readonly write?: (digest: Buffer) => string
  readonly prefix?: string
}

export interface MadeBody {
  readonly value: unknown
  /**
   * The indentation of the JSON. `spaced` means a single line with a space after each comma and colon, as in Python.
   */
  readonly indent: number | 'spaced' | null
  readonly sorted?: boolean
  readonly slashes?: boolean
  readonly unicode?: boolean
  readonly crLf?: boolean
  readonly head?: string
  readonly tail?: string
  readonly empty?: boolean
}

/** A mistake, with its short name, the expected explanation, and a function that makes it. */
export type MadeMistake = readonly [called: string, named: string, make: (making: Making) => Making]

export function makeSignature(making: Making): string {
  const { urlFirst = false, url, body, key, hash = 'sha256', write = (digest) => digest.toString('hex') } = making
  const parts = [writeBody(body), Buffer.from(url)]
  const signed = Buffer.concat(urlFirst ? parts.reverse() : parts)
  return (making.prefix ?? '') + write(createHmac(hash, key).update(signed).digest())
}

/** Returns the correct input for checking the signature. */
export function toInput({ url, body, key }: Making): SigningInput {
  return { url, body: writeBody(body), secret: key.toString() }
}

/** Returns a function that makes a mistake by replacing text in the URL. */
export function inUrl(from: string | RegExp, to: string | ((found: string) => string)): MadeMistake[2] {
  return (making) => ({ ...making, url: making.url.replace(from, to as string) })
}

export function inBody(change: Partial<MadeBody> | ((body: MadeBody) => Partial<MadeBody>)): MadeMistake[2] {
  return (making) => ({
    ...making,
    body: { ...making.body, ...(typeof change === 'function' ? change(making.body) : change) },
  })
}

export function inKey(change: (key: string) => string | Buffer): MadeMistake[2] {
  return (making) => ({ ...making, key: Buffer.from(change(making.key.toString('latin1')) as string, 'latin1') })
}

function writeBody({ value, indent, head = '', tail = '', ...how }: MadeBody): Buffer {
  if (how.empty) return Buffer.alloc(0)
  let text = JSON.stringify(how.sorted ? sortDeep(value) : value, null, indent === 'spaced' ? 1 : (indent ?? undefined))
  if (indent === 'spaced') text = text.replace(/,\n */g, ', ').replace(/\n */g, '')
  if (how.slashes) text = text.replaceAll('/', '\\/')
  if (how.unicode) text = text.replaceAll('ë', '\\u00eb')
  const whole = head + text + tail
  return Buffer.from(how.crLf ? whole.replace(/\r?\n/g, '\r\n') : whole)
}

function sortDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortDeep)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortDeep(inner)]))
}
