import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { toNetworkError } from '../../../../http/client/error-causes.ts'
import { NetworkError } from '../../../../http/client/errors.ts'
import type { ChosenProxy } from '../../../../http/proxy-choice.ts'

/**
 * Opens a tunnel through a proxy to a place (`service.example:443`). Whatever keeps it from there is the proxy's doing, and the
 * error names the proxy. Fails: NetworkError; the reason of the signal.
 */
export async function openTunnel({ address, named }: ChosenProxy, place: string, signal: AbortSignal): Promise<Socket> {
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
          ? 'wants a user name and a password, or other ones (407)'
          : `refuses the way to ${place} (${statusCode} ${statusMessage})`,
      )
    }
    asked.on('connect', answered)
    // An answer without a tunnel, such as the page of a web server.
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
