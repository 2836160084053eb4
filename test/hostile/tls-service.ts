import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { onTestFinished } from 'vitest'
import { LIMIT_MS } from '../support/limit.ts'
import { freshDirectory } from '../support/partner.ts'
import { words } from '../support/words.ts'

/** The PEM files for a self-signed certificate and its key. */
export interface Certificate {
  readonly keyFile: string
  readonly certificateFile: string
}

/** Creates a self-signed certificate for names in openssl's format: `DNS:service.test`, `IP:127.0.0.1`. */
export function createCertificate(names: readonly string[]): Certificate {
  const directory = freshDirectory()
  const [keyFile, certificateFile] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')]
  execFileSync(
    'openssl',
    [
      ...words('req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=partner-test'),
      ...['-keyout', keyFile, '-out', certificateFile, '-addext', `subjectAltName=${names.join(',')}`],
    ],
    { stdio: 'ignore', timeout: LIMIT_MS },
  )
  return { keyFile, certificateFile }
}

/** Starts a TLS server that forwards each connection to a local port until either side closes it. Returns its port. */
export async function startTlsFront(
  port: number,
  { keyFile, certificateFile }: Certificate,
  more: TlsOptions = {},
): Promise<number> {
  const pair = { key: readFileSync(keyFile), cert: readFileSync(certificateFile) }
  const options = { ...pair, ALPNProtocols: ['h2', 'http/1.1'], ...more }
  const server = createTlsServer(options, (socket) => joinSockets(socket, connect(port, '127.0.0.1')))
  server.on('tlsClientError', () => {})
  return listen(server)
}

/** An HTTP proxy that connects every tunnel to the same local port, whatever target the client requests. */
export interface TunnelProxy {
  readonly url: string
  /** The requested targets, such as `service.test:443`. */
  readonly targets: readonly string[]
  /** Returns the headers of all requests that the proxy itself received. */
  readonly receivedHeaders: () => string
}

export async function startTunnelProxy(
  port: number,
  onTunnel: (socket: Socket) => void = () => {},
): Promise<TunnelProxy> {
  const asked: string[] = []
  const heard: string[] = []
  const server = createHttpServer((request, response) => {
    heard.push(JSON.stringify(request.headers))
    response.writeHead(400).end()
  })
  server.on('connect', (request, socket: Socket) => {
    asked.push(request.url ?? '')
    heard.push(JSON.stringify(request.headers))
    if (onTunnel.length > 0) return onTunnel(socket)
    const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'))
    joinSockets(socket, target)
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, targets: asked, receivedHeaders: () => heard.join('\n') }
}

function joinSockets(front: Socket, back: Socket): void {
  front.on('error', () => back.destroy()).on('close', () => back.destroy())
  back.on('error', () => front.destroy()).on('close', () => front.destroy())
  front.pipe(back).pipe(front)
}

function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
