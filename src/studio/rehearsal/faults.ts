import { DEFAULT_DELIVERY_PLAN, type DeliveryPlan } from '../../sandbox/deliveries/queue.ts'
import type { FaultEffect, FaultSpecification, Phase } from '../../sandbox/faults/fault.ts'
import { mixSeeds, randomFrom } from '../../sandbox/seed/random.ts'

const KINDS: readonly (readonly [effect: FaultEffect, phase?: Phase])[] = [
  [{ kind: 'status', status: 500 }],
  [{ kind: 'status', status: 503 }],
  [{ kind: 'status', status: 429 }],
  [{ kind: 'reset' }],
  [{ kind: 'reset' }, 'after'],
  [{ kind: 'close' }, 'after'],
  [{ kind: 'latency', ms: 1500 }],
]

/** Returns faults that, taken together, affect the given percentage of the integration's requests. */
export function listFaults(percent: number, seed: number): FaultSpecification[] {
  if (percent === 0) return []
  // The faults are independent of each other, so more than one can affect a request.
  const share = 100 * (1 - (1 - percent / 100) ** (1 / KINDS.length))
  const seedOf = (at: number) => mixSeeds(seed, FAULTS + at) >>> 0
  return KINDS.map(([effect, phase], at) => ({ endpoint: '*', effect, share, seed: seedOf(at), phase }))
}

const TEN_MINUTES_MS = 600_000

/**
 * Returns a function that decides at random how to deliver each event. The given percentage of events is
 * affected: a third of them are duplicated, a third are delayed, and a third are lost.
 */
export function createDeliveryPlanner(percent: number, seed: number): () => DeliveryPlan {
  const random = randomFrom(mixSeeds(seed, WEBHOOKS))
  return () => {
    const [strikes, which] = [random() * 100 < percent, random()]
    if (!strikes) return DEFAULT_DELIVERY_PLAN
    if (which < 1 / 3) return { ...DEFAULT_DELIVERY_PLAN, times: 2 }
    return which < 2 / 3
      ? { ...DEFAULT_DELIVERY_PLAN, delayMs: TEN_MINUTES_MS }
      : { ...DEFAULT_DELIVERY_PLAN, isLost: true }
  }
}

/** A constant mixed into the seed, so that faults are independent of other random numbers from the same seed. */
const FAULTS = 0xfa0
const WEBHOOKS = 0x3eb
