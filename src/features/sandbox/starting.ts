import { existsSync } from 'node:fs'
import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { isLoopback } from '../../http/loopback.ts'
import { databasePath } from '../../sandbox/store/data-directory.ts'
import type { Sandbox } from '../../studio/start.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { OpenedSnapshot, readVenueOptions } from './snapshots.ts'

/** Checks that a snapshot would not replace an existing venue. Throws USAGE if the directory already has a venue. */
export function refuseToReplace(data: string, snapshot: string): void {
  if (data === ':memory:' || !existsSync(databasePath(data))) return
  throw new Failure('USAGE', `${data} already has a venue, and --snapshot can only start a new one`, {
    hint: `omit --data to serve the snapshot in memory, or replace that venue: ${formatCommand`sandbox snapshot load ${snapshot} --data ${data}`}`,
  })
}

/**
 * Describes the clock of a loaded snapshot, to be appended to a sentence. Returns an empty string without a snapshot.
 */
export function describeSnapshotClock({ clock }: Sandbox, snapshot: OpenedSnapshot | null): string {
  return snapshot ? `, whose clock ${clock.frozen ? 'is frozen at' : 'continues from'} ${clock.now}` : ''
}

type VenueOptions = Awaited<ReturnType<typeof readVenueOptions>>['options']

/**
 * Returns warnings about a started sandbox: that others can reach it, that its seed is not the requested one, or that
 * its clock differs from the time on this machine.
 */
export function listWarnings(
  sandbox: Sandbox,
  { seed, clock, fill }: VenueOptions,
  host: string | undefined,
): string[] {
  const warnings: string[] = []
  if (host !== undefined && !isLoopback(host))
    warnings.push(
      `anyone who can reach ${host} on port ${new URL(sandbox.baseUrl).port} can use this sandbox, because its keys are public and http is not encrypted; to control its faults, journal and clock, use --data`,
    )
  if (seed !== undefined && seed !== sandbox.seed)
    warnings.push(
      `this venue already exists and was created with seed ${sandbox.seed}; to use seed ${seed}, reset the venue first or choose another --data`,
    )
  if (sandbox.clock.shifted && clock === undefined && fill === undefined)
    warnings.push(
      `this venue's clock ${sandbox.clock.frozen ? 'is frozen' : 'is set'} at ${sandbox.clock.now}; to set it back to this machine's time: partner sandbox clock reset`,
    )
  return warnings
}

/**
 * Waits for a stop signal, which is the normal way to stop a sandbox. While the sandbox closes (at most 2 s), further
 * signals are ignored, because npm sends each signal twice.
 */
export function waitForStop({ signal, handleSignals }: Host): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      handleSignals(() => undefined)
      resolve()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
  })
}
