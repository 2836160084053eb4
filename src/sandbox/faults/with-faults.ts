import { ConnectionFault } from '../../http/server/connection-fault.ts'
import type { WireReply } from '../../http/transport.ts'
import { setDate } from '../app/date.ts'
import { type Call, conclude, type Outcome, type Routed, type Service } from '../app/request.ts'
import { DEFAULT_DELIVERY_PLAN, type DeliveryPlan } from '../deliveries/queue.ts'
import { type Fault, type FaultEffect, type Phase, phaseOf } from './fault.ts'
import { pause, replacementReply } from './replacement.ts'
import { spoilBody, spoilsBody } from './spoil.ts'

/** Applies the faults that affect a request. They can change or replace its response, or affect its webhooks. */
export function withFaults(next: Service<Call, WireReply>): Service<Routed> {
  return async (routed) => {
    const { request, endpoint, faults } = routed
    const struck = faults.strike(request.method, endpoint.path, request.url.pathname)
    const { delivery = DEFAULT_DELIVERY_PLAN } = routed
    if (struck.length === 0) return conclude(await next({ ...routed, keepsChanges: true, delivery }))
    return {
      ...conclude(await replyWithFaults(routed, struck, next).catch(returnConnectionFault)),
      note: `fault: ${struck.map(({ effect }) => effect.kind).join(', ')}`,
      faults: struck.map(({ id }) => id),
    }
  }
}

function returnConnectionFault(error: unknown): Outcome['reply'] {
  if (error instanceof ConnectionFault) return error
  throw error
}

/** Responds to a request that faults affect. Throws ConnectionFault to end the connection without a response. */
async function replyWithFaults(
  routed: Routed,
  struck: readonly Fault[],
  next: Service<Call, WireReply>,
): Promise<WireReply> {
  const effects = struck.map(({ effect }) => effect)
  const replacement = await findReplacementReply(struck, 'before', routed)
  if (replacement) return replacement
  const isRolledBack = struck.some((fault) => spoilsBody(fault.effect) && phaseOf(fault) === 'before')
  const answered = await next({ ...routed, keepsChanges: !isRolledBack, delivery: deliveryPlan(effects) })
  let reply = (await findReplacementReply(struck, 'after', routed)) ?? answered
  for (const effect of effects) if (spoilsBody(effect)) reply = await spoilBody(reply, effect, routed.request.signal)
  const skew = effects.find(({ kind }) => kind === 'skew')
  return skew?.kind === 'skew' ? setDate(reply, routed.clock.now() + skew.ms) : reply
}

/**
 * Applies the faults of a phase, in order. Waits for latency faults and returns the response of the first fault that
 * replaces the endpoint's response, or `null` if none does.
 */
async function findReplacementReply(struck: readonly Fault[], phase: Phase, routed: Routed): Promise<WireReply | null> {
  for (const fault of struck) {
    if (phaseOf(fault) !== phase) continue
    if (fault.effect.kind === 'latency') await pause(fault.effect.ms, routed.request.signal)
    const reply = await replacementReply(fault.effect, routed)
    if (reply) return reply
  }
  return null
}

function deliveryPlan(effects: readonly FaultEffect[]): DeliveryPlan {
  let { times, delayMs, isLost } = DEFAULT_DELIVERY_PLAN
  for (const effect of effects) {
    if (effect.kind === 'duplicate-webhook') times = effect.times ?? 2
    if (effect.kind === 'late-webhook') delayMs = effect.ms
    if (effect.kind === 'lost-webhook') isLost = true
  }
  return { times, delayMs, isLost }
}
