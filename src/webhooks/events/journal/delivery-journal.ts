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
  /** Called when the journal is opened, once for each delivery in it. */
  readonly onDelivery: (delivery: Delivery) => void
  /** Which deliveries to keep, or `null` to keep all of them in one file. */
  readonly keeping: Keeping | null
  /** Called with a warning when deliveries are stored in a new file because the old one was moved or deleted. */
  readonly report: (line: string) => void
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
  try {
    for (const part of readablePartsOf(path))
      for await (const deliveries of readClosedPart(part)) deliveries.forEach(options.onDelivery)
    const { file, day } = await openFile(path, options)
    if (options.keeping !== null)
      for (const one of [path, ...closedPartsOf(path).map(({ compressed }) => compressed)]) removeAbandonedWrites(one)
    const rotation = options.keeping && new Rotation(realpathSync.native(path), file, day, options.keeping)
    return openWriter(rotation?.path ?? path, lock, file, rotation, options)
  } catch (error) {
    lock.release()
    throw error instanceof Failure ? error : writeFailure(path, error)
  }
}

/**
 * Opens or creates the file at the journal's path and removes an incomplete last line. `day` is the day of the last
 * delivery, or `null` if the file is empty. Throws system errors, or USAGE if the file is not a journal.
 */
async function openFile(path: string, { keeping, onDelivery }: Pick<JournalOptions, 'keeping' | 'onDelivery'>) {
  const file = openOrCreate(path, keeping !== null)
  try {
    let last: JournalledDelivery | undefined
    for await (const deliveries of readJournalFile(path)) {
      deliveries.forEach(onDelivery)
      last = deliveries.at(-1)
    }
    file.removeIncompleteLine(last)
    return { file, day: last ? dayOf(last.timeMs) : null }
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Returns a writer that batches pending deliveries, because flushing many to disk takes as long as flushing one. */
function openWriter(
  path: string,
  lock: Lock,
  first: JournalFile,
  rotation: Rotation | null,
  { keeping, report }: JournalOptions,
) {
  let only = first
  const pending: Pending[] = []
  let writingAll: Promise<void> | null = null
  const isTracked = rotation !== null
  /** Removes and returns the oldest pending deliveries, up to the first one from a different day. */
  const nextBatch = () => {
    const day = pending[0]?.day ?? 0
    const others = pending.findIndex((one) => one.day !== day)
    return { day, batch: pending.splice(0, others < 0 ? pending.length : others) }
  }
  /**
   * Reopens the journal if its file was deleted, moved or replaced. Deliveries added to the old file would never be
   * read. Throws the same errors as `openFile`.
   */
  const followPath = async () => {
    if ((rotation?.file ?? only).isAt(path)) return
    const { file, day } = await openFile(path, { keeping, onDelivery: () => {} })
    report(`${path} was deleted, moved or replaced; deliveries are now stored in a new file at that path`)
    if (rotation !== null) rotation.replaceFile(file, day)
    else {
      void only.close()
      only = file
    }
  }
  const writeAll = async () => {
    while (pending.length > 0) {
      const { day, batch } = nextBatch()
      try {
        await followPath()
        ;(rotation?.file ?? only).repair()
        rotation?.turnTo(day)
        const file = rotation?.file ?? only
        let end = await file.append(Buffer.concat(batch.map(({ line }) => line)))
        rotation?.wrote(day)
        for (const { line, done } of batch) {
          end += line.length
          done(isTracked ? file.track(end) : async () => {})
        }
      } catch (error) {
        const failure = error instanceof Failure ? error : writeFailure(path, error)
        for (const { failed } of batch) failed(failure)
      }
    }
    // No `await` may come between the last check of `pending` and this line, or a new delivery could be left waiting.
    writingAll = null
  }
  rotation?.start(() => writingAll === null)
  return {
    /**
     * Resolves when the delivery is on disk. Returns a function to call when the delivery has been answered. Throws
     * INTERNAL if the delivery cannot be stored. The journal then contains no part of it.
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
      await (rotation?.close() ?? only.close())
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
    hint: 'free some disk space or make the file writable',
    cause: error,
  })
}
