import { monotonicMs } from '../../base/stopwatch.ts'
import { type RunningServer, serve } from '../../http/server/serve.ts'
import { openReceiver, type Receiving } from './receiver.ts'

/** Options of a listener. It closes `keeper` when it closes, or if it cannot start. */
export interface Listening extends Receiving {
  readonly port: number
  readonly host: string
  readonly maxBodyBytes: number
  readonly tell: (line: string) => void
}

const CLOSE_GRACE_MS = 6000
/** The time limit for receiving a whole request: twice as long as the service waits for the response. */
const REQUEST_WITHIN_MS = 10_000
/** The maximum memory for the bodies of incomplete requests. */
const BODIES_BYTES = 128 * 1024 * 1024
const FEWEST_CONNECTIONS = 16
const MOST_CONNECTIONS = 128
/** The minimum time between two warnings about too many connections. Milliseconds. */
const SAY_AGAIN_MS = 10_000

/** Starts to receive deliveries on a port. `close` waits until all deliveries are stored. Fails: NETWORK_ERROR. */
export async function startListener(listening: Listening): Promise<Pick<RunningServer, 'origin' | 'close'>> {
  const { port, host, keeper, refused, maxBodyBytes, tell } = listening
  const roomFor = Math.floor(BODIES_BYTES / maxBodyBytes)
  const maxConnections = Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, roomFor))
  let saidAt = Number.NEGATIVE_INFINITY
  try {
    const server = await serve(openReceiver(listening), {
      ...{ port, host, maxBodyBytes, refused, maxConnections },
      ...{ requestTimeoutMs: REQUEST_WITHIN_MS, closeGraceMs: CLOSE_GRACE_MS },
      dropped: () => {
        if (monotonicMs() - saidAt < SAY_AGAIN_MS) return
        saidAt = monotonicMs()
        tell(`${maxConnections} connections are open; further connections are closed without an answer`)
      },
    })
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

/**
 * Watches for periods without deliveries. After each `afterMs` of silence, calls `tell` with the total time since the
 * last call of `hear`. Does nothing if `afterMs` is `null`.
 */
export function watchQuiet(afterMs: number | null, tell: (quietMs: number) => void) {
  let times = 0
  const timer = afterMs === null ? undefined : setInterval(() => tell(afterMs * ++times), afterMs)
  return {
    hear: () => {
      times = 0
      timer?.refresh()
    },
    end: () => clearInterval(timer),
  }
}
