import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Failure } from '../../src/base/failure/failure.ts'
import { Pace } from '../../src/client/calls/pace.ts'
import { withApiKey, withSignature } from '../../src/http/client/auth.ts'
import { withDeadline } from '../../src/http/client/deadline.ts'
import { openTransport } from '../../src/http/client/undici.ts'
import type { Transport } from '../../src/http/transport.ts'
import { centsText } from '../../src/money/amount.ts'
import type { MoneyDesk } from '../../src/money/desk.ts'
import { cancelOnce, redeemOnce } from '../../src/money/giftcards.ts'
import { inboundRedeemOnce } from '../../src/money/inbound.ts'
import { getCurrentMoment, type Moment } from '../../src/money/operations/moment.ts'
import type { Operation } from '../../src/money/operations/operation.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { judgeOperation } from '../../src/money/resolve.ts'
import { submitSaleOnce } from '../../src/money/sales.ts'
import type { CommitServer } from './commit-server.ts'
import { quickDirectory } from './quick-directory.ts'

export const COMMANDS = ['giftcards redeem', 'giftcards cancel', 'sales create', 'inbound redeem'] as const
export type MoneyCommand = (typeof COMMANDS)[number]

export interface Write {
  readonly command: MoneyCommand
  readonly target: string
  /** The amount in cents, or `null` for a cancellation. */
  readonly cents: bigint | null
  /** The notes sent with the write, which distinguish it from other writes. */
  readonly notes?: string
  readonly bookingId?: string | null
}

export type ReportedOutcome = {
  readonly outcome: 'applied' | 'not-applied' | 'unknown'
  readonly error: Failure | null
}

/** A till in the test's own process, with partner's own money code, real connections and an adjustable clock. */
export interface Till {
  readonly store: OperationStore
  /** How far, in milliseconds, the wall clock and the monotonic clock have been advanced together. */
  passed: number
  /** How far, in milliseconds, the wall clock has been set forward. Negative if it has been set back. */
  setBy: number
  write(write: Write, how?: { readonly retries?: number; readonly force?: boolean }): Promise<ReportedOutcome>
  /** Resolves an operation as `operations resolve` does. */
  resolve(operation: Operation): Promise<'applied' | 'not-applied' | 'unknown'>
}

/** Time limits in milliseconds. `hanging` is for attempts without a response. `other` must suffice on slow machines. */
const TIMEOUT_MS = { hanging: 1200, other: 60_000 }
const ENV = {}

/**
 * Opens a connection and an operation store, and returns a function that creates tills. The tills share both, but each
 * has its own clock.
 */
export async function openTills(server: CommitServer): Promise<() => Till> {
  const directory = quickDirectory()
  const store = OperationStore.open(OperationStore.pathIn(directory))
  const baseUrl = new URL(server.baseUrl)
  const open = await openTransport(baseUrl, ENV, 8)
  const timed: Transport = (request) => {
    const asked = `${request.url.href} ${Buffer.from(request.body ?? []).toString()}`
    return withDeadline(server.mayNeverRespond(asked) ? TIMEOUT_MS.hanging : TIMEOUT_MS.other)(open.transport)(request)
  }
  onTestFinished(async () => {
    store.close()
    await open.close()
  })
  return () => {
    const till: Till = {
      store,
      passed: 0,
      setBy: 0,
      write: async (write, { retries = 0, force = false } = {}) => {
        try {
          await makeWrite(deskFor(write.command, retries, force), write)
          store.conclude()
          return { outcome: 'applied', error: null }
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          return { outcome: error.outcome === 'unknown' ? 'unknown' : 'not-applied', error }
        }
      },
      resolve: async (operation) => {
        const { state, how } = await judgeOperation(deskFor(operation.command, 1, false), operation)
        if (state !== 'unknown') store.settle(operation.id, state, how, clock())
        return state
      },
    }
    const clock = (): Moment => {
      const { wallMs, monotonicMs, boot } = getCurrentMoment()
      return { wallMs: wallMs + till.passed + till.setBy, monotonicMs: monotonicMs + till.passed, boot }
    }
    const deskFor = (command: string, retries: number, force: boolean): MoneyDesk => {
      const { inbound, transport } = authenticate(command, baseUrl, timed)
      return {
        store,
        clock,
        force,
        service: server.baseUrl,
        inbound,
        caller: {
          baseUrl,
          transport,
          profile: null,
          retries,
          attemptMs: TIMEOUT_MS.hanging,
          longestWaitMs: 60_000,
          hooks: { now: () => clock().wallMs },
          pace: new Pace(join(directory, 'pace.db'), 'till'),
        },
      }
    }
    return till
  }
}

/** Returns the identity for signed requests, and a transport that adds the command's credentials to each request. */
export function authenticate(
  command: string,
  baseUrl: URL,
  transport: Transport,
): Pick<MoneyDesk, 'inbound'> & { readonly transport: Transport } {
  if (command !== 'inbound redeem')
    return { inbound: null, transport: withApiKey(baseUrl.origin, async () => 'key')(transport) }
  const layer = withSignature('X-Partner-Signature', async () => 'signing-secret')
  return { inbound: { partnerName: 'pos', locationId: 'loc-1' }, transport: layer(transport) }
}

/** Performs a write with the same code as its command and throws the same errors. */
export async function makeWrite(
  desk: MoneyDesk,
  { command, target, cents, notes = '', bookingId = null }: Write,
): Promise<unknown> {
  if (command === 'sales create') {
    const body = {
      origin: { saleId: target },
      total: { amount: Number(cents), currency: 'AUD' },
      notes,
      ...(bookingId === null ? {} : { bookingId }),
    }
    return submitSaleOnce(desk, { saleId: target, cents, bookingId, openedAt: null, body })
  }
  if (command === 'giftcards cancel') return cancelOnce(desk, { cardNumber: target })
  const amount = { text: centsText(cents ?? 0n), cents: cents ?? 0n }
  const order = { cardNumber: target, amount, more: { notes } }
  if (command === 'giftcards redeem') return redeemOnce(desk, order)
  return inboundRedeemOnce(desk, { ...order, partnerName: 'pos', locationId: 'loc-1' }, async () => {})
}
