import { centsText } from '../../../../money/amount.ts'

/** Why a change of a card is unclear, for accountants. */
export const whyNot = {
  gone: 'the service does not list the card any more, and does not say why',
  returned: 'the service lists the card again, after it was gone',
  unreadable: 'its balance is missing, or no whole number of cents, in one of the snapshots',
  rest: 'it is Redeemed, and something is left on it: the service does not say what of that is owed',
  rose: 'more is left on it than before, and its amount does not say why: a top-up, or a redemption that was taken back',
  raised: (cents: bigint): string =>
    `its amount was ${cents < 0n ? 'lowered' : 'raised'}, as by a ${cents < 0n ? 'correction' : 'top-up'}`,
  fell: (status: string | null, left: bigint): string =>
    left === 0n
      ? `it is ${named(status)}, and nothing is left on it: the service does not say how much was redeemed before`
      : `its balance fell, and it is ${named(status)}: the service does not say whether that much was redeemed before`,
  left: (status: string | null): string =>
    status === 'AwaitingPayment'
      ? 'it waits for its payment again: the service does not say why'
      : `its status is ${named(status)}: nothing says what that means for what is owed`,
  neverOwed: (status: string | null): string =>
    `new and ${named(status)}: issued and ended between two snapshots, or never paid for; counted as neither`,
  entered: (status: string | null): string | null =>
    status === 'AwaitingPayment' ? null : `it was ${named(status)}, and is owed again`,
} as const

/** Why the service may not show a redemption by this machine. */
export function missingWhy(shown: bigint, isListed: boolean): string {
  if (!isListed) return 'the copy has no such card: it may belong to another venue'
  return shown === 0n ? 'the service shows no redemption on the card' : `the service shows ${centsText(shown)} of it`
}

function named(status: string | null): string {
  return status ?? 'without a status'
}
