import type { HoldOptions } from '../copy.ts'
import type { Address } from './connection/address.ts'
import type { Connection } from './connection/connection.ts'
import type { Claim, Taken } from './lease/lease.ts'

/** What a `PostgresCopy` is opened with. */
export interface Opened {
  readonly name: string
  readonly address: Address
  readonly connection: Connection
  readonly claim: Claim
  readonly taken: Taken
  readonly timezone: string | null
  readonly options: HoldOptions
}
