import { zipSync } from 'fflate'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import { Cleaner } from './cleaning/cleaner.ts'
import { OwnText } from './cleaning/own-text.ts'
import { cleanDelivery, cleanEntry, learnEntry } from './cleaning/traffic.ts'
import type { LazyHarEntry } from './given/har.ts'
import { GrowingText } from './growing-text.ts'
import type { Content, Part } from './part.ts'
import { type Entry, refusal, scan } from './scan.ts'

export interface BundleRequest {
  /**
   * The parts, in the order in which they are collected. The traffic must be last, because it includes the requests
   * made to collect the other parts.
   */
  readonly parts: readonly Part[]
  /** Returns all known secrets. Called after all parts have been collected. */
  readonly secrets: () => Promise<readonly string[]>
  /** The home directory, or '' if there is none. */
  readonly home: string
  /** Called at the start of each step with the step's description, such as `collecting doctor.json`. */
  readonly onStep: (words: string) => void
  readonly signal: AbortSignal
  readonly version: string
  /** When the bundle is created, in milliseconds since 1970. */
  readonly madeMs: number
  /** The period that the bundle covers, such as `1h`, or `null` for everything. */
  readonly last: string | null
}

/** The file that describes the other files. */
export const README = { name: 'README.txt', about: 'the contents, and how guests are replaced' } as const

/**
 * Collects the parts, cleans them, and searches the result for sensitive data. In the returned value, `missing` lists
 * the parts that could not be collected. Throws INTERNAL if the result contains anything that must not leave this
 * machine. Also throws Interrupted.
 */
export async function makeBundle(request: BundleRequest) {
  const { signal, onStep } = request
  const collected: (Named & { readonly content: Content })[] = []
  const failed: (Named & { readonly error: unknown })[] = []
  for (const part of request.parts) {
    const { name, about } = part
    onStep(`collecting ${name}`)
    try {
      const content = await part.collect()
      if (content !== null) collected.push({ name, about, content })
    } catch (error) {
      if (error instanceof Interrupted || signal.aborted) throw error
      failed.push({ name, about, error })
    }
  }
  const cleaner = new Cleaner()
  for (const secret of await request.secrets()) cleaner.known.learnSecret(secret)
  const own = new OwnText(cleaner, request.home)
  onStep('replacing guests')
  for (const { content } of collected) await learn(content, cleaner, own, signal)
  const files: (Named & Entry)[] = []
  for (const { name, about, content } of collected)
    files.push({ name, about, bytes: await clean(content, cleaner, own, signal) })
  const missing = failed.map(({ name, about, error }) => ({ name, about, problem: own.text(firstLine(error)) }))
  const first = { ...README, bytes: Buffer.from(readme([README, ...files], missing, request)) }
  const entries = [first, ...files]
  onStep('searching the bundle')
  const findings = scan(entries, cleaner.known)
  if (findings.length > 0) throw refusal(findings)
  const packed = entries.map(({ name, about, bytes }) => ({ name, about, bytes: bytes.byteLength }))
  return { entries, packed, missing }
}

type Named = Pick<Part, 'name' | 'about'>

/** Collects the guests' data that a part contains. Throws the signal's reason if the signal is aborted. */
async function learn(content: Content, cleaner: Cleaner, own: OwnText, signal: AbortSignal): Promise<void> {
  if (content.kind === 'own') {
    for (const card of content.cards ?? []) cleaner.known.learnCard(card)
    own.json(content.value)
  } else if (content.kind === 'traffic')
    await processInBatches(content.entries, (one) => learnEntry(one.read(), cleaner), signal)
  else await processInBatches(content.deliveries, (one) => cleanDelivery(one, cleaner), signal)
}

