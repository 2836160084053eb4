import type { SandboxState } from '../state.ts'
import type { Row, Store } from '../store/store.ts'
import { type DeliveryAttempt, postEvent } from './post.ts'

/** A webhook and its attempts. Times are the sandbox's, ISO 8601 in UTC. */
export interface Delivery {
  readonly id: number
  readonly event: string
  /** The booking's ID or the card's number. */
  readonly subject: string
  readonly created: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'dropped'
  /** When it is tried next; null when it is not tried any more. */
  readonly due: string | null
  readonly attempts: readonly DeliveryAttempt[]
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The waits after each failed attempt, by the sandbox's time; then the delivery is given up. */
const RETRY_LADDER_MS: readonly number[] = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 24 * HOUR]

const POLL_EVERY_MS = 200
const AT_ONCE = 8
/** How long a process holds a delivery: longer than an attempt takes, and when the process dies, no longer than this. */
const CLAIM_MS = 15 * SECOND

type DeliveryState = Pick<SandboxState, 'store' | 'settings' | 'passTime' | 'report'>

/** Delivers webhooks, each at least once: failed attempts are repeated, and the store keeps what is not delivered yet. */
export class Deliverer {
  readonly #state: DeliveryState
  readonly #underWay = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(state: DeliveryState) {
    this.#state = state
  }

  /** Delivers whatever falls due, until `stop`. */
  start(): void {
    this.#timer = setInterval(() => {
      try {
        this.#state.passTime()
        this.#startDue()
      } catch (error) {
        this.#state.report(error)
      }
    }, POLL_EVERY_MS).unref()
  }

  /** Stops, and waits for the attempts under way, but no longer than `waitMs`. */
  async stop(waitMs: number): Promise<void> {
    clearInterval(this.#timer)
    await settled(this.#underWay, waitMs)
  }

  /** Tries everything that is due once, for a sandbox that does not go on. Returns at once when nothing is due. */
  async deliverDue(waitMs: number): Promise<void> {
    const end = Date.now() + waitMs
    this.#startDue()
    while (this.#underWay.size > 0 && Date.now() < end) {
      await settled(this.#underWay, end - Date.now())
      this.#startDue()
    }
  }

  #startDue(): void {
    const room = AT_ONCE - this.#underWay.size
    if (room <= 0) return
    const { store } = this.#state
    const due = store.all(
      'SELECT id FROM deliveries WHERE due <= ? AND claimed_until < ? ORDER BY due, id LIMIT ?',
      this.#now(),
      Date.now(),
      room,
    )
    for (const row of due) {
      const work = this.#deliver(Number(row['id']))
        .catch((error: unknown) => void this.#state.report(error))
        .finally(() => this.#underWay.delete(work))
      this.#underWay.add(work)
    }
  }

  async #deliver(id: number): Promise<void> {
    const { store } = this.#state
    const claimed = store.get(
      'UPDATE deliveries SET claimed_until = ? WHERE id = ? AND due IS NOT NULL AND claimed_until < ? RETURNING *',
      Date.now() + CLAIM_MS,
      id,
      Date.now(),
    )
    if (!claimed) return
    const subscription = store.get(
      'SELECT * FROM subscriptions WHERE location = ? AND event = ?',
      String(claimed['location']),
      String(claimed['event']),
    )
    if (!subscription) {
      store.run('UPDATE deliveries SET due = NULL WHERE id = ?', id)
      return
    }
    const attempt = await postEvent(subscription, claimed, this.#now())
    // The sandbox may have closed meanwhile: then the claim runs out, and another sandbox delivers again.
    if (store.isOpen) recordAttempt(store, claimed, attempt, this.#now())
  }

  #now(): number {
    return this.#state.settings().clock.now()
  }
}

function recordAttempt(store: Store, delivery: Row, attempt: DeliveryAttempt, now: number): void {
  const attempts = [...(JSON.parse(String(delivery['attempts'])) as DeliveryAttempt[]), attempt]
  const wait = attempt.delivered ? undefined : RETRY_LADDER_MS[attempts.length - 1]
  store.run(
    'UPDATE deliveries SET attempts = ?, due = ?, claimed_until = 0 WHERE id = ?',
    JSON.stringify(attempts),
    wait === undefined ? null : now + wait,
    Number(delivery['id']),
  )
}

/** All deliveries, the oldest first. */
export function listDeliveries(store: Store): Delivery[] {
  return store.all('SELECT * FROM deliveries ORDER BY id').map((row) => {
    const attempts = JSON.parse(String(row['attempts'])) as DeliveryAttempt[]
    const due = row['due'] === null ? null : Number(row['due'])
    return {
      id: Number(row['id']),
      event: String(row['event']),
      subject: String(row['subject']),
      created: new Date(Number(row['created'])).toISOString(),
      state: stateOf(due, attempts),
      due: due === null ? null : new Date(due).toISOString(),
      attempts,
    }
  })
}

function stateOf(due: number | null, attempts: readonly DeliveryAttempt[]): Delivery['state'] {
  if (due !== null) return 'pending'
  if (attempts.at(-1)?.delivered) return 'delivered'
  return attempts.length > RETRY_LADDER_MS.length ? 'failed' : 'dropped'
}

async function settled(work: ReadonlySet<Promise<void>>, waitMs: number): Promise<void> {
  if (work.size === 0) return
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs)
  })
  await Promise.race([Promise.allSettled(work), limit])
  clearTimeout(timer)
}
