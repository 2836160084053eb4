import { Interrupted } from '../../../base/failure/interrupted.ts'
import type { Host } from '../../runtime/host.ts'
import { describeSignal } from '../../runtime/stopping.ts'

/** The first signal lets running requests finish, and the second stops the command immediately. */
export function stopGracefully(host: Host): AbortController {
  const stop = new AbortController()
  host.handleSignals((signal) => {
    const by = describeSignal(signal)
    if (stop.signal.aborted) return host.stop(by)
    stop.abort(new Interrupted(by))
    void host.stderr.write(
      `${by}: waiting for work in progress to finish; a second ${by} stops the command immediately\n`,
    )
  })
  return stop
}
