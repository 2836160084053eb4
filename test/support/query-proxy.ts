import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Forwards a message, or cuts the connection before the server receives the message or before the client receives the
 * response.
 */
export type Treatment = 'pass' | 'cut-before' | 'cut-after'

/** A proxy that reads the queries that clients send to a PostgreSQL server. */
export interface QueryProxy {
  readonly port: number
  /** The queries that clients have sent, in order. A query with several statements is a single item. */
  readonly queries: string[]
  onQuery: (sql: string) => Treatment | Promise<Treatment>
  /** Whether new connections are closed immediately. */
  isDown: boolean
}

/** Starts a proxy that forwards unencrypted connections to a local port. The proxy stops when the test ends. */
export async function startQueryProxy(serverPort: number): Promise<QueryProxy> {
  const sockets = new Set<Socket>()
  const proxy: QueryProxy & { port: number } = { port: 0, queries: [], onQuery: () => 'pass', isDown: false }
  const server = createServer((client) => {
    if (proxy.isDown) return void client.destroy()
    const upstream = connect(serverPort, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    let isMute = false
    upstream.on('data', (bytes) => (isMute ? client.destroy() : client.write(bytes)))
    void forwardMessages(client, async (message, sql) => {
      if (sql !== null) proxy.queries.push(sql)
      const treatment = sql === null ? 'pass' : await proxy.onQuery(sql)
      if (treatment === 'cut-before') return void client.destroy()
      isMute ||= treatment === 'cut-after'
      upstream.write(message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  proxy.port = typeof address === 'object' && address !== null ? address.port : 0
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return proxy
}

/** Splits the bytes from a client into messages. `sql` is `null` for a message that is not a simple query. */
async function forwardMessages(
  client: Socket,
  forward: (message: Buffer, sql: string | null) => Promise<void>,
): Promise<void> {
  let rest = Buffer.alloc(0)
  // A connection's first message has no type byte. All later messages have one.
  let typeBytes = 0
  try {
    for await (const bytes of client as AsyncIterable<Buffer>) {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= typeBytes + 4) {
        const end = typeBytes + rest.readInt32BE(typeBytes)
        if (rest.length < end) break
        const isQuery = typeBytes === 1 && rest[0] === 'Q'.charCodeAt(0)
        await forward(rest.subarray(0, end), isQuery ? rest.toString('utf8', 5, end - 1) : null)
        rest = rest.subarray(end)
        typeBytes = 1
      }
    }
  } catch {
    // Ignore the error, because the connection was cut.
  }
}
