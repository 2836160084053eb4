import { serve } from '../http/server/serve.ts'
import type { Act } from './act.ts'
import type { Keeper } from './keeper.ts'
import { type Answered, openReceiver, type RequiredHeader } from './receiver.ts'

/** How a listener listens. */
export interface Listening {
  readonly port: number
  readonly host: string
  /** The one path that takes deliveries; null: all do. */
  readonly path: string | null
  /** Is closed with the listener, also with one that could not begin. */
  readonly keeper: Keeper
  /** The largest body that is taken, in bytes. */
  readonly maxBodyBytes: number
  readonly required: readonly RequiredHeader[]
  /** The origins whose web pages may deliver. */
  readonly allowedOrigins: readonly string[]
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
  /** Takes no more, and comes back when all that was taken has been answered. */
  close(): Promise<void>
}

/** Longer than any answer takes. Milliseconds. */
const CLOSE_GRACE_MS = 6000

/**
 * Receives deliveries on a port, each kept before it is answered. Fails: NETWORK_ERROR when it cannot listen there.
 */
export async function startListener(listening: Listening): Promise<Listener> {
  const { port, host, keeper, refused, maxBodyBytes } = listening
  try {
    const receiver = openReceiver(listening)
    const closeGraceMs = CLOSE_GRACE_MS
    const server = await serve(receiver, { port, host, maxBodyBytes, closeGraceMs, refused })
    return {
      origin: server.origin,
      close: async () => {
        await server.close()
        await keeper.close()
      },
    }
  } catch (error) {
    await keeper.close()
    throw error
  }
}
