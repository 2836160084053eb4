import { hideSecrets } from '../../base/redaction/redaction.ts'
import type { Answer } from '../../client/calls/answer.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import type { KeyedOrder } from '../../money/once/key.ts'
import type { Once } from '../../money/once/once.ts'
import type { Receipt, Reckoned } from '../../money/once/receipt.ts'
import type { Operation } from '../../money/operations/operation.ts'
import type { MoneyResult } from '../../money/write-once.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import type { Views } from '../../terminal/output/many/venue.ts'
import type { Opened, RunParts } from '../../terminal/runtime/run.ts'

/** States when the commands that redeem or cancel a card ask for confirmation. `docs/money.md` repeats it. */
export const CONFIRMATION_RULE =
  "At a terminal, giftcards redeem, giftcards cancel and inbound redeem ask for confirmation. --yes skips the question; an AI agent cannot answer it and must add --yes. If stdin or stderr is not a terminal, or with --no-input, giftcards redeem and inbound redeem run without asking unless the profile's mode is confirm, and giftcards cancel always needs --yes."

/** Checks `--once`. */
export async function checkOnceKey(
  { once }: { readonly once?: string | undefined },
  problems: Problems,
): Promise<void> {
  if (once === undefined) return
  const { parseOnceKey } = await import('../../money/once/key.ts')
  problems.check(() => parseOnceKey(once))
}

/** A completed money write. */
export interface Written extends Receipt {
  readonly operation: Operation
  /** How the outcome is known without a response, and a line for the user about it; `null` if there was a response. */
  readonly known: { readonly how: string; readonly line: string } | null
}

/** A money write of a command, and how to print its result. */
export interface MoneyCommand {
  readonly order: KeyedOrder
  /** Runs before the write, unless it was done before: checks, warnings and questions. */
  readonly prepare?: () => Promise<void>
  /** Makes the write. Throws whatever `writeOnce` throws. */
  readonly write: (desk: MoneyDesk) => Promise<Written>
  /** Builds the receipt of a write that was done but whose response is not known. */
  readonly assume: (known: Reckoned) => Receipt
  readonly views: (receipt: Receipt) => Views
}

/**
 * Combines the result of a write with its receipt. `own`: printed if there is no response. `what`: what was done, for
 * the line that says how that is known.
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
 * Makes a money write, and prints its receipt. With a key (`--once`), a write that was done before is not sent again:
 * its receipt is printed. Throws USAGE if the key belongs to another order; OUTCOME_UNKNOWN; or whatever the write
 * throws.
 */
export async function makeMoneyWrite(
  command: MoneyCommand,
  { flags, service, show, say, ask }: Opened<{ readonly once?: string | undefined }, object>,
): Promise<void> {
  const key = flags.once
  const print = async (receipt: Receipt) => {
    const { answer, own } = receipt
    await (answer ? show.answer(answer, command.views(receipt), own) : show.one(own, command.views(receipt)))
  }
  const once = key === undefined ? null : await openOnce(command, key, { service, show })
  // Otherwise, claiming the write asks the ledger, which saves a round trip.
  if (ask.needsConsent) await once?.askLedger()
  let written: Written | null = null
  for (let isFirst = true; written === null; isFirst = false) {
    const done = (await once?.findDone()) ?? null
    if (done !== null) {
      await say(`already done on ${once?.formatInstant(done.at)} (${done.operation}); nothing was sent`)
      return print(done.receipt)
    }
    try {
      if (isFirst) await command.prepare?.()
      const desk = await service.moneyDesk()
      written = await command.write(once?.bound(desk) ?? desk)
    } catch (error) {
      // Another process may have used the key since `findDone` looked for it.
      if (!once?.isTaken(error)) throw error
    }
  }
  const { operation, known, ...receipt } = written
  const final = (await once?.finish(operation, receipt, known?.how ?? null)) ?? receipt
  if (known !== null) await say(known.line)
  await print(final)
}

async function openOnce(
  { order, assume }: MoneyCommand,
  key: string,
  { service, show }: Pick<RunParts, 'service' | 'show'>,
): Promise<Once> {
  const { Once } = await import('../../money/once/once.ts')
  const { venueTimeInFull } = await import('./views/moments.ts')
  const desk = await service.moneyDesk('reading')
  const { timezone, now } = await show.context(true)
  const hidden = show.hiddenSecrets
  return new Once(desk, {
    ...{ key, order, assume },
    hide: (text) => hideSecrets(text, hidden),
    formatInstant: (ms) => venueTimeInFull(new Date(ms).toISOString(), { timezone, now }),
  })
}
