import { createHash } from 'node:crypto'
import { formatCommand } from '../../base/failure/suggested.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { parseJson } from '../../base/json/parse.ts'
import { formatTarget } from '../../features/shared/views/order.ts'
import { describeOrder, type PreparedOrder } from '../../money/orders/order.ts'
import type { OrderStatus } from '../../money/orders/state.ts'
import { terminalSafe } from '../../terminal/render/text/safe-text.ts'
import { formatReportJson } from '../../terminal/runtime/error-report.ts'
import { escapeMarks, markUntrusted, withCleanMembers } from '../calls/untrusted.ts'
import type { Question } from '../server/call.ts'
import type { ToolResult } from '../tools/tool.ts'

/** The messages to the agent, keyed by the state of the order. */
const SAYS: Readonly<Record<OrderStatus['state'], string>> = {
  prepared: 'No money has moved yet. money_commit sends this order.',
  'needs-approval': 'Approval required. No money has moved yet.',
  declined: 'A person declined this order. No money has moved.',
  pending: 'The order is being sent. Ask money_status for the outcome; do not prepare the order again.',
  done: 'The order was carried out. Committing this handle again returns the same result and moves no money.',
  unknown:
    'The order was sent, but its outcome is unknown. Commit this handle again to find out; do not prepare a new order.',
  refused: 'The order was refused. No money has moved.',
  expired: 'The order has expired. No money has moved. Prepare the order again.',
}

/** Formats the state of an order as a tool result. */
export function resultOfStatus(status: OrderStatus): ToolResult {
  const { order, state } = status
  const content = withCleanMembers({ state, ...describeOrder(order), ...outcomeOf(status) })
  const message = (content['error'] as JsonObject | undefined)?.['message']
  // If no request was sent, partner itself refused the order, for example because it would exceed the daily cap.
  const isOwn = status.state === 'refused' && status.error.request === undefined
  const fromService = content['answer'] ?? (isOwn ? undefined : message)
  const lines = [`${state}: ${describe(order)}`, SAYS[state]]
  if (state === 'needs-approval') lines.push(`A person on this machine runs: ${content['approve']}`)
  if (isOwn) lines.push(escapeMarks(String(message)))
  if (fromService !== undefined) lines.push(markUntrusted(JSON.stringify(fromService)))
  return {
    structuredContent: content,
    text: lines.join('\n'),
    isError: false,
    isUntrusted: fromService !== undefined,
  }
}

function outcomeOf(status: OrderStatus): JsonObject {
  switch (status.state) {
    case 'needs-approval':
      return { approve: formatCommand`operations approve ${status.order.handle}` }
    case 'pending':
    case 'unknown':
      return { operation: status.operation }
    case 'refused':
      return parseJson(formatReportJson(status.error, undefined)) as JsonObject
    case 'done': {
      const { answer, how, evidence, operation } = status
      return { answer, operation, ...(how === null ? {} : { how, evidence }) }
    }
    default:
      return {}
  }
}

/** Summarizes an order in one line. */
function describe({ facts }: PreparedOrder): string {
  const { action, amount, currency, profile, host } = facts
  const money = amount === null ? 'an unknown amount' : [amount, currency].filter(Boolean).join(' ')
  const place = profile === null || profile === host ? host : `${profile}, ${host}`
  return escapeMarks(terminalSafe(`${action} ${formatTarget(facts)}: ${money} (${place})`))
}

/** Returns the form that a person uses to approve or decline an order. */
export function questionAbout(order: PreparedOrder): Question {
  const { action, amount, currency, cardNumber, balance, profile, host, warnings = [] } = order.facts
  const rows = [
    ['Action', action],
    [cardNumber === undefined ? 'Sale' : 'Card', formatTarget(order.facts)],
    ['Amount', amount === null ? 'unknown' : [amount, currency].filter(Boolean).join(' ')],
    ['Balance', balance],
    ['Venue', profile ?? 'no profile'],
    ['Host', host],
    ...warnings.map((warning) => ['Warning', warning] as const),
  ].flatMap(([label, value]) => (value === undefined ? [] : [terminalSafe(`${label}: ${value}`)]))
  return {
    message: [`An agent is asking to move money:`, ...rows].join('\n'),
    schema: {
      type: 'object',
      properties: { approve: { type: 'boolean', title: 'Approve', description: 'Move this money once.' } },
      required: ['approve'],
    },
    state: stateOfQuestion(order),
  }
}

/** Returns a string that identifies an order and its facts. Answers with a different string are ignored. */
export function stateOfQuestion({ handle, facts }: PreparedOrder): string {
  return `${handle} ${createHash('sha256').update(JSON.stringify(facts)).digest('base64url')}`
}
