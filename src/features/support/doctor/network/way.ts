import { connect, isIP, type Socket } from 'node:net'
import { toNetworkError } from '../../../../http/client/error-causes.ts'
import { DeadlinePassed, NetworkError } from '../../../../http/client/errors.ts'
import { type Examination, type Known, patience } from '../examination.ts'
import { openTunnel } from './tunnel.ts'

/** Where a service listens. */
export interface Place {
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/** Where the service listens; null: inside this command, or nowhere that is known. */
export function placeOf({ settings }: Known): Place | null {
  const url = settings?.kind === 'service' ? settings.baseUrl?.value : undefined
  return url ? placeOfUrl(url) : null
}

/** The place that an http or https URL leads to. */
export function placeOfUrl({ hostname, port, protocol }: URL): Place {
  const host = hostname.replace(/^\[(.+)\]$/, '$1')
  return { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** A place as it is written: `service.example:443`, `[::1]:443`. */
export function placeText({ host, port }: Place): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** Opens a connection to the service, as requests go: directly, or through the proxy. Fails: NetworkError; Interrupted. */
export async function openWay(given: Examination, { proxy }: Known, place: Place): Promise<Socket> {
  const signal = patience(given)
  try {
    return await (proxy === null ? connected(connect(place), signal) : openTunnel(proxy, placeText(place), signal))
  } catch (error) {
    throw explained(error, given, signal)
  }
}

/** Waits until a socket is connected. Fails: its error; the reason of the signal. */
export function connected(socket: Socket, signal: AbortSignal, event = 'connect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const give = (error?: unknown) => {
      signal.removeEventListener('abort', stop)
      if (error === undefined) return resolve(socket)
      socket.destroy()
      reject(error)
    }
    const stop = () => give(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    // It stays for errors that come later: nobody else listens for them.
    socket.on('error', give)
    socket.once('close', () => give(new NetworkError('broken-off', 'the other side closed the connection', false)))
    socket.once(event, () => give())
    if (signal.aborted) stop()
  })
}

/** An error of a step, in plain words; the reason when the examination is to stop. */
export function explained(error: unknown, { around, timeoutMs }: Examination, signal: AbortSignal): unknown {
  around.signal.throwIfAborted()
  if (signal.aborted) return new NetworkError('timeout', new DeadlinePassed(timeoutMs).message, false)
  return toNetworkError(error, false)
}
