import { Failure } from '../../base/failure/failure.ts'
import { centsText } from '../amount.ts'

/** The cap for one day, and what an order counts towards it. Amounts are in cents. */
export interface DailyCap {
  /** `null` if the amount is unknown. */
  readonly counted: bigint | null
  /** `null` without a cap. */
  readonly perDay: bigint | null
  /** The time zone of the venue, or `null` for UTC. */
  readonly zone: string | null
}

/** Thrown if an order would exceed the cap for one day. */
export class OverCap extends Failure {}

/** Checks that an amount does not exceed the cap of a day on which `moved` cents were moved. Throws {@link OverCap}. */
export function checkCap({ counted, perDay }: DailyCap, moved: bigint): void {
  if (perDay === null || (counted !== null && moved + counted <= perDay)) return
  const cap = `the cap for one day is ${centsText(perDay)}`
  const why =
    counted === null
      ? `the amount of this order is unknown, and ${cap}`
      : `${centsText(moved)} has been moved today, this order moves ${centsText(counted)}, and ${cap}`
  throw new OverCap('USAGE', `${why}; nothing was sent`, {
    hint: 'a person can make this write without an agent',
    outcome: 'not-applied',
  })
}
