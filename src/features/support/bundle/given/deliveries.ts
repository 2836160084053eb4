import type { KeptDelivery } from '../door/delivery.ts'
import { isInSpan, type SinceMs } from './last.ts'

/** The deliveries that a listener kept, of the span. Fails: as reading them does. */
export async function readDeliveries(
  batches: AsyncIterable<readonly KeptDelivery[]>,
  sinceMs: SinceMs,
): Promise<KeptDelivery[]> {
  const kept: KeptDelivery[] = []
  for await (const batch of batches) for (const one of batch) if (isInSpan(one.timeMs, sinceMs)) kept.push(one)
  return kept
}
