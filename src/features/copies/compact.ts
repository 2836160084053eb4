import { type Compacted, compactLog } from '../../sync/compacting/compact-log.ts'
import { toggle } from '../../terminal/input/flags.ts'
import { limitHeapGrowth } from '../../terminal/output/heap.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { counted } from '../shared/views/wording.ts'
import { compactedCard, compactedList } from './views.ts'

export const COMPACT_FLAGS = {
  'dry-run': toggle('Count the versions that would be dropped, but change nothing.'),
} as const

/** Compacts a log of bookings and prints a summary. Throws the same errors as `compactLog`. */
export async function compact(
  { flags, show, host, say }: Opened<{ 'dry-run'?: boolean }, object>,
  path: string,
): Promise<void> {
  const isDryRun = flags['dry-run'] === true
  await limitHeapGrowth()
  const { env, signal, now } = host
  const done = await compactLog(path, { resource: 'bookings', isDryRun, env, signal, now, say })
  const { source, versions, dropped, bytesBefore, bytesAfter } = done
  if (!show.isPlain)
    await show.one(
      { file: path, source, versions, kept: versions - dropped, dropped, bytesBefore, bytesAfter, dryRun: isDryRun },
      { card: compactedCard, list: compactedList },
    )
  await say(`bookings: ${summaryOf(done)}${isDryRun ? '; nothing was changed' : ''}`)
}

function summaryOf({ versions, dropped, bytesBefore, bytesAfter }: Compacted): string {
  const kept = `${versions - dropped} kept, ${counted(dropped, 'older version', 'older versions')} dropped`
  return `${kept}; ${bytesBefore} bytes before, ${bytesAfter} after`
}
