import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../base/failure/failure.ts'
import type { Connection, Limits } from '../../postgres/connection.ts'
import { ConnectionLost } from '../../postgres/failures.ts'
import type { Verdict } from '../events/journal/entry.ts'
import { type DeliveryStore, ForwardingLoop } from '../listener/delivery-store.ts'
import { type ArrivedDelivery, findReturned, hashOf, insertDeliveries } from './insert.ts'
import type { InboxPlace } from './open-inbox.ts'
import { ReconnectingConnection } from './reconnecting-connection.ts'

/**
 * How many milliseconds to wait for a delivery to be stored before responding with 503. The service itself waits 5 s.
 */
const KEEP_WITHIN_MS = 4000
/** The time limits for statements. They are short, so that a listener soon notices if the database hangs. */
const LIMITS: Limits = { statementMs: 3000, lockMs: 2000, idleInTransactionMs: 5000 }
const MOST_DELIVERIES = 200
const MOST_BYTES = 4_000_000

interface Pending extends ArrivedDelivery {
  /** Whether storing the delivery took so long that the response was 503. */
  isOver: boolean
  readonly done: (verdict: Verdict) => void
  readonly failed: (error: unknown) => void
}

export interface InboxStoreOptions {
  readonly duplicateWindowMs: number
  readonly signal: AbortSignal
  readonly report: (line: string) => void
}

/** Opens a shared inbox that stores deliveries. Throws the same errors as `openInbox`. */
export async function openInboxStore(place: InboxPlace, options: InboxStoreOptions): Promise<DeliveryStore> {
  const { words } = place
  const steady = await ReconnectingConnection.open(place, LIMITS, options)
  let pending: Pending[] = []
  let writing: Promise<void> | null = null
  const settle = (some: readonly Pending[]) => {
    pending = pending.filter((one) => !some.includes(one))
  }
  /**
   * Returns the oldest pending deliveries, at most one per hash. Repeats wait for a later batch and are then
   * stored in the first delivery's row.
   */
  const nextBatch = (): readonly Pending[] => {
    pending = pending.filter(({ isOver }) => !isOver)
    const batch = new Map<string, Pending>()
    let bytes = 0
    for (const one of pending) {
      bytes += one.body.byteLength
      if (batch.size === MOST_DELIVERIES || (batch.size > 0 && bytes > MOST_BYTES)) break
      if (!batch.has(one.hash)) batch.set(one.hash, one)
    }
    return [...batch.values()]
  }
  /** Stores a batch. If this throws ConnectionLost, the batch remains pending. */
  const write = async (connection: Connection, all: readonly Pending[]): Promise<void> => {
    if (all.length === 0) return
    let batch = all
    try {
      const returned = await findReturned(connection, all)
      settle(returned)
      for (const { failed } of returned)
        failed(new ForwardingLoop('a worker of this inbox forwarded it: --forward-to leads back to this inbox'))
      batch = all.filter((one) => !returned.includes(one))
      if (batch.length === 0) return
      const verdicts = await insertDeliveries(connection, batch, options.duplicateWindowMs)
      settle(batch)
      for (const [at, { done }] of batch.entries()) done(verdicts[at] ?? 'new')
    } catch (error) {
      if (error instanceof ConnectionLost) throw error
      // Reconnect, because the database may have become a replica, which would reject every later write as well.
      if (error instanceof Failure && error.code === 'REJECTED') connection.destroy()
      await connection.rollBack()
      const [first, ...others] = batch
      // Store the deliveries one by one, so that one invalid delivery does not affect the others.
      if (others.length > 0) for (const one of batch) await write(connection, [one])
      else if (first !== undefined) {
        settle([first])
        first.failed(error)
      }
    }
  }
  /** Stores all pending deliveries. Never throws. */
  const writeAll = async () => {
    while (pending.length > 0) {
      try {
        await steady.run((connection) => write(connection, nextBatch()))
      } catch (error) {
        for (const { failed } of pending.splice(0)) failed(error)
      }
    }
  }
  return {
    words,
    add: ({ headers, body }, read) => {
      const { promise, resolve, reject } = Promise.withResolvers<Verdict>()
      const one: Pending = { headers, body, read, hash: hashOf(body), isOver: false, done: resolve, failed: reject }
      const timer = setTimeout(() => {
        one.isOver = true
        one.failed(new Failure('NETWORK_ERROR', steady.trouble ?? `${words} takes too long`))
      }, KEEP_WITHIN_MS)
      pending.push(one)
      writing ??= writeAll().finally(() => {
        writing = null
      })
      return promise.finally(() => clearTimeout(timer))
    },
    close: async () => {
      while (pending.some(({ isOver }) => !isOver)) await Promise.race([writing, delay(50)])
      await steady.close()
      await writing
    },
  }
}
