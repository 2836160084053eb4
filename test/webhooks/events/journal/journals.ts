import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { type DeliveryJournal, openDeliveryJournal } from '../../../../src/webhooks/events/journal/delivery-journal.ts'
import { readJournal } from '../../../../src/webhooks/events/journal/read-journal.ts'
import { parseNdjson } from '../../../support/ndjson.ts'

export const DAY = 86_400_000

/** Returns a clock that a test can set and advance. */
export function clockAt(time: string) {
  let nowMs = Date.parse(time)
  return {
    now: () => nowMs,
    set: (to: string) => {
      nowMs = Date.parse(to)
    },
    advance: (ms: number) => {
      nowMs += ms
    },
  }
}

/** Opens a journal as a listener does and collects its messages. The journal is closed after the test. */
export async function openTestJournal(path: string, clock: { now: () => number }, keepMs: number | null = 90 * DAY) {
  const told: string[] = []
  const known: string[] = []
  const report = (line: string) => void told.push(line)
  const journal = await openDeliveryJournal(path, {
    onDelivery: ({ body }) => known.push(Buffer.from(body).toString()),
    keeping: keepMs === null ? null : { keepMs, now: clock.now, report },
    report,
  })
  let isOpen = true
  const close = async () => {
    if (isOpen) await journal.close()
    isOpen = false
  }
  onTestFinished(close)
  return { ...journal, close, told, known, ...writing(journal, clock) }
}

function writing(journal: DeliveryJournal, clock: { now: () => number }) {
  const store = (text: string) =>
    journal.append({ timeMs: clock.now(), headers: {}, body: Buffer.from(text), verdict: 'new' })
  return {
    /** Stores a delivery. Returns a function that records whether the delivery was handled. */
    store,
    /** Stores deliveries and marks them as handled immediately. */
    handle: async (...texts: readonly string[]) => {
      for (const text of texts) await (await store(text))(true)
    },
  }
}

/** Returns the bodies of all deliveries in a journal, as other commands read them. */
export async function bodiesIn(path: string): Promise<string[]> {
  const bodies: string[] = []
  for await (const batch of readJournal(path))
    for (const { body, line } of batch) {
      bodies.push(Buffer.from(body).toString())
      if (line !== bodies.length) throw new Error(`line ${line} is number ${bodies.length}`)
    }
  return bodies
}

/** Returns the bodies in each journal file, keyed by file name. A `+` follows each handled body. Skips locks. */
export function filesOf(path: string): Record<string, string> {
  const name = basename(path)
  const names = readdirSync(dirname(path)).filter((one) => !one.includes('.lock') && one !== 'filler')
  return Object.fromEntries(names.map((one) => [one.replace(name, 'J'), linesIn(join(dirname(path), one))]))
}

function linesIn(path: string): string {
  const bytes = readFileSync(path)
  const lines = parseNdjson(path.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString()) as {
    bodyBase64: string
    handled?: number
  }[]
  return lines
    .map(({ bodyBase64, handled }) => Buffer.from(bodyBase64, 'base64').toString() + (handled === 1 ? '+' : ''))
    .join(' ')
}
