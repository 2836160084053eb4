import { closeSync } from 'node:fs'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { openGiven } from '../../../base/storage/given-file.ts'
import { readChunks, splitLines } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { type Delivery, readDelivery } from './entry.ts'

/** A delivery, and which one it is. */
export interface NumberedDelivery extends Delivery {
  /** Of a journal its line, from 1; of an inbox its row. */
  readonly line: number
}

/** A delivery of a journal, and where it stands in it. */
export interface JournalledDelivery extends NumberedDelivery {
  /** Where the next line begins, in bytes from the start of the journal. */
  readonly end: number
  /** False: the line break of the last one is missing. */
  readonly isEnded: boolean
}

/** A line of a journal is as long as its body makes it. */
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads the deliveries of a journal in batches, in the order in which they came. Half a line at its end, as a listener that was
 * killed leaves it, is none: nobody was told that it had arrived. Reads a file as far as it goes at the start, because a listener may add
 * to it meanwhile, for ever when it receives what the caller sends.
 * Fails: USAGE when it cannot be read, and for a line that is no delivery.
 */
export async function* readJournal(path: string): AsyncGenerator<readonly JournalledDelivery[]> {
  for await (const lines of rawLines(path)) {
    const deliveries: JournalledDelivery[] = []
    for (const { line, bytes, end, isEnded } of lines) {
      if (bytes?.byteLength === 0) continue
      const delivery = bytes === null ? null : readDelivery(Buffer.from(bytes).toString('utf8'))
      if (delivery === null && !isEnded) break
      if (delivery === null)
        throw usageFailure(
          [`${path}: line ${line} is no delivery`],
          'give a journal that webhooks listen wrote; to read on behind a damaged line, remove that line',
        )
      deliveries.push({ ...delivery, line, end, isEnded })
    }
    if (deliveries.length > 0) yield deliveries
  }
}

async function* rawLines(path: string) {
  try {
    const { descriptor, stream, stats } = await openGiven(path)
    try {
      yield* splitLines(stream ?? readChunks(descriptor, stats.isFile() ? stats.size : undefined), MOST_BYTES)
    } finally {
      if (stream) stream.destroy()
      else closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof Failure || getSystemErrorCode(error) === null) throw error
    throw usageFailure([`cannot read ${path}: ${describeSystemError(error)}`])
  }
}
