import { connect } from 'node:net'
import { LIMIT_MS } from './limit.ts'

/** Writes raw text to a local port. Returns everything that is received until the connection ends. */
export async function sendRaw(port: number, ...texts: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  for (const text of texts) socket.write(text)
  let answer = ''
  socket.setTimeout(LIMIT_MS, () => socket.destroy())
  try {
    for await (const chunk of socket) answer += chunk
  } catch {
    // The connection was reset, so the response ends here.
  }
  return answer
}

/** Posts a body with arbitrary headers, even headers that fetch does not allow. Returns the whole response as text. */
export function postRaw(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { host, port, pathname } = new URL(url)
  const all = { host, connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return sendRaw(Number(port), `POST ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}
