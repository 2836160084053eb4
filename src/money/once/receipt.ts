import { isJsonObject, type JsonObject, parseExact } from '../../base/json/exact.ts'
import type { Answer } from '../../client/calls/answer.ts'
import { centsTextOrNull } from '../amount.ts'
import type { BalanceChange } from '../balance-change.ts'
import { balanceBefore } from '../card-reading.ts'
import type { Operation } from '../operations/operation.ts'

/** Everything that a command prints about a completed write, so that a repeated command can print it again. */
export interface Receipt {
  /** The service's response; `null` if it was lost or if the command does not print it. */
  readonly answer: Pick<Answer, 'text' | 'words' | 'status' | 'headers'> | null
  /** Members that partner adds to the response or prints instead of it. */
  readonly own: JsonObject
  /** How the write changed the card's balance; `null` if the change is not printed. */
  readonly change: BalanceChange | null
  /** The card's status before a cancellation; `null` if it is unknown or the write is not a cancellation. */
  readonly status: string | null
}

/** Formats a receipt to be stored. `hide` removes secrets, because a service might repeat them in its response. */
export function formatReceipt(receipt: Receipt, hide: (text: string) => string): string {
  const { answer } = receipt
  const type = answer?.headers['content-type']
  const shown = answer && {
    ...{ text: hide(answer.text), words: hide(answer.words), status: answer.status },
    headers: type === undefined ? {} : { 'content-type': hide(type) },
  }
  return JSON.stringify({ ...receipt, answer: shown })
}

/** Parses the output of {@link formatReceipt}. Throws Error if it is damaged. */
export function parseReceipt(text: string): Receipt {
  const receipt = parseExact(text)
  if (!isJsonObject(receipt) || !isJsonObject(receipt['own'])) throw new Error('a receipt is damaged')
  return receipt as unknown as Receipt
}

/** The known facts about a completed write whose response was lost. */
export interface Reckoned {
  /** The card reading from before the write, as stored with the operation. */
  readonly before: string | null
  /** The balance after the write, in cents; `null` if it cannot be calculated. */
  readonly balance: bigint | null
  readonly change: BalanceChange
}

/** Calculates how a write changed the balance. `operation` is `null` if it is no longer stored. */
export function reckon(operation: Pick<Operation, 'before' | 'cents'> | null): Reckoned {
  const { before = null, cents = null } = operation ?? {}
  const old = balanceBefore(before)
  const balance = old === null ? null : old - (cents ?? 0n)
  return { before, balance, change: { before: centsTextOrNull(old), after: centsTextOrNull(balance) } }
}
