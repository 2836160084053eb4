import { closeSync } from 'node:fs'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { openGivenFile } from '../../../base/storage/given-file.ts'
import { readChunks, splitLines } from '../../../base/storage/lines.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { withoutUtf16 } from '../../../base/utf8.ts'
import { type Delivery, readDelivery } from './entry.ts'

/** A stored delivery with its line number or row ID. */
export interface StoredDelivery extends Delivery {
  /** The line number in a journal, starting at 1, or the row's ID in an inbox. */
  readonly line: number
}

/** A delivery with its position in a journal. */
export interface JournalledDelivery extends StoredDelivery {
  /** The offset, in bytes, at which its line ends. */
  readonly end: number
  /** Whether the line ends with a line break. Only the last line may lack a line break. */
  readonly isEnded: boolean
}

const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads deliveries in batches, in file order. Skips an incomplete last line, because that delivery was never
 * acknowledged. Stops at the file's size when reading started, because the caller may be sending to a listener that
 * appends to the same file. Throws USAGE if the file cannot be read, or if a line is not a delivery.
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
          [`${path}: line ${line} is not a delivery`],
          'name a journal that webhooks listen wrote; if that line is damaged, remove it to read the rest',
        )
      deliveries.push({ ...delivery, line, end, isEnded })
    }
    if (deliveries.length > 0) yield deliveries
  }
}

async function* rawLines(path: string) {
  try {
    const { descriptor, stream, stats } = await openGivenFile(path)
    try {
      const chunks = stream ?? readChunks(descriptor, stats.isFile() ? stats.size : undefined)
      yield* splitLines(withoutUtf16(chunks, path), MOST_BYTES)
    } finally {
      if (stream) stream.destroy()
      else closeSync(descriptor)
    }
  } catch (error) {
    if (error instanceof Failure || getSystemErrorCode(error) === null) throw error
    throw usageFailure([`cannot read ${path}: ${describeSystemError(error)}`])
  }
}
