import { isLoopback } from '../../http/loopback.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { Layer } from '../../http/transport.ts'

/** The name and port of a Host header; `port` is 80 if it has none. `null` for anything else. */
export function readHost(header: string): { readonly name: string; readonly port: number } | null {
  const [, name, port = '80'] = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::(\d{1,5}))?$/i.exec(header) ?? []
  return name === undefined ? null : { name: name.toLowerCase(), port: Number(port) }
}

/**
 * Refuses requests for other host names than the sandbox's own with 421, as a web page could have its name resolve to
 * this machine. Its own names are those of this machine, the address it listens on, and `allowed`.
 */
export function withOwnNames(address: string, allowed: readonly string[]): Layer {
  const names = new Set([address, ...allowed].map(bare))
  const isEverywhere = /^(0\.0\.0\.0|[0:]+)$/.test(address)
  const isOwn = (header: string) => {
    const name = bare(readHost(header)?.name ?? '')
    return isLoopback(name) || names.has(name) || (isEverywhere && ownAddresses().has(name))
  }
  return (next) => async (request) => {
    const { headers, url } = request
    const asked = headers['host'] ?? url.host
    // A request line may name another host than the header.
    const stranger = [asked, url.host].find((host) => !isOwn(host))
    if (stranger === undefined) return next(request)
    const name = readHost(stranger)?.name ?? ''
    const how = /^[\w.-]+$/.test(name) ? ` If you mean it to, start it with --allow-host ${name}.` : ''
    return jsonReply(421, { message: `This sandbox does not answer at that name.${how}` })
  }
}

function bare(name: string): string {
  return name.toLowerCase().replace(/^\[|\]$/g, '')
}

function ownAddresses(): Set<string> {
  const interfaces = Object.values(process.getBuiltinModule('node:os').networkInterfaces())
  return new Set(interfaces.flatMap((addresses) => addresses ?? []).map(({ address }) => bare(address)))
}
