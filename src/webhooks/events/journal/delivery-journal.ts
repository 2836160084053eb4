import { existsSync, realpathSync } from 'node:fs'
import { Failure } from '../../../base/failure/failure.ts'
import { removeAbandonedWrites, writeFileDurably } from '../../../base/storage/durable-write.ts'
import { type Lock, lockedFailure, tryLock } from '../../../base/storage/lock.ts'
import { refuseUnlessPlainFile } from '../../../base/storage/own-file.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { closedPartsOf, dayOf, readablePartsOf } from './closed-days.ts'
import { type Delivery, deliveryLine } from './entry.ts'
import { JournalFile, type Settle } from './journal-file.ts'
import { type JournalledDelivery, readClosedPart, readJournalFile } from './read-journal.ts'
import { Rotation } from './rotation.ts'
import type { Keeping } from './upkeep.ts'

interface Pending {
  readonly day: number
  readonly line: Buffer
  readonly done: (settle: Settle) => void
  readonly failed: (failure: Failure) => void
}

export interface JournalOptions {
  /** Called for each delivery that is already in the journal. */
  readonly onDelivery: (delivery: Delivery) => void
  /** Which deliveries to keep, or `null` to keep all of them in one file. */
  readonly keeping: Keeping | null
}

export type DeliveryJournal = ReturnType<typeof openWriter>

/**
 * Opens or creates a journal. Throws LOCKED if another listener uses the journal, USAGE if the file is not a journal,
 * or INTERNAL if it cannot be written.
 */
export async function openDeliveryJournal(path: string, options: JournalOptions): Promise<DeliveryJournal> {
  refuseUnlessPlainFile(path)
  const lockPath = `${path}.lock`
  const lock = tryLock(lockPath, { command: 'webhooks listen' })
  if (lock === null) throw await lockedFailure(lockPath, path)
  let file: JournalFile | null = null
  try {
    file = openOrCreate(path, options.keeping !== null)
    const last = await readAll(path, options.onDelivery)
    file.removeIncompleteLine(last)
    if (options.keeping !== null)
      for (const one of [path, ...closedPartsOf(path).map(({ compressed }) => compressed)]) removeAbandonedWrites(one)
    const rotation =
      options.keeping &&
      new Rotation(realpathSync.native(path), file, last ? dayOf(last.timeMs) : null, options.keeping)
    return openWriter(path, lock, file, rotation)
  } catch (error) {
    await file?.close()
    lock.release()
    throw error instanceof Failure ? error : writeFailure(path, error)
  }
}

/** Reads the journal and its closed days. Returns the last delivery in the journal's own file. */
async function readAll(path: string, onDelivery: JournalOptions['onDelivery']) {
  for (const part of readablePartsOf(path))
    for await (const deliveries of readClosedPart(part)) deliveries.forEach(onDelivery)
  let last: JournalledDelivery | undefined
  for await (const deliveries of readJournalFile(path)) {
    deliveries.forEach(onDelivery)
    last = deliveries.at(-1)
  }
  return last
}

/**
 * Returns a writer that batches pending deliveries, because flushing one to disk takes just as long as flushing many.
 */
function openWriter(path: string, lock: Lock, first: JournalFile, rotation: Rotation | null) {
  const pending: Pending[] = []
  let writingAll: Promise<void> | null = null
  const isTracked = rotation !== null
  /** Removes and returns the oldest pending deliveries, up to the first one from a different day. */
  const nextBatch = () => {
    const day = pending[0]?.day ?? 0
    const others = pending.findIndex((one) => one.day !== day)
    return { day, batch: pending.splice(0, others < 0 ? pending.length : others) }
  }
  const writeAll = async () => {
    while (pending.length > 0) {
      const { day, batch } = nextBatch()
      try {
        ;(rotation?.file ?? first).repair()
        rotation?.turnTo(day)
        const file = rotation?.file ?? first
        let end = await file.append(Buffer.concat(batch.map(({ line }) => line)))
        rotation?.wrote(day)
        for (const { line, done } of batch) {
          end += line.length
          done(isTracked ? file.track(end) : async () => {})
        }
      } catch (error) {
        const failure = writeFailure(path, error)
        for (const { failed } of batch) failed(failure)
      }
    }
    // No `await` may come between the last check of `pending` and this line, or a new delivery could be left waiting.
    writingAll = null
  }
  rotation?.start(() => writingAll === null)
  return {
    /**
     * Resolves when the delivery is on disk, with a function to call when the delivery has been answered. If the
     * delivery cannot be stored, throws INTERNAL and leaves nothing of the delivery in the journal.
     */
    append: (delivery: Delivery) =>
      new Promise<Settle>((done, failed) => {
        const line = Buffer.from(deliveryLine(delivery, isTracked))
        pending.push({ day: dayOf(delivery.timeMs), line, done, failed })
        writingAll ??= writeAll()
      }),
    /** Closes the file if its day is over, compresses closed days, and drops old deliveries. Never throws. */
    tidy: async () => rotation?.tidy(),
    close: async () => {
      await writingAll
      await (rotation?.close() ?? first.close())
      lock.release()
    },
  }
}

function openOrCreate(path: string, isTracked: boolean): JournalFile {
  try {
    return new JournalFile(path, isTracked)
  } catch (error) {
    if (error instanceof Failure || existsSync(path)) throw error
    // If this fails as well, its error message contains the path.
    writeFileDurably(path, '')
    return new JournalFile(path, isTracked)
  }
}

function writeFailure(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `cannot write the journal ${path}: ${describeSystemError(error)}`, {
    hint: 'free some disk space, or make the file writable',
    cause: error,
  })
}
