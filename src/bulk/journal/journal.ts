import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { writeFileDurably } from '../../storage/durable-write.ts'
import { readChunks, splitLines } from '../../storage/lines.ts'
import { type Lock, lockedFailure, tryLock } from '../../storage/lock.ts'
import { openOwnFile } from '../../storage/own-file.ts'
import { describeSystemError } from '../../storage/system-error.ts'
import {
  type Entry,
  entryLine,
  headerLine,
  type JournalFor,
  type JournalMoment,
  type LineKey,
  readEntry,
  readHeader,
  sealIn,
  type WriteOutcome,
} from './entry.ts'
import { damaged, outOfOrder, requireSame } from './refusals.ts'

/** What earlier runs say about one sale or customer. */
export type Known = LineKey &
  (
    | {
        readonly state: 'accepted' | 'already-there' | 'rejected'
        readonly status: number | null
        readonly message: string | null
        /** The operation that the write was; null: it was none, or the journal does not say. */
        readonly operation: string | null
      }
    /** It left, and nobody knows what became of it; `at`: when it first left. */
    | { readonly state: 'in-doubt'; readonly at: JournalMoment; readonly operation: string | null }
  )

/** A line of a journal is as long as its ID and message make it. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * What became of each line of an input, on disk: each entry is there before the next step relies on it. One run at a time has it. A
 * run that is killed leaves at most half a line at its end, which nothing relied on.
 */
export class Journal {
  readonly path: string
  readonly #lock: Lock
  readonly #descriptor: number
  readonly #known: ReadonlyMap<string, Known>
  #end: number
  #lastSeal: string
  #trouble: Failure | null = null

  private constructor(path: string, lock: Lock, descriptor: number, read: Reading) {
    this.path = path
    this.#lock = lock
    this.#descriptor = descriptor
    this.#known = read.known
    this.#end = read.end + (read.isCut ? 1 : 0)
    this.#lastSeal = read.lastSeal
  }

  /**
   * Opens a journal, and begins one when there is none.
   * Fails: LOCKED (exit 12) when another run has it; USAGE for one that is damaged, newer, or for something else: it stays as it is;
   * INTERNAL when it cannot be written. Nothing was sent then.
   */
  static async open(path: string, what: JournalFor): Promise<Journal> {
    const lockPath = `${path}.lock`
    const lock = tryLock(lockPath, { command: what.command })
    if (lock === null) throw await lockedFailure(lockPath, path)
    try {
      let descriptor = openToRead(path)
      if (descriptor === null) {
        writeFileDurably(path, headerLine(what))
        descriptor = openToRead(path)
      }
      if (descriptor === null) throw new Failure('INTERNAL', `${path} was taken away; nothing was sent`)
      const read = await readJournal(path, descriptor, what)
      return new Journal(path, lock, openToWrite(path, read), read)
    } catch (error) {
      lock.release()
      throw error
    }
  }

  /** How many sales or customers earlier runs dealt with. */
  get size(): number {
    return this.#known.size
  }

  /** What earlier runs say about a sale or customer; null: nothing. */
  known(id: string): Known | null {
    return this.#known.get(id) ?? null
  }

  /** All that earlier runs say. */
  all(): Iterable<Known> {
    return this.#known.values()
  }

  /** Notes that a write is about to leave. Fails: INTERNAL; it must not leave then. */
  begin(key: LineKey, at: JournalMoment, operation: string | null): void {
    const { line, id, digest } = key
    this.#append({ line, id, digest, state: 'sending', at, operation })
  }

  /** Notes how a write ended. Fails: INTERNAL; it is in doubt for the next run then. */
  end(key: LineKey, state: WriteOutcome, status: number | null, message: string | null): void {
    const { line, id, digest } = key
    this.#append({ line, id, digest, state, status, message })
  }

  /** Gives the journal back. */
  close(): void {
    closeSync(this.#descriptor)
    this.#lock.release()
  }

  #append(entry: Entry): void {
    // Behind half a line, a whole one would be lost with it.
    if (this.#trouble) throw this.#trouble
    const line = entryLine(entry, this.#lastSeal)
    const bytes = Buffer.from(line)
    try {
      for (let offset = 0; offset < bytes.length; ) offset += writeSync(this.#descriptor, bytes, offset)
      fdatasyncSync(this.#descriptor)
      this.#end += bytes.length
      this.#lastSeal = sealIn(line)
    } catch (error) {
      this.#trouble = cannotWrite(this.path, error)
      try {
        ftruncateSync(this.#descriptor, this.#end)
      } catch {
        // The next run drops half a line.
      }
      throw this.#trouble
    }
  }
}

function openToRead(path: string): number | null {
  try {
    return openOwnFile(path, 'read')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure([`the journal ${path} cannot be read: ${describeSystemError(error)}; nothing was sent`])
  }
}

/** Opens it for appending, without what a killed run left half. */
function openToWrite(path: string, { end, isCut }: Reading): number {
  try {
    const descriptor = openOwnFile(path, 'append')
    if (fstatSync(descriptor).size > end) ftruncateSync(descriptor, end)
    if (isCut) writeSync(descriptor, '\n')
    return descriptor
  } catch (error) {
    throw error instanceof Failure ? error : cannotWrite(path, error)
  }
}

function cannotWrite(path: string, error: unknown): Failure {
  return new Failure('INTERNAL', `the journal ${path} cannot be written: ${describeSystemError(error)}`, {
    hint: 'make room, or make it writable for you, then run it again: it goes on where it stopped',
    outcome: 'not-applied',
    cause: error,
  })
}

interface Reading {
  readonly known: ReadonlyMap<string, Known>
  /** Where the next entry goes, in bytes. */
  readonly end: number
  /** Whether the line break of the last entry is missing. */
  readonly isCut: boolean
  /** The seal of the last line. */
  readonly lastSeal: string
}

async function readJournal(path: string, descriptor: number, what: JournalFor): Promise<Reading> {
  const known = new Map<string, Known>()
  let end = 0
  let hasHeader = false
  let isCut = false
  let lastSeal = ''
  let isChained = false
  try {
    for await (const lines of splitLines(readChunks(descriptor), MOST_BYTES))
      for (const { line, bytes, end: next, isEnded } of lines) {
        const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8')
        if (!hasHeader) {
          isChained = requireSame(path, readHeader(text), what).isChained
          hasHeader = true
        } else {
          const entry = readEntry(text)
          if (entry === null && isEnded) throw damaged(path, line)
          // A run was killed while it wrote this.
          if (entry === null) break
          // The first entries of a journal of version 1 are not chained.
          isChained ||= entry.after !== undefined
          if (isChained && entry.after !== lastSeal) throw outOfOrder(path, line)
          learn(known, entry)
        }
        end = next
        lastSeal = sealIn(text)
        isCut = !isEnded
      }
  } finally {
    closeSync(descriptor)
  }
  if (!hasHeader) throw damaged(path, 1)
  return { known, end, isCut, lastSeal }
}

function learn(known: Map<string, Known>, entry: Entry): void {
  const { line, id, digest } = entry
  const earlier = known.get(id)
  const doubt = earlier?.state === 'in-doubt' ? earlier : null
  if (entry.state === 'sending') {
    const at = doubt?.at ?? entry.at
    known.set(id, { line, id, digest, state: 'in-doubt', at, operation: entry.operation ?? doubt?.operation ?? null })
  } else if (entry.state !== 'unknown') {
    const { state, status, message } = entry
    known.set(id, { line, id, digest, state, status, message, operation: doubt?.operation ?? null })
  }
}
