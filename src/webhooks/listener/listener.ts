import { monotonicMs } from '../../base/stopwatch.ts'
import { type RunningServer, serve } from '../../http/server/serve.ts'
import { openReceiver, type ReceiverOptions } from './receiver.ts'

/** Options for a listener. The listener closes `store` when it closes, or if it cannot start. */
export interface ListenerOptions extends ReceiverOptions {
  readonly port: number
  readonly host: string
  readonly maxBodyBytes: number
  readonly report: (line: string) => void
}

const CLOSE_GRACE_MS = 6000
/** The time limit for receiving a whole request. It is twice as long as the service waits for a response. */
const REQUEST_WITHIN_MS = 10_000
/** The maximum memory for the bodies of requests that are still arriving. */
const BODIES_BYTES = 128 * 1024 * 1024
const MIN_CONNECTIONS = 16
const MAX_CONNECTIONS = 128
/** The minimum time, in milliseconds, between two warnings about too many connections. */
const WARN_INTERVAL_MS = 10_000

/**
 * Starts receiving deliveries on a port. `close` waits until all deliveries are stored. Throws NETWORK_ERROR if the
 * port cannot be used.
 */
export async function startListener(listening: ListenerOptions): Promise<Pick<RunningServer, 'origin' | 'close'>> {
  const { port, host, store, onRefused: refused, maxBodyBytes, report } = listening
  const roomFor = Math.floor(BODIES_BYTES / maxBodyBytes)
  const maxConnections = Math.max(MIN_CONNECTIONS, Math.min(MAX_CONNECTIONS, roomFor))
  let saidAt = Number.NEGATIVE_INFINITY
  try {
    const server = await serve(openReceiver(listening), {
      ...{ port, host, maxBodyBytes, refused, maxConnections },
      ...{ requestTimeoutMs: REQUEST_WITHIN_MS, closeGraceMs: CLOSE_GRACE_MS },
      onDropped: () => {
        if (monotonicMs() - saidAt < WARN_INTERVAL_MS) return
        saidAt = monotonicMs()
        report(`${maxConnections} connections are open; further connections are closed without a response`)
      },
    })
    return {
      origin: server.origin,
      close: async () => {
        await server.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Watches for periods without deliveries. Whenever `afterMs` milliseconds pass without a delivery, calls `report`
 * with the total time since `hear` was last called. Does nothing if `afterMs` is `null`.
 */
export function watchSilence(afterMs: number | null, report: (quietMs: number) => void) {
  let times = 0
  const timer = afterMs === null ? undefined : setInterval(() => report(afterMs * ++times), afterMs)
  return {
    hear: () => {
      times = 0
      timer?.refresh()
    },
    end: () => clearInterval(timer),
  }
}
