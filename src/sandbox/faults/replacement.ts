import { setTimeout as delay } from 'node:timers/promises'
import { LONGEST_TIMER_MS } from '../../base/time/units.ts'
import { ConnectionFault } from '../../http/server/connection-fault.ts'
import { jsonReply } from '../../http/server/reply.ts'
import type { WireReply } from '../../http/transport.ts'
import { messageReply, problemReply, refusalReply } from '../app/replies.ts'
import type { Routed } from '../app/request.ts'
import { documentedRefusal } from './documented-refusal.ts'
import type { FaultEffect } from './fault.ts'

/** Waits for `ms` milliseconds. Throws ConnectionFault if the client disconnects first. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch {
    throw new ConnectionFault('close')
  }
}

/**
 * Returns the response that replaces the endpoint's, or `null` if the fault does not replace it. Throws ConnectionFault
 * to end the connection.
 */
export async function replacementReply(effect: FaultEffect, routed: Routed): Promise<WireReply | null> {
  switch (effect.kind) {
    case 'status':
      return statusReply(effect.status, effect.message, routed)
    case 'redirect':
      return jsonReply(effect.status ?? 307, undefined, { location: effect.url })
    case 'reset':
    case 'close':
      throw new ConnectionFault(effect.kind)
    case 'hang':
      await pause(LONGEST_TIMER_MS, routed.request.signal)
      return null
    default:
      return null
  }
}

function statusReply(status: number, message: string | undefined, routed: Routed): WireReply {
  const path = routed.request.url.pathname
  if (status < 400) return jsonReply(status, status === 304 || status === 204 ? undefined : { message: message ?? '' })
  const documented = documentedRefusal(routed, status, message)
  if (documented) return refusalReply(documented, {}, path)
  if (status === 500 && message === undefined) return problemReply(500, 'An unexpected error occurred.', path)
  return messageReply(status, message ?? 'This failure was requested with: partner sandbox faults add')
}
