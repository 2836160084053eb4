import { DeliveryJournal } from '../events/journal/delivery-journal.ts'
import { readEvent } from '../events/read-event.ts'
import { serve } from '../http/server/serve.ts'
import type { Act } from './act.ts'
import { type Answered, openReceiver, type RequiredHeader } from './receiver.ts'
import { Verdicts } from './verdicts.ts'

/** How a listener listens. */
export interface Listening {
  readonly port: number
  readonly host: string
  /** The one path that takes deliveries; null: all do. */
  readonly path: string | null
  /** The path of the journal's file. */
  readonly journal: string
  /** The largest body that is taken, in bytes. */
  readonly maxBodyBytes: number
  readonly required: readonly RequiredHeader[]
  readonly duplicateWindowMs: number
  /** How many deliveries to take; null: as many as come. */
  readonly most: number | null
  readonly act: Act
  readonly answered: (answered: Answered) => void
  /** Tells why a request was not taken, in words without secrets. */
  readonly refused: (status: number, why: string) => void
  /** The clock of this machine, epoch milliseconds. */
  readonly now: () => number
}

/** A listener that is listening. */
export interface Listener {
  readonly origin: string
  /** How many deliveries its journal had before. */
  readonly known: number
  /** Takes no more, and comes back when all that was taken has been answered. */
  close(): Promise<void>
}

/** Longer than any answer takes. Milliseconds. */
const CLOSE_GRACE_MS = 6000

/**
 * Receives deliveries on a port, each on disk before it is answered.
 * Fails: as `DeliveryJournal.open`; NETWORK_ERROR when it cannot listen there.
 */
export async function startListener(listening: Listening): Promise<Listener> {
  const { port, host, path, required, most, act, answered, refused, now } = listening
  const verdicts = new Verdicts(listening.duplicateWindowMs)
  let known = 0
  const journal = await DeliveryJournal.open(listening.journal, ({ body, timeMs }) => {
    known++
    verdicts.judge(readEvent(body), body, timeMs)
  })
  try {
    const keep = journal.append.bind(journal)
    const receiver = openReceiver({ path, required, verdicts, most, keep, act, answered, refused, now })
    const { maxBodyBytes } = listening
    const closeGraceMs = CLOSE_GRACE_MS
    const server = await serve(receiver, { port, host, maxBodyBytes, closeGraceMs, refused })
    return {
      origin: server.origin,
      known,
      close: async () => {
        await server.close()
        await journal.close()
      },
    }
  } catch (error) {
    await journal.close()
    throw error
  }
}
