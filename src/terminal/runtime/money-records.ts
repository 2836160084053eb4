import { Failure } from '../../base/failure/failure.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { resolveSettings } from '../../client/profiles/resolve.ts'
import type { Ledger } from '../../money/ledger/ledger.ts'
import type { OperationStore } from '../../money/operations/store.ts'
import type { CommonFlags } from '../input/command-line.ts'
import type { Host } from './host.ts'

/** The records of money writes. */
export interface MoneyRecords {
  /** Opens the record on this machine. Throws INTERNAL if it cannot be opened. */
  readonly open: () => Promise<OperationStore>
  /**
   * Opens the ledger for commands that do not need the service, or returns `null` if there is none. Throws USAGE if a
   * setting is invalid.
   */
  readonly ledger: () => Promise<Ledger | null>
}

/**
 * Returns the ledger's PostgreSQL URL for commands that do not need the service, or `null` if there is none. Ignores a
 * profile that no longer exists. Throws USAGE if a setting is invalid.
 */
export function findLedger({ env }: Pick<Host, 'env'>, { profile, ledger }: CommonFlags): string | null {
  try {
    const settings = resolveSettings({
      flags: { profile, ledger },
      env,
      profiles: () => readProfiles(profilesPath(env)),
    })
    return settings.ledger?.value ?? null
  } catch (error) {
    if (error instanceof Failure && error.code === 'NO_PROFILE') return ledger ?? null
    throw error
  }
}
