import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A TCP proxy that can disturb the connection between a client and a server. */
export interface Proxy {
  readonly port: number
  /** Stops forwarding in both directions, but leaves connections open. */
  freeze(): void
  /** Forwards all data that was held back, and resumes forwarding. */
  thaw(): void
  /** Closes all connections. Clients can connect again. */
  cut(): void
  /**
   * Called with each chunk of bytes from a client, before the chunk is forwarded. If it returns `cut-after`, the
   * connection is dropped when the response arrives.
   */
  onSent: ((bytes: Buffer) => 'pass' | 'cut-after') | null
  /** The number of connections that clients have made. */
  readonly connections: number
}

/** Starts a proxy that forwards to a local port. The proxy stops when the test ends. */
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
      // The server has handled the request, but the client never receives the response.
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
