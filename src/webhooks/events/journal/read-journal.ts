import { closeSync } from 'node:fs'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { openGiven } from '../../../base/storage/given-file.ts'
import { readChunks, splitLines } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { type Delivery, readDelivery } from './entry.ts'

/** A stored delivery with its number. */
export interface KeptDelivery extends Delivery {
  /** In a journal its line, from 1; in an inbox its row. */
  readonly line: number
}

/** A delivery with its place in a journal. */
export interface JournalledDelivery extends KeptDelivery {
  /** The end of its line, in bytes from the start. */
  readonly end: number
  /** False if the last line has no line break. */
  readonly isEnded: boolean
}

const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads deliveries in batches, in file order. Skips an incomplete last line, which nobody was told had arrived. Stops
 * at the size that a file had at the start: the caller may send to a listener that appends. Fails: USAGE if it cannot
 * be read, or a line is not a delivery.
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
