import type { Endpoint } from '../../contract/endpoint.ts'
import { withDeadline } from '../../http/client/deadline.ts'
import type { Answer } from './answer.ts'
import { call } from './call.ts'
import type { Caller } from './caller.ts'
import type { CallInput } from './prepare.ts'

const LIMIT_MS = 10_000

/**
 * Reads on a new connection, right after the response to a write was lost. The result shows whether the write took
 * effect. Throws any error from `call`.
 */
export async function readImmediately<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
): Promise<Answer> {
  const over = caller.hooks.waitsFor?.('no response; checking whether the change was made', 'news')
  const soon = { ...caller, transport: withDeadline(LIMIT_MS)(caller.transport), retries: 0, pacing: 'ignore' } as const
  return call(soon, endpoint, input, { ownConnection: true }).finally(over)
}
