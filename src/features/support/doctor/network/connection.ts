import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { monotonicMs } from '../../../../base/stopwatch.ts'
import { NetworkError } from '../../../../http/client/errors.ts'
import { isLoopback } from '../../../../http/loopback.ts'
import { chooseProxy, proxyVariable } from '../../../../http/proxy-choice.ts'
import { command, type Examination, stepSignal } from '../examination.ts'
import { fail, ok, skip } from '../finding.ts'
import { addressText, networkSection, openConnection, orNetworkError, toStepError } from './sockets.ts'

const [PROXY, DNS, TCP] = ['proxy', 'dns', 'tcp'] as const
const SHOWN_ADDRESSES = 3

/** Checks that the proxy, if there is one, forwards connections. */
export const proxySection = networkSection(PROXY, ['profile'], async function* (place, given, known) {
  const { url } = place
  const { env } = given.around
  const { variable, given: written } = proxyVariable(url, env)
  const proxy = chooseProxy(url, env)
  known.proxy = proxy
  if (proxy === null) {
    const unused = written === '' ? `${variable} is not set` : `NO_PROXY excludes ${url.hostname}`
    return yield ok(PROXY, `none: ${isLoopback(url.hostname) ? `${url.hostname} is this machine` : unused}`)
  }
  if (proxy.address.protocol.startsWith('socks'))
    return yield ok(PROXY, `connections go through ${proxy.label}; a SOCKS proxy is not checked further`)
  const socket = await orNetworkError(openConnection(given, known, place))
  if (socket instanceof NetworkError) {
    const message = socket.kind === 'proxy' ? socket.message : `${proxy.label}: ${socket.message}`
    // Suggest a command that uses the variable, because the address might contain a password.
    return yield fail(PROXY, message, `curl -sv -o /dev/null --proxy "$${variable}" ${url.origin}/`)
  }
  known.socket = socket
  yield ok(PROXY, `${proxy.label} connects to ${addressText(place)}`)
})

/** Checks that the service's host name resolves. */
export const resolvingSection = networkSection(DNS, ['profile', 'proxy'], async function* ({ host }, given, { proxy }) {
  if (proxy !== null) return yield skip(DNS, `the proxy, not this machine, resolves ${host}`)
  if (isIP(host) !== 0) return yield skip(DNS, `${host} is an IP address, not a name`)
  const found = await orNetworkError(resolveHost(host, given))
  if (!(found instanceof NetworkError)) return yield ok(DNS, `${host} is ${found.slice(0, SHOWN_ADDRESSES).join(', ')}`)
  const isSilent = found.kind === 'timeout' || found.message.includes('did not answer')
  const next = isSilent ? `nslookup ${quoteShellWord(host)}` : command('config', given)
  yield fail(DNS, isSilent ? found.message : `${found.message}; check the base URL`, next)
})

/** Checks that the service accepts connections. */
export const tcpSection = networkSection(TCP, ['profile', 'dns'], async function* (place, given, known) {
  if (known.proxy !== null) return yield skip(TCP, 'the proxy connects to the service')
  const started = monotonicMs()
  const socket = await orNetworkError(openConnection(given, known, place))
  const at = addressText(place)
  if (socket instanceof NetworkError) {
    const why =
      socket.kind === 'refused' ? `nothing is listening at ${at} (connection refused)` : `${at}: ${socket.message}`
    return yield fail(TCP, `${why}; check the base URL, and that the service is running`, command('config', given))
  }
  known.socket = socket
  yield ok(TCP, `${at} accepts connections (${Math.round(monotonicMs() - started)} ms)`)
})

/** Returns a host name's addresses. Throws NetworkError or Interrupted. */
export async function resolveHost(host: string, given: Examination): Promise<string[]> {
  const signal = stepSignal(given)
  const stopped = once(signal, 'abort').then(() => Promise.reject<never>(signal.reason))
  try {
    const found = await Promise.race([lookup(host, { all: true }), stopped])
    return found.map(({ address }) => address)
  } catch (error) {
    throw toStepError(error, given, signal)
  }
}
