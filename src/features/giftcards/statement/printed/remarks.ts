import { toWireTime } from '../../../../base/time/instant.ts'
import type { Statement } from '../statement.ts'

/**
 * What is to be said beside a statement, a line each. `knownSinceMs`: since when this machine keeps what it redeemed; null: it is not
 * known which redemptions are for this venue.
 */
export function remarksOn({ movements }: Pick<Statement, 'movements'>, knownSinceMs: number | null): string[] {
  const isRedeemed = movements.some(({ kind }) => kind === 'redeemed' || kind === 'cancelled')
  if (knownSinceMs === null)
    return isRedeemed
      ? ['who redeemed is not said: without a profile it is not known which redemptions are for this venue (--profile)']
      : []
  const isOlder = movements.some(({ by, afterMs }) => by === 'elsewhere' && afterMs < knownSinceMs)
  return isOlder
    ? [
        `this machine keeps what it redeemed and cancelled since ${toWireTime(knownSinceMs)}: what it did before that stands as elsewhere`,
      ]
    : []
}
