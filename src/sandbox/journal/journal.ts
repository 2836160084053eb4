import { appendFileSync, closeSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** One request and its answer, with all secrets masked. */
export interface JournalEntry {
  /** The sandbox's time, ISO 8601 UTC. */
  readonly at: string
  readonly method: string
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** The endpoint that it reached, like `giftcards.redeem`; null when there is none at its path. */
  readonly endpoint: string | null
  /** Null: the connection ended without an answer. */
  readonly status: number | null
  readonly ms: number
  /** Why it did not get the endpoint's own answer; null when it did. */
  readonly note: string | null
  /** The IDs of the faults that struck it. */
  readonly faults: readonly number[]
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  /** `body` is null when it was streamed, or when there was none. */
  readonly response: { readonly body: string | null }
}

/** A part of the journal, and the cursor from which to read on. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[]
  readonly cursor: number
}

const FLUSH_EVERY_MS = 150
const LARGEST_FILE = 32 * 1024 * 1024
const KEPT_IN_MEMORY = 1000
const READ_BYTES = 1024 * 1024

/**
 * The journal of requests: lines of JSON in the data directory, to which all its processes append, or the last thousand or two
 * in memory. It is for people to read and written in batches; nothing else depends on it.
 */
export class Journal {
  readonly #path: string | null
  #waiting: string[] = []
  #timer: NodeJS.Timeout | undefined
  #memory: JournalEntry[] = []
  #forgotten = 0

  constructor(directory: string | null) {
    this.#path = directory === null ? null : journalPath(directory)
  }

  add(entry: JournalEntry): void {
    if (this.#path === null) {
      this.#memory.push(entry)
      if (this.#memory.length > KEPT_IN_MEMORY * 2) {
        this.#forgotten += this.#memory.length - KEPT_IN_MEMORY
        this.#memory = this.#memory.slice(-KEPT_IN_MEMORY)
      }
      return
    }
    this.#waiting.push(JSON.stringify(entry))
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_EVERY_MS).unref()
  }

  /** Writes the waiting entries. Never fails. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#path === null || this.#waiting.length === 0) return
    const lines = `${this.#waiting.join('\n')}\n`
    this.#waiting = []
    try {
      if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE)
        renameSync(this.#path, `${this.#path}.old`)
      appendFileSync(this.#path, lines, { mode: 0o600 })
    } catch {
      // The disk is full, or the directory is gone: requests are still answered.
    }
  }

  /** Reads on from a cursor (0: the beginning). */
  read(cursor: number): JournalPage {
    this.flush()
    if (this.#path !== null) return readFrom(this.#path, cursor)
    const start = Math.max(0, cursor - this.#forgotten)
    return { entries: this.#memory.slice(start), cursor: this.#forgotten + this.#memory.length }
  }
}

/** Removes the journal of a data directory. */
export function removeJournal(directory: string): void {
  for (const suffix of ['', '.old']) rmSync(journalPath(directory) + suffix, { force: true })
}

function journalPath(directory: string): string {
  return join(directory, 'journal.ndjson')
}

/** Leaves an incomplete last line for the next time. A file that became shorter is a new one, and read from its beginning. */
function readFrom(path: string, cursor: number): JournalPage {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return { entries: [], cursor: 0 }
  }
  try {
    const { size } = fstatSync(file)
    const start = cursor > size ? 0 : cursor
    const bytes = Buffer.alloc(Math.min(READ_BYTES, size - start))
    const got = bytes.subarray(0, readSync(file, bytes, 0, bytes.byteLength, start))
    const end = got.lastIndexOf(10) + 1
    return { entries: got.subarray(0, end).toString('utf8').split('\n').flatMap(entryOf), cursor: start + end }
  } finally {
    closeSync(file)
  }
}

function entryOf(line: string): JournalEntry[] {
  if (line === '') return []
  try {
    return [JSON.parse(line) as JournalEntry]
  } catch {
    return []
  }
}
