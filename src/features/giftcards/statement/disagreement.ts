import { Failure } from '../../../base/failure/failure.ts'
import { shellWord } from '../../../base/failure/shell-word.ts'
import { centsText } from '../../../money/amount.ts'
import type { NotShown } from './account.ts'
import type { Statement } from './statement.ts'

/** The failure (exit 11) of writes that this machine made and the service does not show; null: there are none. `copy`: as named. */
export function disagreement({ notShown }: Pick<Statement, 'notShown'>, copy: string): Failure | null {
  const [first] = notShown
  if (first === undefined) return null
  const redeemed = notShown.filter(({ cents }) => cents !== null)
  const words = [redeemedWords(redeemed), cancelledWords(notShown.length - redeemed.length)].filter(Boolean)
  return new Failure('PARTIAL_FAILURE', `the service does not show ${words.join(' and ')} of this machine`, {
    hint: `see what is known of each card: partner timeline giftcard ${first.card} --copy ${shellWord(copy)}`,
    details: { notShown: notShown.length },
  })
}

function redeemedWords(redeemed: readonly NotShown[]): string {
  if (redeemed.length === 0) return ''
  const cents = redeemed.reduce((sum, one) => sum + (one.cents ?? 0n), 0n)
  return `${centsText(cents)} of redemptions on ${redeemed.length === 1 ? 'one card' : `${redeemed.length} cards`}`
}

function cancelledWords(count: number): string {
  return count === 0 ? '' : count === 1 ? 'one cancellation' : `${count} cancellations`
}
