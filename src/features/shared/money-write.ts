import type { Answer } from '../../client/calls/answer.ts'
import { OPEN_WRITE_NOTICE } from '../../money/desk.ts'
import type { Receipt } from '../../money/once/receipt.ts'
import { findCardProblems } from '../../money/shortfall.ts'
import type { MoneyResult } from '../../money/write-once.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import { type MoneyCommand, makeWrite, type OpenedWrite, openOnce, type Written } from './money/write.ts'

/** The rule for when redeeming or cancelling a card asks for confirmation. `docs/money.md` repeats this text. */
export const CONFIRMATION_RULE =
  "At a terminal, giftcards redeem, giftcards cancel and inbound redeem ask for confirmation. --yes skips the question; an AI agent cannot answer it and must add --yes. With --no-input, or if stdin or stderr is not a terminal, no question is asked: giftcards redeem and inbound redeem need --yes only if the profile's mode is confirm, and giftcards cancel always needs it."

/** Adds a problem if the `--once` key is malformed or reserved. */
export async function checkOnceKey(
  { once }: { readonly once?: string | undefined },
  problems: Problems,
): Promise<void> {
  if (once === undefined) return
  const { parseNewOnceKey } = await import('../../money/once/key.ts')
  problems.check(() => parseNewOnceKey(once))
}

/**
 * Combines the result of a write with its receipt. `what` describes the write in a message, such as `the card was
 * redeemed`.
 */
export function toWritten(
  result: MoneyResult<Answer>,
  { what, ...receipt }: Pick<Receipt, 'own' | 'change'> & { readonly what: string },
): Written {
  const { operation } = result
  if (result.answer) return { ...receipt, answer: result.answer, status: null, operation, known: null }
  const { how, lost } = result
  return { ...receipt, answer: null, status: null, operation, known: { how, line: `${lost}, but ${what}: ${how}` } }
}

/**
 * Performs a money write and prints its receipt. If the write was already performed with the same key (`--once`), only
 * prints the earlier receipt. Throws USAGE if the key belongs to a different order. Also throws OUTCOME_UNKNOWN and
 * any error from the write.
 */
export async function makeMoneyWrite(command: MoneyCommand, opened: OpenedWrite): Promise<void> {
  const { flags, ask, host } = opened
  if (host.order !== undefined) {
    const orders = await import('./money/orders.ts')
    if (host.order.kind === 'prepare') return orders.prepareOrder(command, opened)
    return orders.commitOrder(command, opened, host.order)
  }
  const once = flags.once === undefined ? null : await openOnce(command, flags.once, opened)
  // Ask the ledger before prompting the user. Without a prompt, skip this: claiming the write asks the ledger too.
  if (ask.needsConsent) await once?.askLedger()
  await makeWrite(command, opened, { once, prepare: () => prepare(command, opened) })
}

/** Checks a write, warns, and asks whether to perform it. */
async function prepare({ order, check, readCard, confirm }: MoneyCommand, { ask, host, warn }: OpenedWrite) {
  const warning = (await check?.()) ?? null
  if (warning !== null) await warn(warning)
  if (readCard && ask.needsConsent) {
    const card = await readCard()
    await card.show?.()
    for (const problem of findCardProblems(card.value, order.amount, host.now())) await warn(problem)
  }
  await confirm?.(warning === null ? '' : OPEN_WRITE_NOTICE)
}
