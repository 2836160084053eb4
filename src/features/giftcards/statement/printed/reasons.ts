import { centsText } from '../../../../money/amount.ts'

/** Messages that explain to accountants why the cause of a card's change is unclear. */
export const EXPLANATIONS = {
  gone: 'the service no longer lists the card but does not say why',
  returned: 'the service lists the card again but does not say why',
  unreadable: 'its balance is missing or not a whole number of cents in one of the snapshots',
  rest: 'it is Redeemed but has a balance: the service does not say how much of it is owed',
  rose: 'its balance rose by more than its amount did: a top-up, or a reversed redemption',
  raised: (cents: bigint): string =>
    `its amount was ${cents < 0n ? 'lowered' : 'raised'}, for example by a ${cents < 0n ? 'correction' : 'top-up'}`,
  fell: (status: string | null, left: bigint): string =>
    left === 0n
      ? `it is ${named(status)} with a balance of 0: the service does not say how much was redeemed beforehand`
      : `its balance fell, and it is ${named(status)}: the service does not say whether the difference was redeemed beforehand`,
  left: (status: string | null): string =>
    status === 'AwaitingPayment'
      ? 'it is AwaitingPayment again: the service does not say why'
      : `its status is ${named(status)}: the service does not say whether its balance is owed`,
  neverOwed: (status: string | null): string =>
    `it is new and ${named(status)}: it was either valid only between two snapshots or never paid for, so it is not counted`,
  entered: (status: string | null): string | null =>
    status === 'AwaitingPayment' ? null : `it was ${named(status)}, and its balance is owed again`,
} as const

/** Explains why the service may be missing a redemption that this machine made. */
export function explainMissing(shown: bigint, isListed: boolean): string {
  if (!isListed) return 'the copy does not have this card: it may belong to another venue'
  return shown === 0n
    ? 'the service shows no redemption on the card'
    : `the service shows redemptions of only ${centsText(shown)} on the card`
}

function named(status: string | null): string {
  return status ?? 'without a status'
}
