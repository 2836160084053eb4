import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { shellWord } from '../../../../base/failure/shell-word.ts'
import { NetworkError } from '../../../../http/client/errors.ts'
import { command, type Examination, isInside, patience, type Section } from '../examination.ts'
import { fail, ok, skip } from '../finding.ts'
import { explained, placeOf } from './way.ts'

const NAME = 'dns'
const SHOWN_ADDRESSES = 3

/** Checks that the host name of the service resolves. */
export const resolvingSection: Section = {
  rows: [NAME],
  needs: ['profile', 'proxy'],
  async *examine(given, known) {
    if (isInside(known)) return yield skip(NAME, 'the sandbox runs inside this command')
    const place = placeOf(known)
    if (place === null) return
    if (known.proxy !== null) return yield skip(NAME, `${place.host} is looked up by the proxy, not here`)
    if (isIP(place.host) !== 0) return yield skip(NAME, `${place.host} is an address, not a name`)
    try {
      const addresses = await resolved(place.host, given)
      yield ok(NAME, `${place.host} is ${addresses.slice(0, SHOWN_ADDRESSES).join(', ')}`)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const isSilent = error.kind === 'timeout' || error.message.includes('did not answer')
      const next = isSilent ? `nslookup ${shellWord(place.host)}` : command('config', given)
      yield fail(NAME, isSilent ? error.message : `${error.message}; is the base URL right?`, next)
    }
  },
}

/** Returns the addresses of a host name. Fails: NetworkError; Interrupted. */
export async function resolved(host: string, given: Examination): Promise<string[]> {
  const signal = patience(given)
  const stopped = once(signal, 'abort').then(() => Promise.reject<never>(signal.reason))
  try {
    const found = await Promise.race([lookup(host, { all: true }), stopped])
    return found.map(({ address }) => address)
  } catch (error) {
    throw explained(error, given, signal)
  }
}
