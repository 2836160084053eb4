import { randomBytes } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, realpathSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { openGivenFile } from '../../../base/storage/given-file.ts'
import { type RawLine, readChunks, splitLines } from '../../../base/storage/lines.ts'
import { removeFile } from '../../../base/storage/rename-remove.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { refuseUtf16 } from '../../../base/utf8.ts'

const MAX_NAME_LENGTH = 200
const MAX_LINE_BYTES = 16 * 1024 * 1024

/** The input of a bulk command, whose lines can be read several times. */
export interface Input {
  readonly name: string
  /** The file's real path. `null` for a pipe, because a later run cannot read it again. */
  readonly path: string | null
  readonly isCsv: boolean
  lines(): AsyncGenerator<readonly RawLine[]>
  /** Reads the whole input. Throws USAGE if it is longer than `maxBytes`. */
  bytes(maxBytes: number): Promise<Uint8Array>
  hasChanged(): boolean
  close(): void
}

/**
 * Opens a file, or copies a pipe to a temporary file and opens the copy. Throws USAGE if the input cannot be read,
 * INTERNAL if the disk has no room for the copy, or the signal's reason if the signal is aborted.
 */
export async function openInput(given: string, standardInput: () => NodeJS.ReadableStream, signal: AbortSignal) {
  if (given === '-') return detectFormat(await copyToTemporaryFile('standard input', standardInput(), signal))
  try {
    const { descriptor, stats, stream } = await openGivenFile(given)
    if (stream) {
      try {
        return detectFormat(await copyToTemporaryFile(given, stream, signal))
      } finally {
        stream.destroy()
      }
    }
    if (stats.isFile()) return detectFormat(createInput(given, realpathSync(given), descriptor))
    closeSync(descriptor)
    throw usageFailure([`${given} is ${stats.isDirectory() ? 'a directory' : 'not a file'}`], 'pass a file, or -')
  } catch (error) {
    if (error instanceof Failure || getSystemErrorCode(error) === null) throw error
    const why = getSystemErrorCode(error) === 'ENOENT' ? 'there is no such file' : describeSystemError(error)
    // Quote a long name, so that the error message shortens it and the reason stays visible.
    const name = given.length > MAX_NAME_LENGTH ? JSON.stringify(given) : given
    throw usageFailure([`${name} cannot be read: ${why}`], 'pass a file, or - for standard input')
  }
}

function createInput(name: string, path: string | null, descriptor: number): Input {
  const stamp = () => {
    const { size, mtimeMs } = fstatSync(descriptor)
    return `${size} ${mtimeMs}`
  }
  const opened = stamp()
  return {
    name,
    path,
    isCsv: false,
    async *lines() {
      const chunks = readChunks(descriptor)
      for await (const lines of splitLines(chunks, MAX_LINE_BYTES)) {
        const full = lines.filter(({ bytes }) => bytes?.every((byte) => byte === 0x20 || byte === 0x09) !== true)
        if (full.length > 0) yield full
      }
    },
    async bytes(maxBytes) {
      if (fstatSync(descriptor).size > maxBytes)
        throw usageFailure(
          [`${name} is longer than ${maxBytes / 1024 / 1024} MiB`],
          'split it, and send each part separately',
        )
      const chunks: Uint8Array[] = []
      for await (const chunk of readChunks(descriptor)) chunks.push(chunk)
      return Buffer.concat(chunks)
    },
    hasChanged: () => stamp() !== opened,
    close: () => closeSync(descriptor),
  }
}

/** Copies a pipe to a temporary file. Unlinks the file before writing to it, so that it cannot be left behind. */
async function copyToTemporaryFile(name: string, stream: NodeJS.ReadableStream, signal: AbortSignal): Promise<Input> {
  const path = join(tmpdir(), `partner-${randomBytes(8).toString('hex')}`)
  let descriptor: number
  try {
    descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  } catch (error) {
    throw cannotStoreFailure(error)
  }
  removeFile(path)
  const stop = () => void (stream as { destroy?: (error: unknown) => void }).destroy?.(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) writeAll(descriptor, Buffer.from(chunk))
    return createInput(name, null, descriptor)
  } catch (error) {
    closeSync(descriptor)
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  try {
    for (let offset = 0; offset < bytes.byteLength; ) offset += writeSync(descriptor, bytes, offset)
  } catch (error) {
    throw cannotStoreFailure(error)
  }
}

function cannotStoreFailure(error: unknown): Failure {
  const words = `the input cannot be stored in ${tmpdir()}: ${describeSystemError(error)}; nothing was sent`
  const hint = 'free some space there, set TMPDIR, or pass a file instead of -'
  return new Failure('INTERNAL', words, { hint, cause: error })
}

/**
 * Matches the first line of a CSV file. It contains names separated by a comma, semicolon or tab, or is a line such as
 * `sep=;`, which spreadsheets write.
 */
const CSV_HEADER = /^(?:sep=.$|[^{},;\t]*[,;\t][^{}]*$)/

/**
 * Detects CSV. Throws USAGE for UTF-16 and for a JSON array, so that there is one error instead of one for each line.
 */
async function detectFormat(input: Input): Promise<Input> {
  try {
    for await (const [first] of input.lines()) {
      const bytes = first?.bytes ?? new Uint8Array()
      refuseUtf16(bytes, input.name)
      const text = Buffer.from(bytes.subarray(0, 64)).toString('latin1').trimStart()
      if (text.startsWith('['))
        throw usageFailure(
          [`${input.name} is a single JSON array, but must be NDJSON: one object per line`],
          "convert it: jq -c '.[]'",
        )
      return { ...input, isCsv: CSV_HEADER.test(Buffer.from(bytes).toString('latin1')) }
    }
    return input
  } catch (error) {
    input.close()
    throw error
  }
}
