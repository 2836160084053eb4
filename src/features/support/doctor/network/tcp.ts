import { monotonicMs } from '../../../../base/stopwatch.ts'
import { NetworkError } from '../../../../http/client/errors.ts'
import { command, isInside, type Section } from '../examination.ts'
import { fail, ok, skip } from '../finding.ts'
import { openWay, placeOf, placeText } from './way.ts'

const NAME = 'tcp'

/** Checks that the service accepts connections. */
export const tcpSection: Section = {
  rows: [NAME],
  needs: ['profile', 'dns'],
  async *examine(given, known) {
    if (isInside(known)) return yield skip(NAME, 'the sandbox runs inside this command')
    const place = placeOf(known)
    if (place === null) return
    if (known.proxy !== null) return yield skip(NAME, 'the proxy makes the connection')
    const started = monotonicMs()
    try {
      known.socket = await openWay(given, known, place)
      yield ok(NAME, `${placeText(place)} takes connections (${Math.round(monotonicMs() - started)} ms)`)
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error
      const why =
        error.kind === 'refused'
          ? `nothing listens at ${placeText(place)} (connection refused)`
          : `${placeText(place)}: ${error.message}`
      yield fail(NAME, `${why}; is the base URL right, and the service running?`, command('config', given))
    }
  },
}
