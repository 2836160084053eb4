import { connect } from 'node:net'
import { LIMIT_MS } from './limit.ts'

/** Writes raw text to a port of this machine, and gives everything that comes back until the connection ends. */
export async function rawAnswer(port: number, ...texts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  for (const text of texts) socket.write(text)
  let answer = ''
  socket.setTimeout(LIMIT_MS, () => socket.destroy())
  try {
    for await (const chunk of socket) answer += chunk
  } catch {
    // A connection that was reset: what came before counts.
  }
  return answer
}

/** Posts a body with any headers, also those that fetch does not let a program set. Gives the whole answer. */
export function rawPost(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { host, port, pathname } = new URL(url)
  const all = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return rawAnswer(Number(port), `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
