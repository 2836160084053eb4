import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** How to treat a message. `cut` closes the connection, so that the message or its response is lost. */
export type Treatment = 'pass' | 'cut'

/** Called before a message is forwarded to the database and again before its response is forwarded to the run. */
export type OnMessage = (message: {
  readonly run: string
  /** The message's sequence number within the run, starting at 1. */
  readonly number: number
  readonly when: 'before' | 'after'
}) => Treatment | Promise<Treatment>

/** A TCP proxy between partner and the ledger's database. It processes one message at a time. */
export interface LedgerLine {
  readonly port: number
  /** How to treat new connections. `starting` rejects them with the error of a database that is starting up. */
  state: 'up' | 'down' | 'starting'
  onMessage: OnMessage
  /** Closes all connections, or only those of the given run. */
  cut(run?: string): void
  /** Returns the number of messages that a run has sent. */
  sentBy(run: string): number
}

/** The error that PostgreSQL sends while it is starting up, with SQLSTATE 57P03. */
const STARTING_UP = Buffer.from(
  message(
    'E',
    ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''].map((field) => `${field}\0`).join(''),
  ),
)

/**
 * Starts a proxy to a local PostgreSQL server. The proxy stops when the test ends. It identifies a run by the
 * `application_name` of the run's connections. `now`, if given, replaces the database's clock. It returns milliseconds
 * since 1970.
 */
export async function startLedgerLine(serverPort: number, now?: () => number): Promise<LedgerLine> {
  const pairs = new Set<{ readonly client: Socket; readonly upstream: Socket; run: string }>()
  const counts = new Map<string, number>()
  const clients = new Set<Socket>()

  const withTime = (sql: Buffer): Buffer =>
    now === undefined
      ? sql
      : query(
          sql
            .toString('utf8', 5, sql.byteLength - 1)
            .replaceAll('clock_timestamp()', `to_timestamp(${now()} / 1000.0)`),
        )

  const serve = async (client: Socket) => {
    const upstream = connect(serverPort, '127.0.0.1')
    const pair = { client, upstream, run: '' }
    pairs.add(pair)
    const close = () => {
      pairs.delete(pair)
      for (const socket of [client, upstream]) socket.destroy()
    }
    for (const socket of [client, upstream]) socket.on('close', close).on('error', close)
    const requests = messagesOf(client, true)
    const responses = messagesOf(upstream, false)
    /** Reads all messages up to and including the one that reports that the database is ready. */
    const response = async () => {
      const parts: Buffer[] = []
      for (;;) {
        const part = await responses()
        if (part === null) return null
        parts.push(part)
        if (part[0] === READY) return Buffer.concat(parts)
      }
    }
    for (let isFirst = true; ; isFirst = false) {
      const request = await requests()
      if (request === null || request[0] === TERMINATE) return close()
      if (isFirst) pair.run = /application_name\0([^\0]*)/.exec(request.toString('latin1'))?.[1] ?? ''
      const { run } = pair
      const number = isFirst ? 0 : (counts.get(run) ?? 0) + 1
      if (!isFirst) counts.set(run, number)
      if (!isFirst && (await line.onMessage({ run, number, when: 'before' })) === 'cut') return close()
      upstream.write(isFirst ? request : withTime(request))
      const answer = await response()
      if (answer === null) return close()
      if (!isFirst && (await line.onMessage({ run, number, when: 'after' })) === 'cut') return close()
      client.write(answer)
    }
  }

  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => {}).on('close', () => clients.delete(client))
    if (line.state === 'down') client.resetAndDestroy()
    else if (line.state === 'starting') client.end(STARTING_UP)
    else void serve(client)
  })
  const line: LedgerLine & { port: number } = {
    port: 0,
    state: 'up',
    onMessage: () => 'pass',
    cut: (run) => {
      for (const pair of pairs)
        if (run === undefined || pair.run === run) for (const socket of [pair.client, pair.upstream]) socket.destroy()
    },
    sentBy: (run) => counts.get(run) ?? 0,
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  line.port = typeof address === 'object' && address !== null ? address.port : 0
  onTestFinished(async () => {
    line.cut()
    for (const client of clients) client.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return line
}

const READY = 'Z'.charCodeAt(0)
const TERMINATE = 'X'.charCodeAt(0)

function query(sql: string): Buffer {
  return message('Q', `${sql}\0`)
}

function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(body)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(bytes.byteLength + 4, 1)
  return Buffer.concat([head, bytes])
}

/**
 * Returns a function that reads the next PostgreSQL message from a socket, and returns `null` if the socket is closed.
 * The first message of a client has no type.
 */
function messagesOf(socket: Socket, isClient: boolean): () => Promise<Buffer | null> {
  let pending = Buffer.alloc(0)
  let isFirst = isClient
  let isClosed = false
  let wake = () => {}
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    wake()
  })
  socket.on('close', () => {
    isClosed = true
    wake()
  })
  return async () => {
    for (;;) {
      const typeLength = isFirst ? 0 : 1
      const length = pending.byteLength < typeLength + 4 ? null : pending.readInt32BE(typeLength) + typeLength
      if (length !== null && pending.byteLength >= length) {
        const whole = pending.subarray(0, length)
        pending = pending.subarray(length)
        isFirst = false
        return whole
      }
      if (isClosed) return null
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}
