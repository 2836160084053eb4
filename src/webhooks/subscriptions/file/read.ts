import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import { readGivenFile, readToEnd } from '../../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { decodeUtf8 } from '../../../base/utf8.ts'
import { problemLine } from '../desired.ts'
import { parseSubscriptions } from './parse.ts'

/** The file's maximum size. This is enough, because there is only one subscription per event. */
const MOST_BYTES = 64 * 1024
const LONGEST_NAME = 200
const MOST_PROBLEMS = 20

export interface ReadOptions {
  readonly isChecked: boolean
  /** Opens standard input. Called only if the name is `-`. */
  readonly standardInput: () => NodeJS.ReadStream
  /** A signal that ends the wait for input. */
  readonly signal: AbortSignal
}

/** The subscriptions in a file. `name` is the file's name as typed, or `standard input`. */
export type SubscriptionsFile = Awaited<ReturnType<typeof readSubscriptions>>

/**
 * Reads a file, or standard input if the name is `-`. Throws a USAGE error that lists the problems with their
 * positions, or the signal's reason.
 */
export async function readSubscriptions(given: string, reading: ReadOptions) {
  const name = nameOf(given)
  const text = decodeUtf8(await bytesOf(given, name, reading), name)
  const { subscriptions, problems } = await parseSubscriptions(text, reading.isChecked)
  if (problems.length === 0) return { name, subscriptions }
  const lines = problems.slice(0, MOST_PROBLEMS).map((problem) => problemLine(name, problem))
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`)
  throw usageFailure(lines, 'nothing was sent; see partner webhooks apply --help')
}

function nameOf(given: string): string {
  if (given === '-') return 'standard input'
  return given === '' || given.length > LONGEST_NAME ? JSON.stringify(given) : given
}

async function bytesOf(given: string, name: string, reading: ReadOptions): Promise<Uint8Array> {
  const limits = { maxBytes: MOST_BYTES, signal: reading.signal }
  try {
    if (given === '-') return await readToEnd(reading.standardInput(), limits)
    return (await readGivenFile(given, limits)).bytes
  } catch (error) {
    if (error instanceof Interrupted || error instanceof Failure) throw error
    const why = REASONS[getSystemErrorCode(error) ?? ''] ?? describeSystemError(error)
    throw usageFailure(
      [`cannot read ${name}: ${why}`],
      'nothing was sent; pass a subscriptions file in YAML or JSON, or - for standard input',
    )
  }
}

const REASONS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }
