import { close, closeSync, fdatasync, fstat, fstatSync, write, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { Failure } from '../../../base/failure/failure.ts'
import { writeFileDurably } from '../../../base/storage/durable-write.ts'
import { type Lock, lockedFailure, tryLock } from '../../../base/storage/lock.ts'
import { openOwnFile, refuseUnlessPlainFile, truncateOwnFile } from '../../../base/storage/own-file.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { type Delivery, deliveryLine } from './entry.ts'
import { type JournalledDelivery, readJournal } from './read-journal.ts'

const writeAsync = promisify(write)
const fdatasyncAsync = promisify(fdatasync)
const fstatAsync = promisify(fstat)
const closeAsync = promisify(close)

type Pending = { readonly line: string; readonly done: () => void; readonly failed: (failure: Failure) => void }

/**
 * Opens or creates a journal, and calls `onDelivery` for each delivery in it. Throws LOCKED if another listener uses
 * the journal, USAGE if the file is not a journal, or INTERNAL if it cannot be written.
 */
export async function openDeliveryJournal(path: string, onDelivery: (delivery: Delivery) => void) {
  refuseUnlessPlainFile(path)
  const lockPath = `${path}.lock`
  const lock = tryLock(lockPath, { command: 'webhooks listen' })
  if (lock === null) throw await lockedFailure(lockPath, path)
  try {
    const descriptor = openToAppend(path)
    try {
      let last: JournalledDelivery | undefined
      for await (const deliveries of readJournal(path)) {
        for (const delivery of deliveries) onDelivery(delivery)
        last = deliveries.at(-1)
      }
      removeIncompleteLine(path, descriptor, last)
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
    return openWriter(path, lock, descriptor)
  } catch (error) {
    lock.release()
    throw error instanceof Failure ? error : writeFailure(path, error)
  }
}

/**
 * Returns a writer that batches pending deliveries, because flushing one to disk takes just as long as flushing many.
 */
function openWriter(path: string, lock: Lock, descriptor: number) {
  let pending: Pending[] = []
  let writingAll: Promise<void> | null = null
  /** The offset of an incomplete line that could not be removed yet, or `null` if there is none. */
  let incompleteAt: number | null = null
  const writeBytes = async (bytes: Buffer) => {
    // Remove the incomplete line first. Otherwise, the line appended to it would be lost as well.
    if (incompleteAt !== null) truncateOwnFile(path, descriptor, incompleteAt)
    const start = (await fstatAsync(descriptor)).size
    incompleteAt = start
    try {
      for (let offset = 0; offset < bytes.length; )
        offset += (await writeAsync(descriptor, bytes, offset, bytes.length - offset, null)).bytesWritten
      await fdatasyncAsync(descriptor)
      incompleteAt = null
    } catch (error) {
      try {
        truncateOwnFile(path, descriptor, start)
        incompleteAt = null
      } catch {
        // The incomplete line is removed when the next delivery arrives, or by the next listener.
      }
      throw error
    }
  }
  const writeAll = async () => {
    while (pending.length > 0) {
      const batch = pending
      pending = []
      try {
        await writeBytes(Buffer.from(batch.map(({ line }) => line).join('')))
        for (const { done } of batch) done()
      } catch (error) {
        const failure = writeFailure(path, error)
        for (const { failed } of batch) failed(failure)
      }
    }
  }
  return {
    /**
     * Resolves when the delivery is on disk. Throws INTERNAL if that fails; the delivery is then not in the journal.
     */
    append: (delivery: Delivery) =>
      new Promise<void>((done, failed) => {
        pending.push({ line: deliveryLine(delivery), done, failed })
        writingAll ??= writeAll().finally(() => {
          writingAll = null
        })
      }),
    close: async () => {
      await writingAll
      await closeAsync(descriptor)
      lock.release()
    },
  }
}

function openToAppend(path: string): number {
  try {
    return openOwnFile(path, 'append')
  } catch (error) {
    if (error instanceof Failure) throw error
    // This creates the directory, or throws an error that names the path.
    writeFileDurably(path, '')
    return openOwnFile(path, 'append')
  }
}

/** Removes an incomplete last line. The listener that wrote it was killed before it responded to that delivery. */
function removeIncompleteLine(path: string, descriptor: number, last: JournalledDelivery | undefined): void {
  const end = last?.end ?? 0
  if (fstatSync(descriptor).size > end) truncateOwnFile(path, descriptor, end)
  if (last?.isEnded === false) writeSync(descriptor, '\n')
}

function writeFailure(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `cannot write the journal ${path}: ${describeSystemError(error)}`, {
    hint: 'free some disk space, or make the file writable',
    cause: error,
  })
}
