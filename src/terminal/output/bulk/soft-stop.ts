import { Interrupted } from '../../../base/failure/interrupted.ts'
import type { Host } from '../../runtime/host.ts'

/** Makes the first signal end a bulk softly: running requests finish. The second ends the command at once. */
export function softStop(host: Host): AbortController {
  const stop = new AbortController()
  host.answerSignals((signal) => {
    const by = signal === 'SIGINT' && process.stdin.isTTY ? 'Ctrl-C' : signal
    if (stop.signal.aborted) return host.stop(by)
    stop.abort(new Interrupted(by))
    void host.stderr.write(`${by}: waiting for what is under way; once more to stop at once\n`)
  })
  return stop
}
