import { hostname } from 'node:os'
import { addressSpellings } from '../../client/same-service.ts'

/**
 * Converts names of services between the record on this machine and the ledger. In the ledger, the built-in sandbox of
 * each machine has a separate name.
 */
export class ServiceNames {
  readonly #ownSandbox: string

  /** `dataDirectory` tells this machine's built-in sandbox from those of other machines. */
  constructor(dataDirectory: string) {
    this.#ownSandbox = `sandbox of ${hostname()}:${dataDirectory}`
  }

  /** Returns the name of a service in the ledger. */
  readonly toLedger = (service: string): string =>
    service === 'sandbox' ? this.#ownSandbox : (addressSpellings(service)[0] ?? service)

  /** Returns the name of a service on this machine. */
  readonly toLocal = (name: string): string => (name === this.#ownSandbox ? 'sandbox' : name)
}
