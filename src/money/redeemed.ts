import type { Answer } from '../http/answer.ts'
import { unreadable } from '../http/refused.ts'
import { requireSuccess } from '../http/success.ts'
import { isJsonObject, numberText } from '../json/exact.ts'
import { balanceCentsOf, centsOf } from './cents.ts'

/**
 * Takes the answer to a redeem for a success only when all of it says so.
 * @param amount currency units, as asked for.
 * Fails: OUTCOME_UNKNOWN when it does not say whether it succeeded, or says that another amount, or none, was taken.
 */
export function requireRedeemed(answer: Answer, amount: string): void {
  requireSuccess(answer)
  const { value, call } = answer
  if (!isJsonObject(value)) return
  const taken = numberText(value['amountRedeemed'])
  if (taken !== null && balanceCentsOf(taken) !== centsOf(amount))
    throw unreadable(`the answer says that ${taken} was redeemed, not ${amount}`, answer, call)
  if (value['status'] === 'Error') throw unreadable('the answer says success, and gives the status Error', answer, call)
}
