import { appendFileSync, closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { openOwnFile, refuseUnlessPlainFile } from '../../base/storage/own-file.ts'
import { removeFile, renameFile } from '../../base/storage/rename-remove.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { type EntryQuery, findLatestInFile, findLatestInList, type LatestEntries } from './latest.ts'

/** A request and its response, with secrets masked. */
export interface JournalEntry {
  /** The venue's time when the request arrived (ISO 8601 UTC). */
  readonly at: string
  readonly method: string
  readonly path: string
  /** The query string without the question mark, or an empty string without a query. */
  readonly query: string
  /** The endpoint's ID, such as `giftcards.redeem`, or `null` if the request did not reach an endpoint. */
  readonly endpoint: string | null
  /** The HTTP status, or `null` if the connection ended without a response. */
  readonly status: number | null
  readonly ms: number
  /** Why the request failed or did not reach its endpoint, or `null` if its endpoint handled it successfully. */
  readonly note: string | null
  readonly faults: readonly number[]
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string | null }
  /** The response. `body` is `null` if the response was empty or streamed. */
  readonly response: { readonly body: string | null }
}

export type JournalPage = { readonly entries: readonly JournalEntry[]; readonly cursor: number }

const LARGEST_FILE = 32 * 1024 * 1024
const KEPT_IN_MEMORY = 1000
const READ_BYTES = 1024 * 1024

export interface EntrySink {
  add(entry: JournalEntry): Promise<void> | void
}

/**
 * The journal of a sandbox. Processes with the same data directory share a file of JSON lines. Without a directory, the
 * last 1000 entries are kept in memory.
 */
export class Journal implements EntrySink {
  readonly #directory: string | null
  readonly #path: string | null
  #unwritten: string[] = []
  #writing: Promise<void> | null = null
  #memory: JournalEntry[] = []
  #droppedCount = 0
  readonly #watchers = new Set<(entry: JournalEntry) => void>()

  constructor(directory: string | null) {
    this.#directory = directory
    this.#path = directory === null ? null : journalPath(directory)
  }

  /** Calls `listener` for each entry that this process adds, until the returned function is called. */
  watch(listener: (entry: JournalEntry) => void): () => void {
    this.#watchers.add(listener)
    return () => void this.#watchers.delete(listener)
  }

  /**
   * Adds an entry. Await the returned promise before sending the response, so that every process can already find the
   * entry when the response arrives.
   */
  async add(entry: JournalEntry): Promise<void> {
    for (const listener of this.#watchers) listener(entry)
    if (this.#path === null) {
      this.#memory.push(entry)
      if (this.#memory.length > KEPT_IN_MEMORY * 2) {
        this.#droppedCount += this.#memory.length - KEPT_IN_MEMORY
        this.#memory = this.#memory.slice(-KEPT_IN_MEMORY)
      }
      return
    }
    this.#unwritten.push(JSON.stringify(entry))
    this.#writing ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#writing = null
        this.flush()
        resolve()
      })
    })
    await this.#writing
  }

  flush(): void {
    if (this.#path === null || this.#unwritten.length === 0) return
    const lines = `${this.#unwritten.join('\n')}\n`
    this.#unwritten = []
    try {
      refuseUnlessPlainFile(this.#path)
      if ((statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_FILE)
        renameFile(this.#path, `${this.#path}.old`)
      appendFileSync(this.#path, lines, { mode: 0o600 })
    } catch {
      // Writing can fail, for example because the disk is full or the directory was deleted. The request must still get
      // a response.
    }
  }

  clear(): void {
    this.#unwritten = []
    this.#droppedCount += this.#memory.length
    this.#memory = []
    if (this.#directory !== null) removeJournal(this.#directory)
  }

  /** Reads entries starting at a cursor, where 0 is the beginning. The result contains the cursor for the next call. */
  read(cursor: number): JournalPage {
    this.flush()
    if (this.#path !== null) return readFrom(this.#path, cursor)
    const start = Math.max(0, cursor - this.#droppedCount)
    return { entries: this.#memory.slice(start), cursor: this.#droppedCount + this.#memory.length }
  }

  /** Finds the latest entries that match a query, without reading the whole journal. */
  latest(query: EntryQuery<JournalEntry>): LatestEntries<JournalEntry> {
    this.flush()
    if (this.#path === null) return findLatestInList(this.#memory, this.#droppedCount, query)
    const file = openJournalFile(this.#path)
    return file === null ? { entries: [], older: null } : findLatestInFile(file, query)
  }

  /** A string that changes whenever any process adds an entry. */
  get mark(): string {
    if (this.#path === null) return String(this.#droppedCount + this.#memory.length)
    const { size = 0, ino = 0 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {}
    return `${ino} ${size} ${this.#unwritten.length}`
  }
}

export function removeJournal(directory: string): void {
  for (const suffix of ['', '.old']) {
    const path = journalPath(directory) + suffix
    refuseUnlessPlainFile(path)
    removeFile(path)
  }
}

function journalPath(directory: string): string {
  return join(directory, 'journal.ndjson')
}

function openJournalFile(path: string): number | null {
  try {
    return openOwnFile(path, 'read')
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INTERNAL', `cannot read ${path}: ${describeSystemError(error)}`)
  }
}

/**
 * Reads entries starting at a byte offset. Skips an incomplete last line. Reads from the beginning if the file is
 * shorter than `cursor`.
 */
function readFrom(path: string, cursor: number): JournalPage {
  const file = openJournalFile(path)
  if (file === null) return { entries: [], cursor: 0 }
  try {
    const { size } = fstatSync(file)
    const start = cursor > size ? 0 : cursor
    const bytes = Buffer.alloc(Math.min(READ_BYTES, size - start))
    const got = bytes.subarray(0, readSync(file, bytes, 0, bytes.byteLength, start))
    const end = got.lastIndexOf(10) + 1
    const lines = got.subarray(0, end).toString('utf8').split('\n')
    return { entries: lines.flatMap((line) => parseJsonOrNull(line) ?? []), cursor: start + end }
  } finally {
    closeSync(file)
  }
}
