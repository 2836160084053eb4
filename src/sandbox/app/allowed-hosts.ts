import { isLoopback } from '../../http/loopback.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Layer } from '../../http/transport.ts'

/** Splits a Host header into a name and a port, which is 80 by default. Returns `null` if the header is invalid. */
export function readHost(header: string): { readonly name: string; readonly port: number } | null {
  const [, name, port = '80'] = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::(\d{1,5}))?$/i.exec(header) ?? []
  return name === undefined ? null : { name: name.toLowerCase(), port: Number(port) }
}

/**
 * Responds with 421 to any request for a host name other than the sandbox's own. Without this check, a web page could
 * reach the sandbox by making its own host name resolve to this machine. The sandbox's own names are those of this
 * machine, the address that the sandbox listens on, and `allowed`.
 */
export function withAllowedHosts(address: string, allowed: readonly string[]): Layer {
  const names = new Set([address, ...allowed].map(normalizeName))
  const isEverywhere = /^(0\.0\.0\.0|[0:]+)$/.test(address)
  const isOwn = (header: string) => {
    const name = normalizeName(readHost(header)?.name ?? '')
    return isLoopback(name) || names.has(name) || (isEverywhere && ownAddresses().has(name))
  }
  return (next) => async (request) => {
    const { headers, url } = request
    const requested = headers['host'] ?? url.host
    // The URL in the request line can contain a different host than the Host header.
    const foreign = [requested, url.host].find((host) => !isOwn(host))
    if (foreign === undefined) return next(request)
    const name = readHost(foreign)?.name ?? ''
    const remedy = /^[\w.-]+$/.test(name) ? ` To allow it, start the sandbox with --allow-host ${name}.` : ''
    return jsonReply(421, { message: `This sandbox does not serve that host name.${remedy}` })
  }
}

function normalizeName(name: string): string {
  return name.toLowerCase().replace(/^\[|\]$/g, '')
}

function ownAddresses(): Set<string> {
  const interfaces = Object.values(process.getBuiltinModule('node:os').networkInterfaces())
  return new Set(interfaces.flatMap((addresses) => addresses ?? []).map(({ address }) => normalizeName(address)))
}
