import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import { readGivenFile, readToEnd } from '../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../base/storage/system-error.ts'
import { decodeUtf8 } from '../../base/utf8.ts'
import { interruptible } from '../../terminal/input/interruptible.ts'

/** The maximum size of a file, in bytes. Enough for a year of a busy venue's sales. */
const MOST_BYTES = 256 * 1024 * 1024

/** The maximum length of a file name that messages show without quotes. */
const LONGEST_NAME = 200

interface GivenFile {
  /** Whether `-` means standard input instead of a file with that name. */
  readonly mayBePiped?: boolean
  /** A description of the expected file, for the hint, such as `a file with table names`. */
  readonly what: string
  /** The flag that names the file. Absent if the file is named by an argument. */
  readonly flag?: string
}

/**
 * Reads a UTF-8 file and removes its byte order mark. The returned `name` is the file name as typed, or "standard
 * input". Throws USAGE or Interrupted.
 */
export async function readGivenText(given: string, { mayBePiped = false, what, flag }: GivenFile) {
  const isPiped = given === '-' && mayBePiped
  const typed = given === '' || given.length > LONGEST_NAME ? JSON.stringify(given) : given
  const name = isPiped ? 'standard input' : typed
  const place = flag === undefined ? name : `${flag}: ${name}`
  try {
    const bytes = await interruptible(async (signal) => {
      const limits = { maxBytes: MOST_BYTES, signal }
      return isPiped ? readToEnd(process.stdin, limits) : (await readGivenFile(given, limits)).bytes
    })
    const text = decodeUtf8(bytes, place)
    if (text.includes('\0')) throw usageFailure([`${place} is not a text`], `pass ${what}; nothing was sent`)
    return { name, text }
  } catch (error) {
    if (error instanceof Interrupted || error instanceof Failure) throw error
    const why = REASONS[getSystemErrorCode(error) ?? ''] ?? describeSystemError(error)
    const or = mayBePiped ? ', or - for standard input' : ''
    throw usageFailure([`${place} cannot be read: ${why}`], `pass ${what}${or}; nothing was sent`)
  }
}

const REASONS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }
