import { onTestFinished } from 'vitest'
import type { Connection } from '../../../src/postgres/connection.ts'
import { readEvent } from '../../../src/webhooks/events/read-event.ts'
import { openInboxStore } from '../../../src/webhooks/inbox/inbox-store.ts'
import { type InboxPlace, openInbox, parseInboxPlace } from '../../../src/webhooks/inbox/open-inbox.ts'
import { freshHome } from '../../support/partner.ts'
import { POSTGRES_ENV } from '../../support/postgres.ts'
import { bookingEvent } from '../listener/listening.ts'

const SIGNAL = new AbortController().signal

export function placeOf(url: string): InboxPlace {
  return parseInboxPlace(url, { ...freshHome(), ...POSTGRES_ENV }, '--to')
}

/** Opens an inbox as a listener does and collects its messages. The inbox is closed after the test. */
export async function openTestInbox(url: string, duplicateWindowMs = 600_000) {
  const told: string[] = []
  const options = { duplicateWindowMs, signal: SIGNAL, report: (line: string) => void told.push(line) }
  const store = await openInboxStore(placeOf(url), options)
  onTestFinished(() => store.close())
  const put = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => {
    const bytes = Buffer.from(body)
    const read = readEvent(bytes)
    if (read === null) throw new TypeError('no event')
    return store.add({ timeMs: Date.now(), headers, body: bytes }, read)
  }
  return { store, told, put, event: (event: string, id?: string) => put(bookingEvent(event, id)) }
}

export async function connectionTo(url: string): Promise<Connection> {
  const limits = { statementMs: 30_000, lockMs: 30_000, idleInTransactionMs: 30_000 }
  const connection = await openInbox(placeOf(url), limits, SIGNAL)
  onTestFinished(() => connection.close())
  return connection
}
