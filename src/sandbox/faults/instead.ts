import { setTimeout as delay } from 'node:timers/promises'
import type { Endpoint } from '../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../contract/failures.ts'
import { ConnectionFault } from '../../http/server/connection-fault.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { WireReply, WireRequest } from '../../http/transport.ts'
import { messageReply, problemReply, refusalReply } from '../app/replies.ts'
import type { FaultEffect } from './fault.ts'

/** The longest wait of a timer, milliseconds. */
const FOR_EVER = 2 ** 31 - 1

/** Waits. Fails: ConnectionFault when the client goes away: nobody is left to answer. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    throw new ConnectionFault('close')
  }
}

/**
 * The answer that a fault gives in place of the endpoint's; null when it does something else.
 * Fails: ConnectionFault when it ends the connection.
 */
export async function replyInstead(
  effect: FaultEffect,
  endpoint: Endpoint,
  request: WireRequest,
): Promise<WireReply | null> {
  switch (effect.kind) {
    case 'status':
      return statusReply(effect.status, effect.message, endpoint, request.url.pathname)
    case 'redirect':
      return jsonReply(effect.status ?? 307, undefined, { location: effect.url })
    case 'reset':
    case 'close':
      throw new ConnectionFault(effect.kind)
    case 'hang':
      await pause(FOR_EVER, request.signal)
      return null
    default:
      return null
  }
}

function statusReply(status: number, message: string | undefined, endpoint: Endpoint, path: string): WireReply {
  if (status < 400) return jsonReply(status, status === 304 || status === 204 ? undefined : { message: message ?? '' })
  const documented = [...Object.values(endpoint.failures), ...Object.values(COMMON_FAILURES)].find(
    (failure) => failure.status === status && (message === undefined || failure.message === message),
  )
  if (documented) return refusalReply(documented, { count: 10, window: 1000 }, path)
  if (status === 500 && message === undefined) return problemReply(500, 'An unexpected error occurred.', path)
  return messageReply(status, message ?? 'partner sandbox faults add asked for this failure.')
}
