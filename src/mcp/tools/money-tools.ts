import { ANNOTATIONS } from './row.ts'
import type { Tool } from './tool.ts'

/** The states of a prepared order, as `money_commit` and `money_status` return them. */
const STATES = ['prepared', 'needs-approval', 'declined', 'pending', 'done', 'unknown', 'refused', 'expired'] as const

const text = (description: string) => ({ type: 'string', description }) as const
const textOrNull = (description: string) => ({ type: ['string', 'null'], description }) as const

/** The output of the tools whose names end in `_prepare`. */
export const PREPARED_SCHEMA: Tool['outputSchema'] = {
  type: 'object',
  properties: {
    handle: text('The handle to pass to money_commit and money_status.'),
    expiresAt: text('when the handle expires: ISO 8601 instant, UTC'),
    action: text('what money_commit will do'),
    profile: textOrNull('the profile of the venue'),
    host: text('the host of the service'),
    cardNumber: text('the gift card; absent for a sale'),
    saleId: text('the sale; absent for a gift card'),
    amount: textOrNull('currency units, with two decimals; null if unknown'),
    currency: textOrNull('ISO 4217 code'),
    balance: textOrNull("the card's current balance, in currency units, with two decimals"),
    warnings: { type: 'array', items: { type: 'string' }, description: 'what a person should know before confirming' },
  },
  required: ['handle', 'expiresAt', 'action', 'host'],
}

const STATE_SCHEMA: Tool['outputSchema'] = {
  type: 'object',
  properties: {
    handle: { type: 'string' },
    state: { type: 'string', enum: STATES },
    answer: { type: ['object', 'null'], description: "if done: the service's response, or null if it was lost" },
    how: text('if done but the response was lost: what proves that the money moved, such as balance'),
    operation: textOrNull('the ID of the operation, for operations_show and operations_resolve'),
    error: { type: 'object', description: 'if refused: why no money moved', properties: { code: { type: 'string' } } },
    approve: text('if needs-approval: the command that a person runs at a terminal to approve the order'),
  },
  required: ['handle', 'state'],
}

const HANDLE: Pick<Tool, 'command' | 'as' | 'allow' | 'needs' | 'files' | 'form'> = {
  ...{ command: null, as: 'run', allow: 'money', needs: [], files: [], form: 'one' },
}

function membersOf(about: string): Pick<Tool, 'members' | 'inputSchema'> {
  const handle = { to: 'argument', name: 'handle', type: 'text', required: true, about, values: null } as const
  return {
    members: { handle: { ...handle, isExact: false } },
    inputSchema: {
      type: 'object',
      properties: { handle: text(about) },
      required: ['handle'],
      additionalProperties: false,
    },
  }
}

/** The tools that do not correspond to a command. */
export const MONEY_TOOLS: readonly Tool[] = [
  {
    ...HANDLE,
    name: 'money_commit',
    title: 'Commit a prepared order',
    description:
      'Carries out a prepared order and moves its money only once. A person confirms it first, unless the order is within the limit that the user set. Calling it again is safe: it returns the recorded result and never moves money twice. Never prepare the same order again because a commit failed or timed out; ask money_status instead. Returns the state: needs-approval (a person must approve, then call it again), pending (ask money_status later), done, unknown (the response was lost; call operations_resolve to find out), refused (no money moved), declined or expired.',
    ...membersOf('The handle that the prepare tool returned.'),
    outputSchema: STATE_SCHEMA,
    annotations: { ...ANNOTATIONS.changes },
  },
  {
    ...HANDLE,
    name: 'money_status',
    title: 'Show the state of a prepared order',
    description:
      'Shows the state of a prepared order and changes nothing. Returns the same states as money_commit; prepared means that money_commit has not been called yet.',
    ...membersOf('The handle that the prepare tool returned.'),
    outputSchema: STATE_SCHEMA,
    annotations: { ...ANNOTATIONS['reads-here'] },
  },
]
