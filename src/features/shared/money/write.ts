import type { JsonValue } from '../../../base/json/exact.ts'
import { hideSecrets } from '../../../base/redaction/redaction.ts'
import type { MoneyDesk } from '../../../money/desk.ts'
import type { KeyedOrder } from '../../../money/once/key.ts'
import type { Once, OnceOptions } from '../../../money/once/once.ts'
import type { Receipt, Reckoned } from '../../../money/once/receipt.ts'
import type { Operation } from '../../../money/operations/operation.ts'
import type { DailyCap } from '../../../money/orders/cap.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import type { Opened, RunParts } from '../../../terminal/runtime/run.ts'

/** A completed money write. */
export interface Written extends Receipt {
  readonly operation: Operation
  /** How the outcome was determined, and a message for the user. `null` if there was a response. */
  readonly known: { readonly how: string; readonly line: string } | null
}

/** The state of a card before a write. */
export interface CardBefore {
  readonly value: JsonValue
  /** Shows the card before asking for confirmation. */
  readonly show?: () => Promise<void>
}

/** A command's money write, with the views of its receipt. */
export interface MoneyCommand {
  readonly order: KeyedOrder
  /** The currency of the amount, if known. */
  readonly currency?: string | undefined
  /** Additional warnings for the person who approves the order. */
  readonly notices?: readonly string[]
  /** Absolute times that replace relative ones, such as `now`, in a stored order. */
  readonly fixed?: Readonly<Record<string, string | undefined>>
  /** Checks that the write is allowed. Returns a warning about other open writes, or `null`. */
  readonly check?: () => Promise<string | null>
  /** Reads the card that the write changes. */
  readonly readCard?: () => Promise<CardBefore>
  /** Asks whether to perform the write. `notice` is appended to the question. */
  readonly confirm?: (notice: string) => Promise<void>
  /** Performs the write. Throws the same errors as `writeOnce`. */
  readonly write: (desk: MoneyDesk) => Promise<Written>
  /** Builds the receipt for a write that succeeded but whose response was lost. */
  readonly assume: (known: Reckoned) => Receipt
  readonly views: (receipt: Receipt) => Views
}

export type OpenedWrite = Opened<{ readonly once?: string | undefined; readonly force?: boolean | undefined }, object>

interface WriteParts {
  readonly once: Once | null
  /** Runs checks, shows warnings and asks questions. Not called if the write was already performed. */
  readonly prepare: () => Promise<void>
  readonly cap?: DailyCap
}

/**
 * Performs a write, unless it was already performed, and prints its receipt. Throws USAGE if the key belongs to a
 * different order. Also throws OUTCOME_UNKNOWN and any error from the write.
 */
export async function makeWrite(
  command: MoneyCommand,
  { service, show, say }: OpenedWrite,
  { once, prepare, cap }: WriteParts,
): Promise<void> {
  const print = async (receipt: Receipt) => {
    const { answer, own } = receipt
    await (answer ? show.answer(answer, command.views(receipt), own) : show.one(own, command.views(receipt)))
  }
  let written: Written | null = null
  let isPrepared = false
  while (written === null) {
    const done = (await once?.findDone()) ?? null
    if (done !== null) {
      await say(`already done on ${once?.formatInstant(done.at)} (${done.operation}); nothing was sent`)
      return print(done.receipt)
    }
    try {
      if (!isPrepared) await prepare()
      isPrepared = true
      const desk = { ...(await service.moneyDesk()), ...(cap ? { cap } : {}) }
      written = await command.write(once?.bound(desk) ?? desk)
    } catch (error) {
      // Another process may have used or released the key since `findDone` looked it up.
      if (!once?.isTaken(error)) throw error
    }
  }
  const { operation, known, ...receipt } = written
  const final = (await once?.finish(operation, receipt, known?.how ?? null)) ?? receipt
  if (known !== null) await say(known.line)
  await print(final)
}

/** Opens the record of a key. See `OnceOptions` for `checkClaim`. */
export async function openOnce(
  { order, assume }: MoneyCommand,
  key: string,
  { service, show }: Pick<RunParts, 'service' | 'show'>,
  checkClaim?: OnceOptions['checkClaim'],
): Promise<Once> {
  const { Once } = await import('../../../money/once/once.ts')
  const { venueTimeInFull } = await import('../views/moments.ts')
  const desk = await service.moneyDesk('reading')
  const { timezone, now } = await show.context(true)
  const hidden = show.hiddenSecrets
  return new Once(desk, {
    ...{ key, order, assume, ...(checkClaim ? { checkClaim } : {}) },
    hide: (text) => hideSecrets(text, hidden),
    formatInstant: (ms) => venueTimeInFull(new Date(ms).toISOString(), { timezone, now }),
  })
}
