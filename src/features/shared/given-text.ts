import { TextDecoder } from 'node:util'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { readGivenFile, readToEnd } from '../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'

/** A busy year of sales is less. */
const MOST_BYTES = 256 * 1024 * 1024

/** What is longer was hardly typed. Characters. */
const LONGEST_NAME = 200

/** How a file is read that a person has named. */
export interface GivenTextReading {
  /** What `-` stands for, opened only when it is meant; null: it is the name of a file like others. */
  readonly standardInput: (() => NodeJS.ReadStream) | null
  /** Ends the wait for a pipe, with its reason. */
  readonly signal: AbortSignal
  /** What the file should be, for the hint: `a file of table names`. */
  readonly what: string
  /** The flag that names it; absent: it is an argument. */
  readonly flag?: string
}

/** A file of text, without a byte order mark. */
export interface GivenText {
  /** As a person knows it: the file as it was typed, or `standard input`. */
  readonly name: string
  readonly text: string
}

/** Reads a file of text whole. Fails: USAGE when it cannot be read, or is no UTF-8; the signal's reason. */
export async function readGivenText(given: string, reading: GivenTextReading): Promise<GivenText> {
  const isStandardInput = given === '-' && reading.standardInput !== null
  const typed = given === '' || given.length > LONGEST_NAME ? JSON.stringify(given) : given
  const name = isStandardInput ? 'standard input' : typed
  const place = reading.flag === undefined ? name : `${reading.flag}: ${name}`
  return { name, text: decoded(await bytesOf(given, place, reading), place) }
}

async function bytesOf(given: string, name: string, reading: GivenTextReading): Promise<Uint8Array> {
  const { standardInput, signal, what } = reading
  const limits = { maxBytes: MOST_BYTES, signal }
  try {
    if (given === '-' && standardInput) return await readToEnd(standardInput(), limits)
    return (await readGivenFile(given, limits)).bytes
  } catch (error) {
    if (error instanceof Interrupted || error instanceof Failure) throw error
    const why = REASONS[getSystemErrorCode(error) ?? ''] ?? describeSystemError(error)
    const or = standardInput ? ', or - for standard input' : ''
    throw usageFailure([`${name} cannot be read: ${why}`], `name ${what}${or}; nothing was sent`)
  }
}

const REASONS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }

function decoded(bytes: Uint8Array, name: string): string {
  const isWide = /^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('latin1'))
  try {
    const text = isWide ? '\0' : new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text
  } catch {
    // Said below.
  }
  throw usageFailure(
    [`${name} is ${isWide ? 'UTF-16' : 'not text in UTF-8'}, and must be UTF-8`],
    'save it as UTF-8; nothing was sent',
  )
}
