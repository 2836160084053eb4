import { NetworkError } from '../../../../http/client/errors.ts'
import { isLoopback } from '../../../../http/loopback.ts'
import { chooseProxy, proxyVariable } from '../../../../http/proxy-choice.ts'
import { isInside, type Section } from '../examination.ts'
import { fail, ok, skip } from '../finding.ts'
import { openWay, placeOf, placeText } from './way.ts'

const NAME = 'proxy'

/** Checks that the proxy, if there is one, lets connections through. */
export const proxySection: Section = {
  rows: [NAME],
  needs: ['profile'],
  async *examine(given, known) {
    if (isInside(known)) return yield skip(NAME, 'the sandbox runs inside this command')
    const origin = known.settings?.baseUrl?.value
    const place = placeOf(known)
    if (origin === undefined || place === null) return
    const { env } = given.around
    known.proxy = chooseProxy(origin, env)
    const { proxy } = known
    if (proxy === null) return yield ok(NAME, `none: ${whyNone(origin, env)}`)
    if (proxy.address.protocol.startsWith('socks'))
      return yield ok(NAME, `${proxy.named} is in between; a SOCKS proxy is not looked through`)
    try {
      known.socket = await openWay(given, known, place)
      yield ok(NAME, `${proxy.named} leads to ${placeText(place)}`)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const { variable } = proxyVariable(origin, env)
      const message = error.kind === 'proxy' ? error.message : `${proxy.named}: ${error.message}`
      // The address may contain a password, so the shell inserts it.
      yield fail(NAME, message, `curl -sv -o /dev/null --proxy "$${variable}" ${origin.origin}/`)
    }
  },
}

function whyNone(origin: URL, env: Readonly<Record<string, string | undefined>>): string {
  const { variable, given } = proxyVariable(origin, env)
  if (isLoopback(origin.hostname)) return `${origin.hostname} is this machine`
  return given === '' ? `${variable} is not set` : `NO_PROXY leaves ${origin.hostname} out`
}
