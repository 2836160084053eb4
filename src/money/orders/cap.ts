import { Failure } from '../../base/failure/failure.ts'
import { centsText } from '../amount.ts'

/** The daily cap and the amount of an order that counts towards it. Amounts are in cents. */
export interface DailyCap {
  /** The order's amount, or `null` if it is unknown. */
  readonly counted: bigint | null
  /** The daily cap, or `null` if there is none. */
  readonly perDay: bigint | null
  /** The venue's time zone, or `null` for UTC. */
  readonly zone: string | null
}

/** Thrown if an order would exceed the daily cap. */
export class OverCap extends Failure {}

/** Throws {@link OverCap} if an order exceeds the daily cap. `moved` is the amount that was already moved today. */
export function checkCap({ counted, perDay }: DailyCap, moved: bigint): void {
  if (perDay === null || (counted !== null && moved + counted <= perDay)) return
  const cap = `the daily cap is ${centsText(perDay)}`
  const why =
    counted === null
      ? `the amount of this order is unknown, and ${cap}`
      : `${centsText(moved)} has been moved today, this order moves ${centsText(counted)}, and ${cap}`
  throw new OverCap('USAGE', `${why}; nothing was sent`, {
    hint: 'a person can make this write without an agent',
    outcome: 'not-applied',
  })
}
