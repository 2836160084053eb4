import { counted } from '../../base/counted.ts'
import { openDeliveryJournal } from '../events/journal/delivery-journal.ts'
import type { Delivery, Verdict } from '../events/journal/entry.ts'
import { type ReadEvent, readEvent } from '../events/read-event.ts'
import { Verdicts } from './verdicts.ts'

/** The error for a delivery that came back to where it was forwarded from. It is not kept. */
export class LeadsBack extends Error {}

/** Keeps deliveries before they are answered. */
export interface Keeper {
  /** What it is, and what it has, in words: `journal hooks.ndjson, with 3 deliveries`. */
  readonly words: string
  /** Comes back when the delivery is kept durably, with how it looks beside those before it. Fails: LeadsBack; it is not kept. */
  keep(delivery: Omit<Delivery, 'verdict'>, read: ReadEvent): Promise<Verdict>
  close(): Promise<void>
}

/** Keeps deliveries in a file. Fails: as `openDeliveryJournal`. */
export async function openJournalKeeper(path: string, duplicateWindowMs: number): Promise<Keeper> {
  const verdicts = new Verdicts(duplicateWindowMs)
  let known = 0
  const journal = await openDeliveryJournal(path, ({ body, timeMs }) => {
    known++
    verdicts.judge(readEvent(body), body, timeMs)
  })
  return {
    words: `journal ${path}${known === 0 ? '' : `, with ${counted(known, 'delivery', 'deliveries')}`}`,
    keep: async (delivery, read) => {
      const { verdict, forget } = verdicts.judge(read, delivery.body, delivery.timeMs)
      try {
        await journal.append({ ...delivery, verdict })
        return verdict
      } catch (error) {
        forget()
        throw error
      }
    },
    close: () => journal.close(),
  }
}
