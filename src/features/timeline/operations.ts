import { formatCommand } from '../../base/failure/suggested.ts'
import { centsText } from '../../money/amount.ts'
import { balanceBefore } from '../../money/card-reading.ts'
import type { Operation } from '../../money/operations/operation.ts'
import { parseSaleKey } from '../../money/sale-search.ts'
import type { CardUse, Entry } from './entry.ts'
import { joinedWords } from './values.ts'

/** Two redemptions of the same amount from one card are odd if they are less than this many milliseconds apart. */
const REPEAT_WINDOW_MS = 15 * 60_000

/**
 * Returns entries for the money writes that this machine performed on one card or sale. They show when each write was
 * sent and whether it took effect.
 */
export function operationEntries(operations: readonly Operation[]): Entry[] {
  return operations.flatMap((operation): Entry[] => {
    const { id, target, state, startedAt, firstSent, sent, ended } = operation
    const said = { source: 'operations', where: id, subject: target } as const
    const firstMs = firstSent?.wallMs ?? startedAt
    const oddity = joinedWords(findOddities(operation, operations), '; ') || null
    const entries: Entry[] = [{ ...said, kind: 'operation', atMs: firstMs, text: sentText(operation), oddity }]
    const again = `${operation.command} sent again`
    if (sent !== null && sent.wallMs !== firstMs)
      entries.push({ ...said, kind: 'operation', atMs: sent.wallMs, text: again, oddity: null })
    if (state !== 'open' && ended !== null)
      entries.push({
        ...{ ...said, kind: 'outcome', atMs: ended.wallMs, text: outcomeText(operation), oddity: null },
        act: actOf(operation, firstMs),
      })
    return entries
  })
}

/** Returns the ID of the booking that a submitted sale was linked to, or `null` if no booking was recorded. */
export function bookingIn({ before }: Operation): string | null {
  return parseSaleKey(before).bookingId
}

function sentText(operation: Operation): string {
  const { command, target, cents, profile, before } = operation
  const balance = balanceBefore(before)
  const booking = command === 'sales create' ? bookingIn(operation) : null
  return joinedWords([
    `${command}${cents === null ? '' : ` of ${centsText(cents)}`} sent by this machine`,
    command.startsWith('sales') ? `sale ${target}` : null,
    booking === null ? null : `booking ${booking}`,
    profile === null ? null : `profile ${profile}`,
    balance === null ? null : `balance before: ${centsText(balance)}`,
  ])
}

function outcomeText({ command, state, how }: Operation): string {
  if (state === 'not-applied') return `${command} did not take effect${how === null ? '' : `: ${how}`}`
  return how === null ? `${command} succeeded (the service answered)` : `${command} took effect: ${how}`
}

function actOf({ command, state }: Operation, afterMs: number): CardUse | undefined {
  if (state !== 'applied') return undefined
  if (command.endsWith(' redeem')) return { what: 'redeemed', afterMs }
  return command === 'giftcards cancel' ? { what: 'cancelled', afterMs } : undefined
}

function findOddities(operation: Operation, all: readonly Operation[]): (string | null)[] {
  const { id, state, command, cents, startedAt, target } = operation
  const others = all.filter((one) => one.id !== id && one.target === target)
  const mayRepeat = (one: Operation) => one.command.endsWith(' redeem') && one.state !== 'not-applied'
  const isSoonAfter = (one: Operation) =>
    one.startedAt <= startedAt &&
    startedAt - one.startedAt < REPEAT_WINDOW_MS &&
    (one.startedAt < startedAt || one.id < id)
  const twice = mayRepeat(operation)
    ? others.find((one) => mayRepeat(one) && one.cents === cents && isSoonAfter(one))
    : undefined
  const otherTotal = command === 'sales create' && others.some((one) => one.command === command && one.cents !== cents)
  return [
    state === 'open' ? `outcome unknown: ${formatCommand`operations resolve ${id}`}` : null,
    twice ? `${twice.id} redeemed the same amount shortly before` : null,
    otherTotal ? 'two sales with the same ID: this machine sent both, with different totals' : null,
  ]
}
