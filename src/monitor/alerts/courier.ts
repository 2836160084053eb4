import { parseJson } from '../../base/json/parse.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import type { StateStore, Waiting } from '../state/state-store.ts'
import type { Alert } from './alert.ts'
import type { Destination } from './destination.ts'

/** The wait after the first failed attempt, in milliseconds. It doubles with each attempt. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 300_000
/** The maximum number of alerts that are sent to one destination at the same time. Each is about a different check. */
const MOST_AT_ONCE = 4

/** A report about an alert whose first delivery attempt failed. */
export interface DeliveryNews {
  readonly destination: Destination
  readonly alert: Alert
  /** Why the first attempt failed, or `null` if a later attempt succeeded. */
  readonly problem: string | null
  readonly attempts: number
}

export interface CourierParts {
  readonly store: StateStore
  readonly destinations: readonly Destination[]
  readonly now: () => number
  readonly report: (news: DeliveryNews) => void
  /** Called with each error from the store. Deliveries continue. */
  readonly onTrouble: (error: unknown) => void
}

/**
 * Delivers the alerts in the store to each destination, independently of the others. The alerts of one check arrive in
 * order. An alert is removed from the store only after it has been delivered.
 */
export class Courier {
  readonly #parts: CourierParts
  #wake: () => void = () => {}
  #woken = Promise.resolve()
  /** Alerts that were delivered but could not be removed from the store yet. */
  readonly #delivered = new Set<string>()

  constructor(parts: CourierParts) {
    this.#parts = parts
    this.#arm()
  }

  /** Looks for new alerts now. */
  wake(): void {
    const wake = this.#wake
    this.#arm()
    wake()
  }

  #arm(): void {
    this.#woken = new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /**
   * Delivers alerts until `stop` aborts and then for up to `moreMs` more milliseconds. Once `abandon` aborts, starts no
   * more attempts. Waits for attempts that are in progress. Never throws.
   */
  async deliverUntil(stop: AbortSignal, moreMs = 0, abandon?: AbortSignal): Promise<void> {
    let until = Number.POSITIVE_INFINITY
    const onStop = () => {
      until = monotonicMs() + moreMs
      this.wake()
    }
    const onAbandon = () => this.wake()
    if (stop.aborted) onStop()
    stop.addEventListener('abort', onStop, { once: true })
    abandon?.addEventListener('abort', onAbandon, { once: true })
    const leftMs = () => (abandon?.aborted ? 0 : until - monotonicMs())
    await Promise.all(this.#parts.destinations.map((one) => this.#serve(one, leftMs)))
    stop.removeEventListener('abort', onStop)
    abandon?.removeEventListener('abort', onAbandon)
  }

  async #serve(destination: Destination, leftMs: () => number): Promise<void> {
    const underWay = new Map<number, Promise<void>>()
    while (leftMs() > 0) {
      const woken = this.#woken
      const heads = this.#heads(destination).filter(({ number }) => !underWay.has(number))
      for (const head of heads) {
        if (underWay.size >= MOST_AT_ONCE || this.#waitMs(head) > 0) continue
        const work = this.#attempt(destination, head).finally(() => underWay.delete(head.number))
        underWay.set(head.number, work)
      }
      const waits = heads.filter(({ number }) => !underWay.has(number)).map((head) => this.#waitMs(head))
      const waitMs = Math.min(...waits)
      if (underWay.size === 0 && waitMs > leftMs()) return
      // At the limit, no attempt can start until another one ends.
      const timeMs = underWay.size >= MOST_AT_ONCE ? Number.POSITIVE_INFINITY : Math.min(waitMs, leftMs())
      await anyOf([woken, ...underWay.values()], timeMs)
    }
    await Promise.all(underWay.values())
  }

  /**
   * Returns the time until an alert is due. A time longer than the longest wait means that the clock was set back, so
   * the alert is due now.
   */
  #waitMs({ dueMs }: Waiting): number {
    const waitMs = dueMs - this.#parts.now()
    return waitMs > LONGEST_WAIT_MS ? 0 : Math.max(0, waitMs)
  }

  #heads(destination: Destination): readonly Waiting[] {
    const { store, onTrouble } = this.#parts
    try {
      return store.heads(destination.key)
    } catch (error) {
      onTrouble(error)
      return []
    }
  }

  async #attempt(destination: Destination, { number, line, attempts }: Waiting): Promise<void> {
    const { store, now, report, onTrouble } = this.#parts
    const alert = parseJson(line) as Alert
    const mark = `${number} ${destination.key}`
    const problem = this.#delivered.has(mark) ? null : await destination.deliver({ id: alert.id, line })
    if (problem === null) this.#delivered.add(mark)
    try {
      if (problem === null) {
        store.markDelivered(number, destination.key)
        this.#delivered.delete(mark)
      } else {
        const waitMs = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts, 20), LONGEST_WAIT_MS)
        store.markFailed(number, destination.key, problem, now() + waitMs)
      }
    } catch (error) {
      onTrouble(error)
      // The store could not save the next due time, so wait here instead.
      await anyOf([], FIRST_WAIT_MS)
    }
    if (problem === null ? attempts > 0 : attempts === 0)
      report({ destination, alert, problem, attempts: attempts + 1 })
  }
}

/** Waits until one of the promises resolves or `limitMs` milliseconds have passed. */
async function anyOf(promises: readonly Promise<void>[], limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // setTimeout fires immediately if the delay exceeds 2^31-1 ms.
  const timer = limitMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, Math.min(limitMs, 2 ** 31 - 1))
  try {
    await Promise.race([promise, ...promises])
  } finally {
    clearTimeout(timer)
  }
}
