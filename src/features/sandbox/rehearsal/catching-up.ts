import { Failure } from '../../../base/failure/failure.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import type { Rehearsal } from '../../../studio/rehearsal/rehearsal.ts'
import type { CopyReport } from '../../../sync/comparing/compare-copy.ts'
import type { Host } from '../../../terminal/runtime/host.ts'

/** Where the copy of an integration is, and how long it may take to be as the venue is. */
export interface CopyWish {
  readonly where: string
  readonly source: string | null
  readonly settleMs: number
}

/** How a copy stands in the end, or why it cannot be read. */
export type Found = { readonly report: CopyReport } | { readonly failure: Failure }

const LOOK_EVERY_MS = 500

/** Compares a copy with the venue until it agrees, or its time is over. Fails: as the signal says. */
export async function untilAgreed(rehearsal: Rehearsal, host: Host, wish: CopyWish): Promise<Found> {
  const end = monotonicMs() + wish.settleMs
  for (;;) {
    const found = await compare(rehearsal, host, wish)
    const left = end - monotonicMs()
    if (('report' in found && found.report.agrees) || left <= 0) return found
    await rehearsal.wait(Math.min(LOOK_EVERY_MS, left))
  }
}

async function compare(rehearsal: Rehearsal, { env, signal }: Host, { where, source }: CopyWish): Promise<Found> {
  const [{ readCopy }, { compareCopy }] = await Promise.all([
    import('../../../sync/comparing/read-copy.ts'),
    import('../../../sync/comparing/compare-copy.ts'),
  ])
  try {
    const copy = await readCopy({ where, source, env, signal })
    return { report: compareCopy(copy, await rehearsal.truth()) }
  } catch (error) {
    // Perhaps the integration has not made it yet.
    if (error instanceof Failure) return { failure: error }
    throw error
  }
}
