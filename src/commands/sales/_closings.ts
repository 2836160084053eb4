import type { PosFile } from '../../books/reconcile/ledger.ts'
import { parseMap } from '../../books/reconcile/reading/map.ts'
import { readNdjson, textOfLines } from '../../books/reconcile/reading/ndjson.ts'
import { openInput } from '../../bulk/input/input.ts'
import { interruptible } from '../../cli/input/interruptible.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { readGivenFile, readToEnd } from '../../storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../storage/system-error.ts'

/** The closings of a POS, read. */
export interface OpenedPosFile {
  readonly file: PosFile
  /** As a person knows it. */
  readonly name: string
  /** The lines with these numbers, as they are; null for CSV. */
  readonly linesOf: ((wanted: ReadonlySet<number>) => Promise<string[]>) | null
  close(): void
}

/** A day of a busy venue is some hundred KiB. */
const MOST_BYTES = 64 * 1024 * 1024

/** Reads the closings of a file, CSV when there is a map. Fails: USAGE when it, or a line of it, cannot be read; Interrupted. */
export async function openPosFile(given: string, map: readonly string[]): Promise<OpenedPosFile> {
  if (map.length > 0 || /\.(?:csv|tsv)$/i.test(given)) return openCsv(given, map)
  const input = await interruptible((signal) => openInput(given, () => process.stdin, signal))
  try {
    const file = await readNdjson(input)
    return {
      file,
      name: input.name,
      linesOf: (wanted) => textOfLines(input, wanted),
      close: () => input.close(),
    }
  } catch (error) {
    input.close()
    throw error
  }
}

async function openCsv(given: string, map: readonly string[]): Promise<OpenedPosFile> {
  const { columnsOf, readCsv } = await import('../../books/reconcile/reading/csv.ts')
  const name = given === '-' ? 'standard input' : given
  const columns = map.length > 0 ? parseMap(map) : null
  const bytes = await bytesOf(given, name)
  if (columns === null) {
    const found = columnsOf(bytes, name).join(', ').slice(0, 400)
    throw usageFailure(
      [`${name} is CSV, and --map must say which of its columns are what`],
      `such as --map saleId=Bill,total=Total; its columns are: ${found}`,
    )
  }
  return { file: readCsv(bytes, columns, name), name, linesOf: null, close: () => {} }
}

async function bytesOf(given: string, name: string): Promise<Uint8Array> {
  try {
    return await interruptible(async (signal) => {
      const reading = { maxBytes: MOST_BYTES, signal }
      return given === '-' ? await readToEnd(process.stdin, reading) : (await readGivenFile(given, reading)).bytes
    })
  } catch (error) {
    if (error instanceof Failure || (getSystemErrorCode(error) === null && !isTooLong(error))) throw error
    const code = getSystemErrorCode(error)
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code === null
          ? (error as Error).message
          : describeSystemError(error)
    throw usageFailure([`${name} cannot be read: ${why}`], 'name a file of CSV, or - for standard input')
  }
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('it is longer')
}
