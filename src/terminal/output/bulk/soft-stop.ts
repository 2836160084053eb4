import { Interrupted } from '../../../base/failure/interrupted.ts'
import type { Host } from '../../runtime/host.ts'

/**
 * Has the first signal end a bulk softly from now on: nothing more is sent, and what is under way is waited for. The second ends
 * the command at once, as any other.
 */
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
