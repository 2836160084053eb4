import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Stands between a client and a server, and spoils what passes. */
export interface Proxy {
  readonly port: number
  /** From now on nothing passes, in either direction, and nobody is told. */
  freeze(): void
  /** What was held back passes, and everything after it. */
  thaw(): void
  /** Ends all connections; new ones pass. */
  cut(): void
  /** Called with what a client sends before it passes; `cut` drops the connection without the answer. */
  onSent: ((bytes: Buffer) => 'pass' | 'cut-after') | null
  /** How many connections were made. */
  readonly connections: number
}

/** Forwards to a port of this machine until the test is over. */
export async function startProxy(port: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let isFrozen = false
  let connections = 0
  const server: Server = createServer((client) => {
    connections += 1
    const upstream = connect(port, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    let isMute = false
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
    client.on('data', (bytes: Buffer) => {
      if ((proxy.onSent?.(bytes) ?? 'pass') === 'cut-after') isMute = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes: Buffer) => {
      // The server has done what it was asked to do, and nobody hears of it.
      if (isMute) client.destroy()
      else client.write(bytes)
    })
    if (isFrozen) for (const socket of pair) socket.pause()
  })
  const proxy: Proxy & { port: number } = {
    port: 0,
    onSent: null,
    freeze: () => {
      isFrozen = true
      for (const pair of pairs) for (const socket of pair) socket.pause()
    },
    thaw: () => {
      isFrozen = false
      for (const pair of pairs) for (const socket of pair) socket.resume()
    },
    cut: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
    },
    get connections() {
      return connections
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  proxy.port = typeof address === 'object' && address !== null ? address.port : 0
  onTestFinished(async () => {
    proxy.cut()
    await new Promise((resolve) => server.close(resolve))
  })
  return proxy
}
