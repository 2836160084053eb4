import { connect, isIP } from 'node:net'
import { monotonicMs } from '../../base/stopwatch.ts'
import { toNetworkError } from '../../http/client/error-causes.ts'
import { DeadlinePassed, NetworkError } from '../../http/client/errors.ts'
import type { Sent } from '../listener/target.ts'

/** A connection that sends a request piece by piece. */
export interface RawConnection {
  /** Sends a piece of the request. Sends nothing if a response has arrived or the connection has ended. */
  write(text: string): Promise<void>
  /** Whether a response has arrived or the connection has ended. */
  readonly isOver: boolean
  /** Waits for the response. Throws Interrupted if the signal is aborted. */
  answer(limitMs: number): Promise<Sent>
  drop(how: 'close' | 'reset'): void
}

const MAX_HEAD_BYTES = 65_536

/** Connects without a proxy. Throws NetworkError, or Interrupted if the signal is aborted. */
export async function openRawConnection(url: URL, limitMs: number, signal?: AbortSignal): Promise<RawConnection> {
  const { socket, reset } = await openSocket(url, limitMs, signal)
  let head = ''
  let status: number | null = null
  let ended: string | null = null
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const stop = () => socket.destroy(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  socket.setEncoding('latin1').on('data', (text: string) => {
    if (status !== null || head.length > MAX_HEAD_BYTES) return
    head += text
    status = finalStatus(head)
    if (status !== null) end()
  })
  socket.on('error', (error) => {
    ended ??= toNetworkError(error, true).message
  })
  const closed = () => {
    ended ??= 'the connection was closed without a response'
    end()
  }
  socket.on('end', closed).on('close', closed)
  socket.on('close', () => signal?.removeEventListener('abort', stop))
  return {
    get isOver() {
      return status !== null || ended !== null
    },
    write: (text) =>
      new Promise((resolve) => {
        if (status !== null || socket.destroyed || !socket.writable) return resolve()
        socket.once('close', resolve)
        socket.write(text, () => {
          socket.off('close', resolve)
          resolve()
        })
      }),
    answer: async (limit) => {
      const started = monotonicMs()
      const timer = setTimeout(() => {
        ended ??= new DeadlinePassed(limit).message
        end()
      }, limit)
      await over
      clearTimeout(timer)
      socket.destroy()
      signal?.throwIfAborted()
      const ms = Math.round(monotonicMs() - started)
      return { status, error: status === null ? ended : null, location: null, maybeSent: true, ms }
    },
    drop: (how) => {
      if (how === 'reset') reset()
      socket.destroy()
    },
  }
}

/** Opens a TCP or TLS connection. With TLS, `reset` resets the underlying TCP connection. */
async function openSocket(url: URL, limitMs: number, signal?: AbortSignal) {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isTls = url.protocol === 'https:'
  const port = Number(url.port) || (isTls ? 443 : 80)
  signal?.throwIfAborted()
  const tls = isTls ? await import('node:tls') : null
  const plain = connect({ host, port })
  // Omit the server name if the host is an IP address, because TLS does not allow an IP address as a server name.
  const named = isIP(host) === 0 ? { servername: host } : {}
  const socket = tls ? tls.connect({ socket: plain, host, ...named }) : plain
  const overdue = () => socket.destroy(new NetworkError('timeout', new DeadlinePassed(limitMs).message, false))
  const timer = setTimeout(overdue, limitMs)
  const stop = () => socket.destroy(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    await new Promise((resolve, reject) => {
      // Do not remove these listeners later, because an unhandled error would end the process.
      for (const one of [plain, socket]) one.on('error', reject)
      socket.once(isTls ? 'secureConnect' : 'connect', resolve)
    })
    return { socket, reset: () => plain.resetAndDestroy() }
  } catch (error) {
    signal?.throwIfAborted()
    throw toNetworkError(error, false)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}

/** Returns the status of the final response (not 1xx) when its headers are complete. Returns `null` before that. */
function finalStatus(text: string): number | null {
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const status = Number(/^HTTP\/1\.[01] (\d{3})\b/.exec(rest)?.[1] ?? Number.NaN)
    if (end < 0 || Number.isNaN(status)) return null
    if (status >= 200) return status
    rest = rest.slice(end + 4)
  }
}
