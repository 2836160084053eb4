import { hostname } from 'node:os'
import { addressSpellings } from '../../client/same-service.ts'

/**
 * Converts service names between this machine's record and the ledger. In the ledger, each machine's built-in sandbox
 * has a separate name.
 */
export class ServiceNames {
  readonly #ownSandbox: string

  /** `dataDirectory` distinguishes this machine's built-in sandbox from others. */
  constructor(dataDirectory: string) {
    this.#ownSandbox = `sandbox of ${hostname()}:${dataDirectory}`
  }

  /** Returns the name of a service in the ledger. */
  readonly toLedger = (service: string): string =>
    service === 'sandbox' ? this.#ownSandbox : (addressSpellings(service)[0] ?? service)

  /** Returns the name of a service on this machine. */
  readonly toLocal = (name: string): string => (name === this.#ownSandbox ? 'sandbox' : name)
}
