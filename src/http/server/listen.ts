import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure } from '../../base/failure/failure.ts'

/** Starts a server and returns its port. Throws NETWORK_ERROR if it cannot listen on the address. */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const [why, hint] = TROUBLES[error.code ?? ''] ?? [error.message, undefined]
      const place = error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' ? host : `${host}:${port}`
      reject(new Failure('NETWORK_ERROR', `cannot listen on ${place}: ${why}`, { hint, cause: error }))
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

const NO_ADDRESS = [
  'this machine does not have that address',
  'use 127.0.0.1 to accept connections only from this machine, or 0.0.0.0 to listen on all of its addresses',
] as const

const TROUBLES: Readonly<Record<string, readonly [why: string, hint: string]>> = {
  EADDRINUSE: ['it is in use', 'stop the other program, or choose another port: --port 0 picks a free one'],
  EADDRNOTAVAIL: NO_ADDRESS,
  ENOTFOUND: NO_ADDRESS,
  EACCES: ['you are not allowed to use that port', 'choose one above 1023: --port 0 picks a free one'],
}
