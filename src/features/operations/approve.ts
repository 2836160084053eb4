import { getCurrentMoment } from '../../money/operations/moment.ts'
import { type Decision, decide, findUndecided } from '../../money/orders/decide.ts'
import { describeOrder, type PreparedOrder } from '../../money/orders/order.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { formatTarget, orderCard, orderList } from '../shared/views/order.ts'
import { zoneFor } from './views.ts'

const VIEWS = { card: orderCard, list: orderList }

/**
 * Asks for confirmation and records a person's decision to approve or decline a prepared order. Sends nothing. Throws
 * NOT_FOUND if the order is not stored. Throws USAGE if it is too late to decide or if the user cannot be prompted.
 */
export async function decideOnOrder(handle: string, decision: Decision, parts: RunParts): Promise<void> {
  const { ask, connection, operations, say, show } = parts
  const store = await operations.open()
  const { order, isNew } = findUndecided(store, handle, decision, getCurrentMoment())
  connection.zone = await zoneFor(connection, [order.profile])
  const done = decision === 'approve' ? 'approved' : 'declined'
  if (!isNew) {
    await say(`this order was already ${done}; nothing was changed`)
    return show.one(describeDecided(order), VIEWS)
  }
  if (ask.canAskMissing) await show.showBeforeConfirmation({ text: JSON.stringify(describeOrder(order)) }, VIEWS)
  await ask.confirm(formatQuestion(order, decision))
  const decided = decide(store, handle, decision, getCurrentMoment())
  await say(
    decision === 'approve'
      ? `${done}: nothing has been sent yet; the next commit sends the order`
      : `${done}: the order is not sent`,
  )
  await show.one(describeDecided(decided), VIEWS)
}

function formatQuestion({ facts, counted }: PreparedOrder, decision: Decision): string {
  const { action, amount, currency, host, profile } = facts
  const sum = amount === null && counted === null ? 'an unknown amount' : [amount, currency].filter(Boolean).join(' ')
  const place = profile === null || profile === host ? host : `${host}, profile ${profile}`
  return `${decision === 'approve' ? 'Approve' : 'Decline'} ${action} ${formatTarget(facts)} for ${sum} (${place})?`
}

function describeDecided(order: PreparedOrder) {
  const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return { ...describeOrder(order), approvedAt: iso(order.approvedAt), declinedAt: iso(order.declinedAt) }
}
