import { BlockList, isIPv6 } from 'node:net'
import type { SandboxState } from '../state.ts'
import { recordAttempt } from './deliveries.ts'
import { postEvent } from './post.ts'

const POLL_EVERY_MS = 200
const MAX_CONCURRENT = 8
const DELIVERED_WITHIN_MS = 10_000
/**
 * How long a process's claim on a delivery lasts, in milliseconds. This is longer than any attempt takes. If the
 * process dies, the other processes wait this long before they retry the delivery.
 */
const CLAIM_MS = 15_000

type DeliveryState = Pick<SandboxState, 'store' | 'settings' | 'applyDueChanges' | 'report' | 'warn'>

/** Delivers each event in the store's queue at least once. Retries failed attempts with growing delays. */
export class Deliverer {
  readonly #state: DeliveryState
  readonly #running = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(state: DeliveryState) {
    this.#state = state
  }

  /** Starts delivering events when they are due, until `stop` is called. */
  start(): void {
    this.#timer = setInterval(() => {
      this.#runSafely(() => {
        this.#state.applyDueChanges()
        this.#startDue()
      })
    }, POLL_EVERY_MS).unref()
  }

  /** Makes no further attempts and waits up to `waitMs` for those in progress. */
  async stop(waitMs: number): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    await waitUntilSettled(this.#running, waitMs)
  }

  /** Attempts every due delivery and waits up to `waitMs` (10 s by default) for the attempts to finish. */
  async deliverDue(waitMs = DELIVERED_WITHIN_MS): Promise<void> {
    const end = Date.now() + waitMs
    this.#startDue()
    while (this.#running.size > 0 && Date.now() < end) {
      await waitUntilSettled(this.#running, end - Date.now())
      this.#startDue()
    }
  }

  #startDue(): void {
    const room = MAX_CONCURRENT - this.#running.size
    if (room <= 0) return
    const { store } = this.#state
    const due = store.all(
      'SELECT id FROM deliveries WHERE due <= ? AND claimed_until < ? ORDER BY due, id LIMIT ?',
      ...[this.#now(), Date.now(), room],
    )
    for (const row of due) {
      const work = this.#deliver(Number(row['id']))
        .catch((error: unknown) => void this.#state.report(error))
        .finally(() => {
          this.#running.delete(work)
          // Start the next due delivery now, without waiting for the timer.
          if (this.#timer !== undefined) this.#runSafely(() => this.#startDue())
        })
      this.#running.add(work)
    }
  }

  #runSafely(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#state.report(error)
    }
  }

  async #deliver(id: number): Promise<void> {
    const { store } = this.#state
    const claimed = store.get(
      'UPDATE deliveries SET claimed_until = ? WHERE id = ? AND due IS NOT NULL AND claimed_until < ? RETURNING *',
      ...[Date.now() + CLAIM_MS, id, Date.now()],
    )
    if (!claimed) return
    const subscription = store.get(
      'SELECT * FROM subscriptions WHERE location = ? AND event = ?',
      ...[String(claimed['location']), String(claimed['event'])],
    )
    if (!subscription) return void store.run('UPDATE deliveries SET due = NULL WHERE id = ?', id)
    const attempt = await postEvent(subscription, claimed, this.#now(), (address) => {
      if (isLinkLocal(address)) this.#state.warn(linkLocalWarning(String(claimed['event']), address))
    })
    // If the sandbox was closed during the attempt, the claim expires, and another process retries the delivery.
    if (store.isOpen) recordAttempt(store, claimed, attempt, this.#now())
  }

  #now(): number {
    return this.#state.settings().clock.now()
  }
}

async function waitUntilSettled(work: ReadonlySet<Promise<void>>, waitMs: number): Promise<void> {
  if (work.size === 0) return
  const { promise: limit, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, waitMs)
  await Promise.race([Promise.allSettled(work), limit])
  clearTimeout(timer)
}

const LINK_LOCAL = new BlockList()
LINK_LOCAL.addSubnet('169.254.0.0', 16, 'ipv4')
LINK_LOCAL.addSubnet('fe80::', 10, 'ipv6')

/** Whether an address is link-local. Recognizes IPv4 addresses mapped to IPv6. False for host names. */
function isLinkLocal(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  return LINK_LOCAL.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

function linkLocalWarning(event: string, address: string): string {
  return `webhooks for ${event} go to ${address}, a link-local address, where cloud machines can get their credentials. If you did not intend this, delete the subscription: partner webhooks delete ${event} --profile sandbox`
}