/** Returns a part's cleaned content as a file. Throws the signal's reason if the signal is aborted. */
async function clean(content: Content, cleaner: Cleaner, own: OwnText, signal: AbortSignal): Promise<Buffer> {
  if (content.kind === 'own') return Buffer.from(`${JSON.stringify(own.json(content.value), null, 2)}\n`)
  if (content.kind === 'deliveries') {
    const journal = new GrowingText(INITIAL_BYTES)
    await processInBatches(
      content.deliveries,
      (one) => journal.add(`${JSON.stringify(cleanDelivery(one, cleaner))}\n`),
      signal,
    )
    return journal.bytes
  }
  // Write a HAR 1.2 file with one line per exchange.
  const har = new GrowingText(content.entries.reduce((sum, { bytes }) => sum + bytes * GROWTH_FACTOR, INITIAL_BYTES))
  har.add('{"log":{"version":"1.2","creator":{"name":"partner support bundle","version":"1"},"entries":[\n')
  const add = (one: LazyHarEntry, at: number) => {
    if (at > 0) har.add(',\n')
    har.add(JSON.stringify(cleanEntry(one.read(), cleaner)))
  }
  await processInBatches(content.entries, add, signal)
  har.add('\n]}}\n')
  return har.bytes
}

const INITIAL_BYTES = 64 * 1024
/** The initial size of the buffer, relative to the size of the entries. Cleaned entries rarely need more. */
const GROWTH_FACTOR = 1.25

/** The number of records to process before yielding to the event loop, so that signals can be handled. */
const BATCH_SIZE = 20

async function processInBatches<T>(
  all: readonly T[],
  work: (one: T, at: number) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const [at, one] of all.entries()) {
    if (at % BATCH_SIZE === 0) await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    work(one, at)
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

function readme(
  packed: readonly Named[],
  missing: readonly (Named & { readonly problem: string })[],
  facts: BundleRequest,
): string {
  const width = Math.max(...[...packed, ...missing].map(({ name }) => name.length))
  const span = facts.last === null ? 'everything that is stored on this machine' : `the last ${facts.last}`
  return `${[
    'partner support bundle',
    '',
    `Generated ${new Date(facts.madeMs).toISOString()} by partner ${facts.version}.`,
    `Operations, deliveries and recorded traffic: ${span}. Open operations are always included.`,
    '',
    'Contents:',
    ...packed.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    ...(missing.length === 0
      ? []
      : ['', 'Could not be collected:', ...missing.map(({ name, problem }) => `  ${name.padEnd(width)}  ${problem}`)]),
    '',
    'Guests. Names, e-mail addresses, phone numbers, card numbers, companies and addresses are replaced with pseudonyms such as',
    'email-b4k7m2x9q3z1. The same text has the same pseudonym everywhere in this bundle, so that related records still match.',
    'The key was generated for this bundle only and was not stored: no one can reverse a pseudonym or compare two bundles.',
    'A full name is replaced word by word. The IDs of bookings, sales and customers are unchanged.',
    '',
    'Dropped. Free text (notes, messages, labels) and all text in unknown members are replaced with their length:',
    '[dropped: 34 characters]. So are unknown headers. Credentials and cookies are replaced with dots.',
    '',
    'Checked. Before this bundle was written, its contents were searched for secrets in use, e-mail addresses, phone numbers',
    'and card numbers, including encoded ones (base64, escapes). Nothing was found. Review the bundle anyway before you send it.',
    '',
    "How to read it. You can open traffic.har in a browser's network view, or with: partner drift --har traffic.har.",
    'journal.ndjson is a journal in the format of webhooks listen. Each delivery repeats bodyBase64 as readable text in body.',
  ].join('\n')}\n`
}

/** The zip attributes of a Unix file with mode 0600. */
const FOR_OWNER = { os: 3, attrs: (0o100600 << 16) >>> 0 } as const

/** Packs files into a zip archive. `madeMs` is the modification time of the files, in milliseconds since 1970. */
export function pack(entries: readonly Entry[], madeMs: number): Uint8Array {
  const files = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]))
  return zipSync(files, { ...FOR_OWNER, level: 9, mtime: new Date(madeMs) })
}

/** Returns the default file name, such as `partner-support-20261122-140315.zip`. The time in it is in UTC. */
export function defaultName(madeMs: number): string {
  const [day = '', time = ''] = new Date(madeMs).toISOString().split('T')
  return `partner-support-${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}.zip`
}
