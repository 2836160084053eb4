import { serve } from '../http/server/serve.ts'
import { openReceiver, type Receiving } from './receiver.ts'

/** How a listener listens. Its keeper is closed with it, also when it could not begin. */
export interface Listening extends Receiving {
  readonly port: number
  readonly host: string
  /** The largest body that is taken, in bytes. */
  readonly maxBodyBytes: number
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
