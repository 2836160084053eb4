import { createHash } from 'node:crypto'
import { formatCount } from '../../base/counted.ts'
import { openDeliveryJournal } from '../events/journal/delivery-journal.ts'
import type { Delivery, Verdict } from '../events/journal/entry.ts'
import type { Settle } from '../events/journal/journal-file.ts'
import type { Keeping } from '../events/journal/upkeep.ts'
import { type ReadEvent, readEvent } from '../events/read-event.ts'

/** Thrown for a delivery that came back to the listener that forwarded it. Such a delivery is not stored. */
export class ForwardingLoop extends Error {}

export type ArrivedDelivery = Omit<Delivery, 'verdict'>

/** Stores each delivery before the response to it is sent. */
export interface DeliveryStore {
  /** A description, such as `journal hooks.ndjson, with 3 deliveries`. */
  readonly words: string
  /** Resolves when the delivery is safely stored. Throws ForwardingLoop, or any error that occurs while storing it. */
  add(delivery: ArrivedDelivery, read: ReadEvent): Promise<Verdict>
  /**
   * Called once for each stored delivery, before the response is sent. `isHandled` is true if the response is a
   * success.
   */
  settle?(delivery: ArrivedDelivery, isHandled: boolean): void
  close(): Promise<void>
}

/**
 * Opens a journal file that stores deliveries. If `keeping` is not `null`, the file is closed at the end of each day.
 * Throws the same errors as `openDeliveryJournal`.
 */
export async function openJournalStore(
  path: string,
  duplicateWindowMs: number,
  keeping: Keeping | null,
  report: (line: string) => void,
): Promise<DeliveryStore> {
  const verdicts = new Verdicts(duplicateWindowMs)
  const settles = new WeakMap<ArrivedDelivery, Settle>()
  let known = 0
  const onDelivery = ({ body, timeMs }: Delivery) => {
    known++
    verdicts.judge(readEvent(body), body, timeMs)
  }
  const journal = await openDeliveryJournal(path, { onDelivery, keeping, report })
  return {
    words: `journal ${path}${known === 0 ? '' : `, with ${formatCount(known, 'delivery', 'deliveries')}`}`,
    add: async (delivery, read) => {
      const { verdict, forget } = verdicts.judge(read, delivery.body, delivery.timeMs)
      try {
        settles.set(delivery, await journal.append({ ...delivery, verdict }))
        return verdict
      } catch (error) {
        forget()
        throw error
      }
    },
    settle: (delivery, isHandled) => void settles.get(delivery)?.(isHandled),
    close: () => journal.close(),
  }
}

type SubjectHistory = { readonly once: Set<string>; hasFollowed: boolean }

/** How many events, and how many bookings and cards, to remember. The oldest are forgotten first. */
const MAX_REMEMBERED = 100_000

const CREATED = /_CREATED$/
/** Matches events that can happen only once per booking or card. A repeat of such an event is always a duplicate. */
const ONCE = /_(?:CREATED|CANCELLED)$/

/**
 * Detects duplicates and stale creations. A repeat within the window counts as a duplicate, even if it reports a second
 * change.
 */
export class Verdicts {
  readonly #windowMs: number
  /** When each event was last delivered. The most recent event is last. */
  readonly #seen = new Map<string, number>()
  readonly #known = new Map<string, SubjectHistory>()

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  /** Returns a delivery's verdict and remembers the delivery. Call `forget` if the delivery could not be stored. */
  judge(read: ReadEvent | null, body: Uint8Array, timeMs: number): { readonly verdict: Verdict; forget(): void } {
    const event = read?.event ?? ''
    const subject = `${read?.kind}\n${read?.subject}`
    const key = `${event}\n${subject}\n${createHash('sha256').update(body).digest('base64')}`
    const last = this.#seen.get(key)
    const known = read?.subject ? this.#knownOf(subject) : null
    const isRepeated = last !== undefined && Math.abs(timeMs - last) <= this.#windowMs
    const isDuplicate = isRepeated || known?.once.has(event) === true
    const isStale = CREATED.test(event) && known?.hasFollowed === true
    const { hasFollowed } = known ?? {}
    setMostRecent(this.#seen, key, timeMs)
    if (known && ONCE.test(event)) known.once.add(event)
    if (known && event !== '' && !CREATED.test(event)) known.hasFollowed = true
    return {
      verdict: isDuplicate ? 'duplicate' : isStale ? 'stale' : 'new',
      forget: () => {
        if (last === undefined) this.#seen.delete(key)
        else this.#seen.set(key, last)
        if (!known || isDuplicate) return
        known.once.delete(event)
        known.hasFollowed = hasFollowed ?? false
      },
    }
  }

  #knownOf(subject: string): SubjectHistory {
    const known = this.#known.get(subject) ?? { once: new Set<string>(), hasFollowed: false }
    setMostRecent(this.#known, subject, known)
    return known
  }
}

function setMostRecent<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  for (const first of map.keys()) {
    if (map.size <= MAX_REMEMBERED) break
    map.delete(first)
  }
}
