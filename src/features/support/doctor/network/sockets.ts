import type { IncomingMessage } from 'node:http'
import { connect, isIP, type Socket } from 'node:net'
import { toNetworkError } from '../../../../http/client/error-causes.ts'
import { DeadlinePassed, NetworkError } from '../../../../http/client/errors.ts'
import type { ChosenProxy } from '../../../../http/proxy-choice.ts'
import { type DoctorState, type Examination, isInside, type Section, stepSignal } from '../examination.ts'
import { type Finding, skip } from '../finding.ts'

/** The address of a server. */
export interface ServerAddress {
  readonly url: URL
  /** The host name, or the IP address without brackets. */
  readonly host: string
  readonly port: number
}

/** Returns the service's address, or `null` if the service is unknown or runs inside this command. */
export function serviceAddress({ settings }: DoctorState): ServerAddress | null {
  const url = settings?.kind === 'service' ? settings.baseUrl?.value : undefined
  return url ? addressOfUrl(url) : null
}

/** Returns the host and port of an http or https URL. */
export function addressOfUrl(url: URL): ServerAddress {
  const host = url.hostname.replace(/^\[(.+)\]$/, '$1')
  return { url, host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) }
}

type NetworkCheck = (place: ServerAddress, given: Examination, known: DoctorState) => AsyncIterable<Finding>

/** Returns a section with one network check. The check is skipped if the service is the sandbox inside this command. */
export function networkSection(name: string, needs: readonly string[], check: NetworkCheck): Section {
  return {
    ...{ rows: [name], needs },
    async *examine(given, known) {
      const place = serviceAddress(known)
      if (isInside(known)) yield skip(name, 'the sandbox runs inside this command')
      else if (place !== null) yield* check(place, given, known)
    },
  }
}

/** Returns a step's result, or the network error that made the step fail. Throws any other error. */
export async function orNetworkError<T>(step: Promise<T>): Promise<T | NetworkError> {
  try {
    return await step
  } catch (error) {
    if (error instanceof NetworkError) return error
    throw error
  }
}

/** Formats an address, such as `service.example:443` or `[::1]:443`. */
export function addressText({ host, port }: ServerAddress): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

/** Opens a connection to the service, directly or through the proxy. Throws NetworkError or Interrupted. */
export async function openConnection(
  given: Examination,
  { proxy }: DoctorState,
  place: ServerAddress,
): Promise<Socket> {
  const signal = stepSignal(given)
  try {
    return await (proxy === null
      ? waitUntilConnected(connect({ host: place.host, port: place.port }), signal)
      : openTunnel(proxy, addressText(place), signal))
  } catch (error) {
    throw toStepError(error, given, signal)
  }
}

/** Waits until a socket is connected. Throws the socket's error, or the signal's reason if the signal is aborted. */
export function waitUntilConnected(socket: Socket, signal: AbortSignal, event = 'connect'): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const give = (error?: unknown) => {
      signal.removeEventListener('abort', stop)
      if (error === undefined) return resolve(socket)
      socket.destroy()
      reject(error)
    }
    const stop = () => give(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    // This listener is never removed, because no other listener handles later errors.
    socket.on('error', give)
    socket.once('close', () => give(new NetworkError('broken-off', 'the other side closed the connection', false)))
    socket.once(event, () => give())
    if (signal.aborted) stop()
  })
}

/** Converts a step's error to a NetworkError. Throws the signal's reason if the doctor was stopped. */
export function toStepError(error: unknown, { around, timeoutMs }: Examination, signal: AbortSignal): unknown {
  around.signal.throwIfAborted()
  if (signal.aborted) return new NetworkError('timeout', new DeadlinePassed(timeoutMs).message, false)
  return toNetworkError(error, false)
}

/**
 * Opens a tunnel through a proxy to an address such as `service.example:443`. Throws a NetworkError that names the
 * proxy, or the signal's reason if the signal is aborted.
 */
async function openTunnel({ address, label: named }: ChosenProxy, place: string, signal: AbortSignal): Promise<Socket> {
  const { request } = await (address.protocol === 'https:' ? import('node:https') : import('node:http'))
  const asked = request({
    ...{ host: address.hostname.replace(/^\[(.+)\]$/, '$1'), port: address.port, method: 'CONNECT', path: place },
    headers: { host: place, ...credentialsOf(address) },
    agent: false,
    signal,
  })
  return new Promise((resolve, reject) => {
    const refuse = (why: string, cause?: unknown) => reject(new NetworkError('proxy', `${named} ${why}`, false, cause))
    const answered = ({ statusCode = 0, statusMessage = '' }: IncomingMessage, socket: Socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      refuse(
        statusCode === 407
          ? 'requires a user name and a password, or rejects those that were given (407)'
          : `refuses to connect to ${place} (${statusCode} ${statusMessage})`,
      )
    }
    asked.on('connect', answered)
    // Instead of opening a tunnel, the proxy might send an ordinary response, such as a web page.
    asked.on('response', (response) => answered(response, response.socket))
    asked.on('error', (error) => {
      if (signal.aborted) reject(signal.reason)
      else refuse(`cannot be reached: ${toNetworkError(error, false).message}`, error)
    })
    asked.end()
  })
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
